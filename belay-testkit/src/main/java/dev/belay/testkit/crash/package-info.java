/**
 * {@link dev.belay.testkit.crash.CrashKit}: crashes a batch of calls at every record and checks that nothing is lost or doubled,
 * for tools and for stores. The contract of rows is in {@link dev.belay.testkit.rows}.
 */
@NullMarked
package dev.belay.testkit.crash;

import org.jspecify.annotations.NullMarked;

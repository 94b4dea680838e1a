/**
 * {@link dev.belay.testkit.crash.CrashKit}: crashes a batch of calls at every record and checks that nothing is lost or doubled,
 * for tools and for stores. The contract of a store itself is in {@link dev.belay.testkit.store}.
 */
@NullMarked
package dev.belay.testkit.crash;

import org.jspecify.annotations.NullMarked;

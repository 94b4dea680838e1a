/**
 * Crashes at every record and proves that nothing is lost or doubled: {@link dev.belay.testkit.crash.CrashKit}, for tools and for
 * stores.
 */
@NullMarked
package dev.belay.testkit.crash;

import org.jspecify.annotations.NullMarked;


/** The crash kit on hosts that are right, and on hosts that are not. */
@NullMarked
package dev.belay.testkit.crash;

import org.jspecify.annotations.NullMarked;

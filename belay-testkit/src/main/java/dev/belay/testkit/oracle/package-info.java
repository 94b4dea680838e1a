/**
 * The simplest journal and the simplest store of sessions, to compare with.
 */
@NullMarked
package dev.belay.testkit.oracle;

import org.jspecify.annotations.NullMarked;

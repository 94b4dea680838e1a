/** Tests of the effect boundary over the stores in memory, and of its timing. */
@NullMarked
package dev.belay.tests.effect;

import org.jspecify.annotations.NullMarked;

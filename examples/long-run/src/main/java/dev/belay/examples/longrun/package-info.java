/** A session of 300 turns with large outputs, in a context of 32,000 tokens. */
@NullMarked
package dev.belay.examples.longrun;

import org.jspecify.annotations.NullMarked;

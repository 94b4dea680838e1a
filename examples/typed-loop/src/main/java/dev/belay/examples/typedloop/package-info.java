/** A loop of your own: typed calls, hooks, a commit that is refused and mended, a structured answer. */
@NullMarked
package dev.belay.examples.typedloop;

import org.jspecify.annotations.NullMarked;

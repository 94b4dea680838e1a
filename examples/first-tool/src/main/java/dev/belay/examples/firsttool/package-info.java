/** A first tool, from its declaration to its answer. */
@NullMarked
package dev.belay.examples.firsttool;

import org.jspecify.annotations.NullMarked;

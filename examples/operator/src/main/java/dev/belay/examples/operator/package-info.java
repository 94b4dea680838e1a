/** A doubt, a lost key and an outage, found and settled by an operator in another process than the one that works. */
@NullMarked
package dev.belay.examples.operator;

import org.jspecify.annotations.NullMarked;

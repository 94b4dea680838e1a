/** A refund that waits for an approval, survives two kills and pays once. */
@NullMarked
package dev.belay.examples.refund;

import org.jspecify.annotations.NullMarked;

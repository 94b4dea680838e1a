/**
 * The door: {@link dev.belay.runtime.Belay} runs sessions and their turns with your model, your tools and your store.
 */
@NullMarked
package dev.belay.runtime;

import org.jspecify.annotations.NullMarked;

/**
 * Tool calls for models that can only write text.
 */
@NullMarked
package dev.belay.model.envelope;

import org.jspecify.annotations.NullMarked;

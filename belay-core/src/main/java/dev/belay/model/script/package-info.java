/**
 * The scripted model, for tests and examples.
 */
@NullMarked
package dev.belay.model.script;

import org.jspecify.annotations.NullMarked;

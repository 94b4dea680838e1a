/**
 * The JSON form of messages.
 */
@NullMarked
package dev.belay.model.form;

import org.jspecify.annotations.NullMarked;

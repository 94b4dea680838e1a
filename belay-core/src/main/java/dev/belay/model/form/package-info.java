/**
 * The JSON form of messages, usage and responses: how {@code dev.belay.model.MessageJson} writes and reads it, how long a message
 * is, and what no record can hold. Not exported; the form itself is described by {@code MessageJson}.
 */
@NullMarked
package dev.belay.model.form;

import org.jspecify.annotations.NullMarked;

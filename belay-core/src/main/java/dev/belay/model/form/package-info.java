/**
 * The JSON form of messages, usage and responses: how {@code dev.belay.model.MessageJson} writes and reads it, and how long a
 * message is. Not exported; the form itself is described by {@code MessageJson}.
 */
@NullMarked
package dev.belay.model.form;

import org.jspecify.annotations.NullMarked;

package dev.belay.runtime.dispatch;

import dev.belay.schema.Wording;
import dev.belay.tool.context.CallId;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One call as it was asked for: by a model, or by your program.
 *
 * @param id what the model calls it, or null if it said none; echoed, and never part of an identity
 * @param name the tool
 * @param arguments the text sent as arguments, whatever it is
 * @param cut whether the model's answer was cut at the limit of output tokens before the arguments; the call is then
 *        {@code malformed_arguments}
 */
public record CallRequest(@Nullable CallId id, String name, String arguments, boolean cut) {

    /** Replaces half a character: a record cannot hold that, and JSON refuses both. */
    private static final char REFUSED = '\u0001';

    /** Refuses null, and replaces halves of characters, which no record can hold. */
    public CallRequest {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(arguments, "arguments");
        id = id == null ? null : new CallId(Wording.shown(id.value(), id.value().length()));
        name = Wording.shown(name, name.length());
        arguments = Wording.whole(arguments, REFUSED);
    }

    /** A whole call. */
    public CallRequest(@Nullable CallId id, String name, String arguments) {
        this(id, name, arguments, false);
    }

    /** A whole call without an id. */
    public CallRequest(String name, String arguments) {
        this(null, name, arguments, false);
    }
}

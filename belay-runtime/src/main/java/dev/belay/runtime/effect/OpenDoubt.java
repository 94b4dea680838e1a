package dev.belay.runtime.effect;

import dev.belay.json.Json;
import dev.belay.tool.ToolId;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A doubt to be written with the record of work that started and left no answer of its own.
 *
 * @param call what was asked for
 * @param guard equal for calls that would do the same again; see {@link Effect.Plan#guard}
 * @param resource what it held, or null
 * @param key the wait by which a service outside may still answer it, or null
 * @param holds the wait at which the call stays until the doubt is settled, or null if it goes on
 * @param isOver whether the first body cannot run any more: its process is dead, or its thread has ended
 * @param here whether the first body ran in the process that writes this: when that process is dead, the body is over
 * @param code of the failure that the model is told
 * @param why what is known, for people
 */
public record OpenDoubt(Call call, String guard, @Nullable String resource, @Nullable WaitName key,
        @Nullable WaitName holds, boolean isOver, boolean here, String code,
        String why) {

    /** Refuses null. */
    public OpenDoubt {
        Objects.requireNonNull(call, "call");
        Objects.requireNonNull(guard, "guard");
        Objects.requireNonNull(code, "code");
        Objects.requireNonNull(why, "why");
    }

    /**
     * A doubt with the record that it is about.
     *
     * @param record the key of the record
     * @param about what is in doubt
     */
    public record Of(String record, OpenDoubt about) {}

    /**
     * A call or one step of it.
     *
     * @param session whose, or null outside any session
     * @param turn its number, 0 outside a session
     * @param id of the call
     * @param tool which
     * @param name the tool as models know it
     * @param step which step, or null for the call as a whole
     * @param arguments the final ones; the input of a step
     * @param fingerprint of the tool
     * @param output the schema of its output as {@code JsonSchema.kept} writes it, or null if it has none
     * @param idempotencyKey the name of the effect, as the service behind the tool was given it
     */
    public record Call(@Nullable String session, long turn, String id, ToolId tool, String name,
            @Nullable String step, Json arguments, String fingerprint, @Nullable Json output,
            String idempotencyKey) {}
}

package dev.belay.runtime.process;

import dev.belay.json.FramedHash;
import dev.belay.json.Json;
import dev.belay.runtime.process.engine.ProcessJson;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.SessionId;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A process that is to be started. Immutable: each method returns another one.
 *
 * <p>Work, recovery and id say which process it is; who may handle it does not.
 */
public final class ProcessStart {

    private final ProcessWork work;
    private final Recovery recovery;
    private final @Nullable ProcessId id;
    private final Set<SessionId> grants;

    private ProcessStart(ProcessWork work, Recovery recovery, @Nullable ProcessId id, Set<SessionId> grants) {
        this.work = work;
        this.recovery = recovery;
        this.id = id;
        this.grants = grants;
    }

    private static ProcessStart of(ProcessWork work, Recovery recovery) {
        return new ProcessStart(work, recovery, null, Set.of());
    }

    /** Calls a tool of the runtime once, internal ones included. */
    public static ProcessStart tool(String name, Json arguments) {
        return of(new ProcessWork.Tool(name, arguments), Recovery.RERUN);
    }

    /** Says something to a session and waits for the end of the turn. */
    public static ProcessStart turn(String session, String text) {
        return of(new ProcessWork.Turn(new SessionId(session), text), Recovery.RERUN);
    }

    /** Runs a body that the runtime was given under a name. */
    public static ProcessStart body(String name, Json input) {
        return of(new ProcessWork.Body(name, input), Recovery.RERUN);
    }

    /** Stands for work that is done elsewhere, and completed by {@link DurableProcess#complete} or {@link DurableProcess#fail}. */
    public static ProcessStart external(String name, Json input) {
        return of(new ProcessWork.External(name, input), Recovery.EXTERNAL);
    }

    /**
     * Its name, so that starting it again, after a crash or a lost answer, is starting it once. One is drawn if this is not
     * called.
     */
    public ProcessStart id(String newId) {
        return id(new ProcessId(newId));
    }

    public ProcessStart id(ProcessId newId) {
        return new ProcessStart(work, recovery, newId, grants);
    }

    /**
     * What becomes of it if its owner dies; {@link Recovery#RERUN} by default. {@link Recovery#NEVER} is for tools and bodies: a
     * turn goes on as its session says, and external work is {@link Recovery#EXTERNAL} and nothing else.
     */
    public ProcessStart recovery(Recovery newRecovery) {
        boolean fits = switch (work) {
            case ProcessWork.Tool tool -> newRecovery != Recovery.EXTERNAL;
            case ProcessWork.Body body -> newRecovery != Recovery.EXTERNAL;
            case ProcessWork.Turn turn -> newRecovery == Recovery.RERUN;
            case ProcessWork.External external -> newRecovery == Recovery.EXTERNAL;
            case ProcessWork.Unreadable unreadable -> false;
        };
        if (!fits) {
            throw new IllegalArgumentException("a process that is " + work.getClass().getSimpleName()
                    + " cannot have the recovery " + newRecovery
                    + "; tools and bodies have RERUN or NEVER, turns RERUN, external work EXTERNAL");
        }
        return new ProcessStart(work, newRecovery, id, grants);
    }

    /** Lets a session handle it and be told of its end; may be called several times. */
    public ProcessStart grantTo(String session) {
        return grantTo(new SessionId(session));
    }

    /** Lets a session handle it and be told of its end; may be called several times. */
    public ProcessStart grantTo(SessionId session) {
        var more = new LinkedHashSet<>(grants);
        more.add(Objects.requireNonNull(session, "session"));
        return new ProcessStart(work, recovery, id, more);
    }

    public ProcessWork work() {
        return work;
    }

    public Recovery recovery() {
        return recovery;
    }

    public @Nullable ProcessId id() {
        return id;
    }

    public Set<SessionId> grants() {
        return grants;
    }

    /** The record of what it is to do; {@code resource_limit} if it is too large. */
    public Json content() {
        return ProcessJson.bounded("what a process starts from", Json.write(out -> out.beginObject()
                .name("recovery")
                .value(recovery.name())
                .name("work")
                .value(work.toJson())
                .endObject()));
    }

    public static ProcessStart of(ProcessId id, Json recorded) {
        return ProcessJson.read("start", recorded, () -> new ProcessStart(
                ProcessWork.of(ProcessJson.field(recorded, "work")),
                Recovery.valueOf(ProcessJson.text(recorded, "recovery")), id, Set.of()));
    }

    /** Identifies the content. */
    public static String hash(Json content) {
        return new FramedHash().add(content.canonical()).hex();
    }
}

package dev.belay.runtime.process;

import dev.belay.json.Json;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.SessionProfile;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The start of a process: its work, agent, recovery, id and grants. Immutable: each method returns a changed copy.
 *
 * <p>Work, agent, recovery and id identify the process; grants do not.
 */
public final class ProcessStart {

    private final ProcessWork work;
    private final @Nullable String agent;
    private final Recovery recovery;
    private final @Nullable ProcessId id;
    private final Set<SessionId> grants;

    private ProcessStart(ProcessWork work, @Nullable String agent, Recovery recovery, @Nullable ProcessId id,
            Set<SessionId> grants) {
        this.work = work;
        this.agent = agent;
        this.recovery = recovery;
        this.id = id;
        this.grants = grants;
    }

    private static ProcessStart of(ProcessWork work, Recovery recovery) {
        return new ProcessStart(work, null, recovery, null, Set.of());
    }

    /** Calls a tool of the runtime once; the tool may be internal. */
    public static ProcessStart tool(String name, Json arguments) {
        return of(new ProcessWork.Tool(name, arguments), Recovery.RERUN);
    }

    /** Submits a text to a session and waits for the end of the turn. */
    public static ProcessStart turn(String session, String text) {
        return of(new ProcessWork.Turn(new SessionId(session), text), Recovery.RERUN);
    }

    /** Runs a body that was given to the builder under this name. */
    public static ProcessStart body(String name, Json input) {
        return of(new ProcessWork.Body(name, input), Recovery.RERUN);
    }

    /** Waits for external work, which ends by {@link DurableProcess#complete} or {@link DurableProcess#fail}. */
    public static ProcessStart external(String name, Json input) {
        return of(new ProcessWork.External(name, input), Recovery.EXTERNAL);
    }

    /**
     * Sets the id. Starting the same id again, after a crash or a lost answer, finds the same process. Without this call the id is
     * random.
     */
    public ProcessStart id(String newId) {
        return id(new ProcessId(newId));
    }

    /** Sets the id. */
    public ProcessStart id(ProcessId newId) {
        return new ProcessStart(work, agent, recovery, newId, grants);
    }

    /**
     * Sets the agent whose tools it uses: a runtime that defines that agent runs it. Without this call it is {@code default}, or
     * the agent of the call that starts the process. The policy of that call's session decides about the process too.
     */
    public ProcessStart agent(String name) {
        return new ProcessStart(work, SessionProfile.requireAgent(name), recovery, id, grants);
    }

    /**
     * Sets what happens if its owner dies; {@link Recovery#RERUN} by default. Tools and bodies may have {@link Recovery#NEVER}. A
     * turn always has {@link Recovery#RERUN}, external work always {@link Recovery#EXTERNAL}.
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
            throw new IllegalArgumentException("a process of the work " + work.getClass().getSimpleName()
                    + " cannot have the recovery " + newRecovery
                    + "; tools and bodies have RERUN or NEVER, turns RERUN, external work EXTERNAL");
        }
        return new ProcessStart(work, agent, newRecovery, id, grants);
    }

    /** Grants it to a session, which may handle it and gets a notice of its end; may be called several times. */
    public ProcessStart grantTo(String session) {
        return grantTo(new SessionId(session));
    }

    /** Grants it to a session, which may handle it and gets a notice of its end; may be called several times. */
    public ProcessStart grantTo(SessionId session) {
        var more = new LinkedHashSet<>(grants);
        more.add(Objects.requireNonNull(session, "session"));
        return new ProcessStart(work, agent, recovery, id, Collections.unmodifiableSet(more));
    }

    /** Its work. */
    public ProcessWork work() {
        return work;
    }

    /** The agent that was set; null for {@code default}, or that of the call that starts the process. */
    public @Nullable String agent() {
        return agent;
    }

    /** What happens if its owner dies. */
    public Recovery recovery() {
        return recovery;
    }

    /** The id that was set; null for a random one. */
    public @Nullable ProcessId id() {
        return id;
    }

    /** The sessions it is granted to. */
    public Set<SessionId> grants() {
        return grants;
    }
}

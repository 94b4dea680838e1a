package dev.belay.runtime.operate;

import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.effect.WaitState;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.AgentKinds;
import dev.belay.runtime.store.journal.Awaiting;
import dev.belay.runtime.store.journal.Pause;
import dev.belay.runtime.store.law.OperatorReads.ActiveScope;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a turn or process waits for.
 *
 * @param what for what
 * @param since when
 * @param until when it goes on in any case, or null
 * @param detail the agent, the round, the resource, the names of the waits, or an empty text
 */
public record WaitsFor(For what, Instant since, @Nullable Instant until, String detail) {

    /** For what something waits. */
    public enum For {
        /** A process that takes it: it is ready, or the process that ran it has died. */
        PROCESS,
        /** The same, and this runtime does not define its agent. */
        AGENT,
        /** The end of calls that run, or of a question to a model that is a few seconds old: a living process is at work. */
        WORK,
        /** The answer of a model. With {@link #until}, the model did not answer, and is asked again then. */
        MODEL,
        /** A build of a plugin that can read what is kept for it; the detail has plugin and versions. */
        PLUGIN,
        /** A program that is configured so that it can enter the turn; the detail says what is wrong with the last one that tried. */
        CONFIGURATION,
        /** A resource that another call holds. */
        RESOURCE,
        /** The program that owns its loop. */
        PROGRAM,
        /** The completion of a call. */
        COMPLETION,
        /** A person who says whether a call may run; see {@link Approvals}. */
        APPROVAL,
        /** A person who says whether a call happened; see {@link Doubts}. */
        DOUBT,
        /** An event, a signal, the end of a process or a turn, or work outside. */
        EVENT,
        /** A time: a durable sleep. */
        TIME,
        /** The end of a pause. */
        PAUSE,
        /** An operator, who retries or abandons it. */
        OPERATOR
    }

    /**
     * What a scope waits for that has not ended.
     *
     * @param agents which this program defines; empty if it runs nothing, so that each agent may be defined elsewhere
     * @param sessions whose pause holds it: that of the turn, or those whose call started the process
     */
    public static WaitsFor of(ActiveScope scope, Set<String> agents, List<String> sessions) {
        return switch (scope.status()) {
            case STUCK -> new WaitsFor(For.OPERATOR, scope.since(), null, "");
            case PARKED -> parked(scope);
            case READY, RUNNING, ENDED -> scope.status() == Status.RUNNING && !scope.left()
                    ? running(scope)
                    : ready(scope, agents, sessions);
        };
    }

    private static WaitsFor running(ActiveScope scope) {
        Awaiting thing = scope.awaiting();
        return thing == null
                ? new WaitsFor(For.WORK, scope.since(), null, "")
                : new WaitsFor(thing.what() == Awaiting.Thing.MODEL ? For.MODEL : For.RESOURCE, thing.since(),
                        null, thing.name());
    }

    private static WaitsFor ready(ActiveScope scope, Set<String> agents, List<String> sessions) {
        if (TurnScope.isOpen(scope.kind())) {
            return new WaitsFor(For.PROGRAM, scope.since(), null, "");
        }
        String agent = AgentKinds.agent(scope.kind()).orElse("");
        for (Pause pause : scope.pauses()) {
            boolean holds = switch (pause.target().type()) {
                case EVERYTHING -> true;
                case AGENT -> pause.target().name().equals(agent);
                case SESSION -> sessions.contains(pause.target().name());
                case TOOL -> false; // holds calls, and no scope that has not begun
            };
            if (holds) {
                return new WaitsFor(For.PAUSE, pause.since(), null, pause.target().toString());
            }
        }
        boolean known = agent.isEmpty() || agents.isEmpty() || agents.contains(agent);
        return new WaitsFor(known ? For.PROCESS : For.AGENT, scope.since(), null, agent);
    }

    private static WaitsFor parked(ActiveScope scope) {
        Awaiting model = scope.awaiting();
        if (model != null) {
            return new WaitsFor(switch (model.what()) {
                case PLUGIN -> For.PLUGIN;
                case CONFIGURATION -> For.CONFIGURATION;
                case MODEL, RESOURCE -> For.MODEL;
            }, model.since(), scope.wakeAt(), model.name());
        }
        Instant until = Stream.concat(scope.waits().stream().map(WaitState::deadline),
                Stream.ofNullable(scope.wakeAt()))
                .filter(Objects::nonNull)
                .min(Instant::compareTo)
                .orElse(null);
        return new WaitsFor(awaited(scope), scope.since(), until,
                scope.waits().stream().map(wait -> wait.name().value()).collect(Collectors.joining(", ")));
    }

    private static For awaited(ActiveScope scope) {
        List<WaitState> calls = scope.waits()
                .stream()
                .filter(wait -> wait.kind() == OpenWait.Kind.COMPLETION)
                .toList();
        if (!calls.isEmpty()) {
            return calls.stream().anyMatch(wait -> PendingWaits.isDoubt(wait.name().value()))
                    ? For.DOUBT
                    : calls.stream().anyMatch(wait -> PendingWaits.isAsk(wait.name().value()))
                            ? For.APPROVAL
                            : For.COMPLETION;
        }
        if (!scope.waits().isEmpty()) {
            return For.EVENT;
        }
        if (scope.wakeAt() != null) {
            return For.TIME;
        }
        return TurnScope.isOpen(scope.kind()) ? For.PROGRAM : For.PAUSE;
    }
}

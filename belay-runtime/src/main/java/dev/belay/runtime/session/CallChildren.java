package dev.belay.runtime.session;

import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.Arrived;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.tool.FramedHash;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sessions that a call has made. Their names begin with that of the call, so that they are found also by a process that has
 * not run its body. Thread-safe.
 *
 * @param engine whose sessions
 * @param name what names the call among all calls of all sessions
 */
record CallChildren(SessionEngine engine, String name) {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.turn");

    private static final int CALL_LENGTH = 32;
    private static final int CHILD_LENGTH = 16;
    private static final int PAGE = 100;

    /** Those of a call at a place of a turn. */
    static CallChildren of(SessionEngine engine, ScopeId turn, long round, int index) {
        return new CallChildren(engine, name(turn, round, index));
    }

    /** Names a call. */
    static String name(ScopeId turn, long round, int index) {
        return "child-" + new FramedHash().add(turn.value())
                .add(round)
                .add(index)
                .hex()
                .substring(0, CALL_LENGTH);
    }

    /** The child of a name. */
    SessionId child(String child) {
        return child(name, child);
    }

    /** The child of a name, of a call. */
    static SessionId child(String call, String child) {
        return new SessionId(call + "-" + new FramedHash().add(child).hex().substring(0, CHILD_LENGTH));
    }

    private String prefix() {
        return name + "-";
    }

    /** Why the children of a call end with it; empty if the call has answered, or nobody has stopped it. */
    static Optional<String> whyStopped(EffectScope call, ToolOutcome outcome) {
        return switch (outcome) {
            case ToolOutcome.Cancelled(String reason) -> Optional.of(reason);
            case ToolOutcome.Failure(ToolFailure failure) when failure.code()
                    .equals("tool_completion_timeout") ->
                Optional.of(failure.message());
            case ToolOutcome.Failure(ToolFailure failure) when failure.mayHaveHappened() ->
                call.cancellation().reason();
            default -> Optional.empty();
        };
    }

    /** The call was stopped; so are the turns that it has started, unless they are detached. */
    void stop(String reason) {
        SessionId after = new SessionId(prefix());
        while (true) {
            List<SessionHead> some = engine.sessions(after, PAGE);
            for (SessionHead head : some) {
                if (!head.id().value().startsWith(prefix())) {
                    return;
                }
                new WholeSessions(engine).open(head)
                        .stream()
                        .map(Arrived::arrival)
                        .filter(this::endsWithCall)
                        .forEach(input -> stop(head.id(), input.id(), reason));
            }
            if (some.size() < PAGE) {
                return;
            }
            after = some.getLast().id();
        }
    }

    private boolean endsWithCall(Arrival arrival) {
        return arrival.kind() == Arrival.Kind.INPUT
                && name.equals(TurnInput.of(arrival.content()).call());
    }

    /** Asks one of them to end. What fails is logged: its siblings are stopped all the same. */
    void stop(SessionId child, String input, String reason) {
        try {
            new TurnHandle(engine, child, input, null)
                    .cancel("the call that started it was stopped: " + reason);
        } catch (RuntimeException e) { // its session was deleted, or the store fails
            LOG.warn("A turn of session {} could not be cancelled with the call that started it", child, e);
        }
    }
}

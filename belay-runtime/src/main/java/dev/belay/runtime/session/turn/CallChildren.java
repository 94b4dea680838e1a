package dev.belay.runtime.session.turn;

import dev.belay.BelayException;
import dev.belay.json.FramedHash;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.session.TurnCall;
import dev.belay.runtime.session.inbox.AcceptedInput;
import dev.belay.runtime.session.inbox.Inbox;
import dev.belay.runtime.session.inbox.TurnInput;
import dev.belay.runtime.session.state.TurnState;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.Arrived;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.law.SessionReads;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.call.BodyRunner;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sessions that a call has made. Their names begin with that of the call, so that a process that has not run the body finds
 * them too. Thread-safe.
 *
 * @param store where sessions are kept
 * @param inbox of the sessions
 * @param name of the call among all calls of all sessions
 */
public record CallChildren(Store store, Inbox inbox, String name) {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.turn");

    private static final int CALL_LENGTH = 32;
    private static final int CHILD_LENGTH = 16;
    private static final int PAGE = 100;

    /** Names a call. */
    public static String name(ScopeId turn, long round, int index) {
        return "child-" + new FramedHash().add(turn.value())
                .add(round)
                .add(index)
                .hex()
                .substring(0, CALL_LENGTH);
    }

    /** Those of a call of a turn. */
    public static CallChildren of(TurnServices services, ScopeId turn, long round, int index) {
        return new CallChildren(services.store(), services.inbox(), name(turn, round, index));
    }

    /**
     * Stops those of all calls without an answer if the turn is cancelled: a call in doubt has let its own run on. Called before the turn is
     * committed: after that, a process that dies would leave them running.
     */
    static void stopIfCancelled(SessionTurn turn, TurnState state) {
        turn.scope().cancellation().reason().ifPresent(reason -> {
            for (TurnCall call : turn.calls(state)) {
                if (call.outcome().filter(CallChildren::isAnswer).isEmpty()) {
                    of(turn.services(), turn.start().scope(), call.round(), call.index()).stop(reason);
                }
            }
        });
    }

    /** The child of a name. */
    public SessionId child(String child) {
        return child(name, child);
    }

    /** The child of a name, of a call. */
    public static SessionId child(String call, String child) {
        return new SessionId(call + "-" + new FramedHash().add(child).hex().substring(0, CHILD_LENGTH));
    }

    /**
     * Whether an outcome comes from a body or a resolution. The outcome that the runtime gives a call that was stopped, took too
     * long or is in doubt is no answer.
     */
    public static boolean isAnswer(ToolOutcome outcome) {
        return switch (outcome) {
            case ToolOutcome.Cancelled cancelled -> false;
            case ToolOutcome.Failure(ToolFailure failure) -> switch (failure.source()) {
                case CANCELLATION -> false;
                case RUNTIME -> BodyRunner.isAnswer(failure)
                        || (!isTooLong(failure) && !failure.mayHaveHappened());
                default -> true;
            };
            default -> true;
        };
    }

    private static boolean isTooLong(ToolFailure failure) {
        return failure.code().equals("tool_timeout") || failure.code().equals("tool_completion_timeout");
    }

    /** Why the children of a call end with it; empty if it has answered, or is in doubt and its turn is not cancelled. */
    public static Optional<String> whyStopped(EffectScope call, ToolOutcome outcome) {
        if (isAnswer(outcome)) {
            return Optional.empty();
        }
        return switch (outcome) {
            case ToolOutcome.Cancelled(String reason) -> Optional.of(reason);
            case ToolOutcome.Failure(ToolFailure failure) when isTooLong(failure) ->
                Optional.of(failure.message());
            default -> call.cancellation().reason();
        };
    }

    /**
     * Stops the turns that the call has started, unless they are detached.
     *
     * @throws JournalException if the store could not be asked for one of them; the others are stopped all the same
     */
    public void stop(String reason) {
        stop(own(), reason);
    }

    /** Stops the turns that the call has started in one session. */
    public void stop(SessionId child, String reason) {
        stop(store.read(SessionReads.head(child)).stream().toList(), reason);
    }

    /** Whether a session is named after the call. */
    private boolean isOwn(SessionId session) {
        return session.value().startsWith(name + "-");
    }

    private List<SessionHead> own() {
        List<SessionHead> own = new ArrayList<>();
        SessionId after = new SessionId(name + "-");
        while (true) {
            List<SessionHead> some = store.read(SessionReads.heads(after, PAGE));
            some.stream().filter(head -> isOwn(head.id())).forEach(own::add);
            if (some.size() < PAGE || !isOwn(some.getLast().id())) {
                return own;
            }
            after = some.getLast().id();
        }
    }

    private void stop(List<SessionHead> children, String reason) {
        JournalException fault = null;
        for (SessionHead child : children) {
            for (Arrived open : inbox.open(child)) {
                try {
                    if (endsWithCall(open.arrival())) {
                        new AcceptedInput(inbox, child.id(), open.arrival().id(), null)
                                .stop("the call that started it was stopped: " + reason);
                    }
                } catch (JournalException e) {
                    fault = e;
                } catch (BelayException e) { // it is over, its session was deleted, or it cannot be read
                    LOG.warn("A turn of session {} could not be cancelled with the call that started it",
                            child.id(), e);
                }
            }
        }
        if (fault != null) {
            throw fault;
        }
    }

    private boolean endsWithCall(Arrival arrival) {
        return arrival.kind() == Arrival.Kind.INPUT
                && name.equals(TurnInput.of(arrival.content()).call());
    }
}

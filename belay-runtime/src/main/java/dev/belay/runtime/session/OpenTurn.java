package dev.belay.runtime.session;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.runtime.session.hosted.BegunTurn;
import dev.belay.runtime.session.hosted.HostedTurn;
import dev.belay.runtime.session.inbox.TurnStart;
import dev.belay.runtime.store.SessionId;
import dev.belay.tool.context.Cancellation;
import dev.belay.toolset.StepRequest;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A turn of a session whose loop is yours: the steps, rounds and commits of a transcript, recorded like those of the runtime's
 * own loop. Run the same code again after a crash and it goes on where it was: recorded steps come back, recorded calls are
 * answered without running their bodies, and a body with side effects that was started and left no outcome is in doubt.
 *
 * <p>For one thread, but for the calls of a round, which any thread may run. Close it: a turn whose last step has finished or was
 * refused is committed by that, any other stays open until {@link Session#begin} with the same input id.
 */
public final class OpenTurn implements AutoCloseable {

    private final TurnStart start;
    private final @Nullable HostedTurn own;
    private TurnResult.@Nullable Ended result;

    /** A loop of your own that goes on with turns which wait for it. Called by many threads, one for each turn. */
    @FunctionalInterface
    public interface Loop {

        /**
         * Goes on with a turn, from the top: steps and calls that are recorded are answered. Return when the turn is finished or
         * parked. A turn that is neither stays open and is not given to this loop again. A loop that throws is run again some
         * times, and then the turn is stuck.
         */
        void run(OpenTurn turn) throws Exception;
    }

    /** Made by the runtime. */
    public OpenTurn(BegunTurn begun) {
        start = begun.start();
        own = begun.running();
        result = begun.result();
    }

    /** The session it is in. */
    public SessionId session() {
        return start.session();
    }

    /** Its number. */
    public long turn() {
        return start.turn();
    }

    /** The id of its input; {@link Session#begin} with it finds this turn again. */
    public String inputId() {
        return start.inputId();
    }

    /**
     * Starts a request to the session's model, exactly like the step of a transcript: with a set of tools, for a typed answer, with
     * a budget. Inputs that have come to the session meanwhile are added to what the model reads.
     *
     * <p>Running it throws {@code turn_cancelled} if the turn was cancelled, and {@code turn_ended} if it was committed. If the model
     * fails in a way that may pass, it throws a {@link dev.belay.model.ModelException} {@code model_unavailable} that says when the next
     * try is due; the model is not asked before. What else the model's client throws is thrown as it is, and it may be asked again.
     */
    public StepRequest<String> step() {
        return running().loop().step();
    }

    /** The conversation so far, this turn included. */
    public List<Message> messages() {
        return running().loop().messages();
    }

    /** Whether the turn was cancelled; the next step throws if so. */
    public Cancellation cancellation() {
        HostedTurn turn = running();
        return () -> Optional.ofNullable(turn.handoff().scope())
                .flatMap(scope -> scope.cancellation().reason());
    }

    /** How it ended, once it was committed. */
    public Optional<TurnResult.Ended> result() {
        return Optional.ofNullable(result);
    }

    /**
     * Commits the turn with the model's last answer.
     *
     * @throws BelayException {@code turn_unfinished} if the model's last word is not an answer
     */
    public TurnResult.Ended finish() {
        HostedTurn turn = running();
        return finish(turn.conclusion()
                .orElseThrow(() -> new BelayException("turn_unfinished", "turn "
                        + turn() + " of session " + session()
                        + " has no answer to end with; ask for a step that finishes,"
                        + " give a value with finish(value), or abandon it")));
    }

    /** Commits the turn with a value of your own. */
    public TurnResult.Ended finish(Json value) {
        return finish(new TurnEnd.Finished("", Objects.requireNonNull(value, "value")));
    }

    private TurnResult.Ended finish(TurnEnd end) {
        TurnResult.Ended committed = running().finish(end);
        result = committed;
        return committed;
    }

    /** Commits the turn as given up: rounds that were recorded stay in the conversation, and every call has an answer. */
    public TurnResult.Ended abandon(String reason) {
        TurnResult.Ended committed = running().abandon(Objects.requireNonNull(reason, "reason"));
        result = committed;
        return committed;
    }

    private HostedTurn running() {
        if (own == null) {
            throw new BelayException("turn_ended", "turn " + turn() + " of session " + session()
                    + " was committed; result() says how it ended");
        }
        return own;
    }

    /**
     * Commits the turn if its last step has ended it; otherwise lets go of it, once calls that run have ended. A turn that is parked
     * or was committed stays so.
     *
     * @throws BelayException {@code turn_lost} if it has an answer that cannot be committed any more
     */
    @Override
    public void close() {
        if (own == null) {
            return;
        }
        Optional<TurnEnd> end = own.conclusion();
        if (end.isPresent()) {
            own.requireNotLost();
        }
        if (own.isOver()) {
            return;
        }
        if (end.isPresent()) {
            finish(end.get());
        } else {
            own.rest();
        }
    }
}

package dev.belay.runtime.session;

import dev.belay.runtime.effect.CancelReceipt;
import dev.belay.runtime.session.inbox.AcceptedInput;
import dev.belay.runtime.store.Actor;
import java.time.Duration;
import java.util.Optional;

/** An input that was accepted. Holds no state: {@link Session#input} makes it again. Thread-safe. */
public final class InputHandle {

    private final AcceptedInput input;
    private final Actor by;

    InputHandle(AcceptedInput input, Actor by) {
        this.input = input;
        this.by = by;
    }

    /** The id of the input. */
    public String inputId() {
        return input.id();
    }

    /** The turn it is in; empty while it waits for one. A turn takes an input for good when it commits. */
    public Optional<Long> turn() {
        return input.turn();
    }

    /** The result of its turn; empty until that was committed. */
    public Optional<TurnResult.Ended> result() {
        return input.result();
    }

    /**
     * Waits until its turn has ended or rests. The turn may be another one that was under way: an input that joined it has its result, and one
     * that waits behind it rests on its waits.
     *
     * @throws dev.belay.BelayException {@code session_stuck} if the turn cannot go on by itself
     */
    public TurnResult await() throws InterruptedException {
        return input.await();
    }

    /**
     * Waits for that, but no longer than the given time; the turn goes on, and can be awaited again.
     *
     * @return empty if it goes on then
     * @throws dev.belay.BelayException {@code session_stuck} if the turn cannot go on by itself
     */
    public Optional<TurnResult> await(Duration most) throws InterruptedException {
        return input.await(most);
    }

    /**
     * Waits until its turn was committed, however long it rests. Say somewhere what it waits for: this method does not.
     *
     * @throws dev.belay.BelayException {@code session_stuck} if the turn cannot go on by itself
     */
    public TurnResult.Ended awaitCommit() throws InterruptedException {
        return input.awaitCommit();
    }

    /**
     * Asks the turn it is in to end, or takes the input back if it waits for a turn ({@link Session#withdraw}). It is in a turn once a model
     * is asked with it. Leaves a row in the audit log.
     * Ordered against the commit: after that the answer is {@link CancelReceipt.AlreadyEnded} with the result.
     */
    public CancelReceipt cancel(String reason) {
        return input.cancel(reason, by);
    }
}

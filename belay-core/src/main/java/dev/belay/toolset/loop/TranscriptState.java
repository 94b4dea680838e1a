package dev.belay.toolset.loop;

import dev.belay.model.Message;
import dev.belay.model.MessageLog;
import dev.belay.model.ModelResponse;
import dev.belay.model.Usage;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a loop, their version and what they cost.
 *
 * <p>Thread-safe: each change is atomic, and a commit to another version is refused.
 */
public final class TranscriptState {

    private final RoundBackend backend;
    /** Everything, in the order it was added; the same log as the next one as long as nothing is ephemeral. */
    private MessageLog all;
    /** The messages that stay when the coming step is committed. */
    private MessageLog lasting;
    private long version;
    private int rounds;
    private Usage usage = Usage.of(0, 0);
    private @Nullable ModelResponse last;

    /**
     * Starts from a past.
     *
     * @param backend runs the calls
     * @param past the messages so far
     */
    public TranscriptState(RoundBackend backend, List<Message> past) {
        this.backend = backend;
        this.all = MessageLog.of(past);
        this.lasting = all;
    }

    /** The same messages and round number with another backend; usage starts at nothing. */
    public synchronized TranscriptState fork(RoundBackend other) {
        var fork = new TranscriptState(other, lasting);
        fork.all = all;
        fork.rounds = rounds;
        return fork;
    }

    /** Adds a message that stays. */
    public synchronized void add(Message message) {
        MessageLog more = lasting.append(message);
        all = all.size() == lasting.size() ? more : all.append(message);
        lasting = more;
        version++;
    }

    /** Adds a message that leaves when the coming step is committed. */
    public synchronized void ephemeral(Message message) {
        all = all.append(message);
        version++;
    }

    /** All messages, ephemeral ones included. */
    public synchronized List<Message> messages() {
        return all;
    }

    /** The number of changes so far. */
    public synchronized long version() {
        return version;
    }

    /** The cost of all steps, failed ones included. */
    public synchronized Usage usage() {
        return usage;
    }

    /** The model's newest whole response. */
    public synchronized Optional<ModelResponse> lastResponse() {
        return Optional.ofNullable(last);
    }

    /** Runs the calls. */
    public RoundBackend backend() {
        return backend;
    }

    synchronized int nextRound() {
        return rounds++;
    }

    /** Adds messages that a host took in while the model was asked. They stand before the answer and make no step stale. */
    synchronized void join(int round, List<Message> messages) {
        rounds = round;
        lasting = lasting.append(messages);
        all = lasting;
    }

    synchronized void spent(Usage more) {
        usage = usage.plus(more);
    }

    synchronized void responded(ModelResponse response) {
        last = response;
    }

    /**
     * Appends the messages of a step and drops ephemeral ones.
     *
     * @return false, with nothing done, if the version is another
     */
    synchronized boolean commit(long expected, List<? extends Message> messages) {
        if (version != expected) {
            return false;
        }
        lasting = lasting.append(messages);
        all = lasting;
        version++;
        return true;
    }
}

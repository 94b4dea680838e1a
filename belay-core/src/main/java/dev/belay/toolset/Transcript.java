package dev.belay.toolset;

import dev.belay.model.Message;
import dev.belay.model.MessageLog;
import dev.belay.model.Model;
import dev.belay.model.ModelResponse;
import dev.belay.model.Usage;
import dev.belay.tool.context.Incarnation;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Messages in your hands. Steps are asked on it and rounds are committed to it; every change makes a new version, and a round
 * belongs to the version it was asked on.
 *
 * <p>Thread-safe in the sense that a change is whole and a commit to another version is refused; who says what in which order is
 * up to one owner.
 */
public final class Transcript {

    private final Incarnation incarnation;
    private final RoundBackend ground;
    /** Everything, in the order it was added; the same log as the next one as long as nothing is ephemeral. */
    private MessageLog all;
    /** What stays when the coming step is committed. */
    private MessageLog lasting;
    private long version;
    private int rounds;
    private Usage usage = Usage.of(0, 0);
    private @Nullable ModelResponse last;

    private Transcript(Incarnation incarnation, MessageLog all, MessageLog lasting) {
        this.incarnation = incarnation;
        this.ground = new PlainBackend(this);
        this.all = all;
        this.lasting = lasting;
    }

    /** An empty transcript. */
    public Transcript() {
        this(Incarnation.random());
    }

    /** For tests: the same incarnation in two transcripts gives different effects the same idempotency keys. */
    Transcript(Incarnation incarnation) {
        this(incarnation, MessageLog.empty(), MessageLog.empty());
    }

    /** One whose steps and calls somebody else runs. */
    Transcript(RoundBackend hosted, List<Message> past) {
        incarnation = Incarnation.random();
        ground = hosted;
        all = MessageLog.of(past);
        lasting = all;
    }

    /** Adds an instruction. */
    public Transcript system(String text) {
        return add(Message.system(text));
    }

    /** Adds what the user says. */
    public Transcript user(String text) {
        return add(Message.user(text));
    }

    /** Adds a message. */
    public synchronized Transcript add(Message message) {
        MessageLog more = lasting.append(message);
        all = all.size() == lasting.size() ? more : all.append(message);
        lasting = more;
        version++;
        return this;
    }

    /** Adds a message that is sent with the coming step and leaves when that step is committed; a failed step keeps it. */
    public synchronized Transcript ephemeral(Message message) {
        all = all.append(message);
        version++;
        return this;
    }

    /** All messages, ephemeral ones included. */
    public synchronized List<Message> messages() {
        return all;
    }

    /** The number of changes so far. */
    public synchronized long version() {
        return version;
    }

    /** What all steps on this transcript have spent, failed ones included; a fork starts at nothing. */
    public synchronized Usage usage() {
        return usage;
    }

    /** The model's newest whole response. */
    public synchronized Optional<ModelResponse> lastResponse() {
        return Optional.ofNullable(last);
    }

    /** The bits that keep its idempotency keys apart from those of other transcripts. */
    public Incarnation incarnation() {
        return incarnation;
    }

    /** Another transcript with the same past; from here on each goes its own way. */
    public Transcript fork() {
        return fork(Incarnation.random());
    }

    /** For tests, as above. */
    synchronized Transcript fork(Incarnation other) {
        var fork = new Transcript(other, all, lasting);
        fork.rounds = rounds;
        return fork;
    }

    /** Starts a request to a model. */
    public StepRequest<String> step(Model model) {
        return StepRequest.of(this, model);
    }

    RoundBackend ground() {
        return ground;
    }

    synchronized int nextRound() {
        return rounds++;
    }

    /** What a host took in while the model was asked: stands before the answer, and makes no step stale. */
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

    /** Appends what a step decided and lets ephemeral messages go; does nothing and says so if the version is another. */
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

package dev.belay.toolset;

import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelResponse;
import dev.belay.model.Usage;
import dev.belay.tool.context.Incarnation;
import dev.belay.toolset.loop.PlainBackend;
import dev.belay.toolset.loop.TranscriptState;
import java.util.List;
import java.util.Optional;

/**
 * Messages in your hands. Steps are asked on it and rounds are committed to it; every change makes a new version, and a round
 * belongs to the version it was asked on.
 *
 * <p>Thread-safe: each change is atomic, and a commit to another version is refused. One owner decides the order of messages.
 */
public final class Transcript {

    private final Incarnation incarnation;
    private final TranscriptState state;

    private Transcript(Incarnation incarnation, TranscriptState state) {
        this.incarnation = incarnation;
        this.state = state;
    }

    /** An empty transcript. */
    public Transcript() {
        this(Incarnation.random());
    }

    /** For tests: the same incarnation in two transcripts gives different effects the same idempotency keys. */
    Transcript(Incarnation incarnation) {
        this(incarnation, new TranscriptState(new PlainBackend(incarnation), List.of()));
    }

    /** Adds an instruction. */
    public Transcript system(String text) {
        return add(Message.system(text));
    }

    /** Adds a message of the user. */
    public Transcript user(String text) {
        return add(Message.user(text));
    }

    /** Adds a message. */
    public Transcript add(Message message) {
        state.add(message);
        return this;
    }

    /** Adds a message that is sent with the coming step and leaves when that step is committed; a failed step keeps it. */
    public Transcript ephemeral(Message message) {
        state.ephemeral(message);
        return this;
    }

    /** All messages, ephemeral ones included. */
    public List<Message> messages() {
        return state.messages();
    }

    /** The number of changes so far. */
    public long version() {
        return state.version();
    }

    /** The cost of all steps on this transcript, failed ones included; a fork starts at nothing. */
    public Usage usage() {
        return state.usage();
    }

    /** The model's newest whole response. */
    public Optional<ModelResponse> lastResponse() {
        return state.lastResponse();
    }

    /** The bits that keep its idempotency keys apart from those of other transcripts. */
    public Incarnation incarnation() {
        return incarnation;
    }

    /** Another transcript with the same past; later changes of one do not reach the other. */
    public Transcript fork() {
        return fork(Incarnation.random());
    }

    /** For tests, as above. */
    Transcript fork(Incarnation other) {
        return new Transcript(other, state.fork(new PlainBackend(other)));
    }

    /** Starts a request to a model. */
    public StepRequest<String> step(Model model) {
        return StepRequest.of(state, model);
    }
}

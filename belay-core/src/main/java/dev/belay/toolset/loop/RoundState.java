package dev.belay.toolset.loop;

import dev.belay.model.Message;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.ReplyPart;
import dev.belay.tool.call.Arguments;
import dev.belay.tool.context.CallId;
import dev.belay.tool.context.HostValues;
import dev.belay.toolset.CommitException;
import dev.belay.toolset.CommitException.Problem;
import dev.belay.toolset.RoundEnd;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * One assistant message with calls, from the answer to the commit.
 *
 * <p>Concurrency: calls of a round may be run by several threads, so inputs after hooks are kept in an atomic array; the
 * transcript is changed only by {@code commit}, which compares its version and appends in one step. A round is open until it is
 * committed or discarded, exactly once.
 */
public final class RoundState {

    private static final Problem STALE = new Problem("stale_round", null,
            "the transcript has changed since this round was asked for; discard the round and ask again");

    private enum Phase {
        OPEN, COMMITTED, PARKED, DISCARDED
    }

    private final TranscriptState transcript;
    private final RoundBackend backend;
    private final long version;
    private final int number;
    private final Message.AssistantMessage message;
    private final List<CallPart> parts;
    private final HostValues host;
    private final AtomicReferenceArray<@Nullable Object> inputs;
    /** The model's arguments as they were read; null for a call that cannot be run, and once a hook has edited the input. */
    private final AtomicReferenceArray<Arguments.@Nullable Valid> decoded;
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.OPEN);

    /**
     * Starts open.
     *
     * @param version of the transcript when the model was asked
     */
    RoundState(TranscriptState transcript, long version, int number, Message.AssistantMessage message,
            HostValues host) {
        this.transcript = transcript;
        this.backend = transcript.backend();
        this.version = version;
        this.number = number;
        this.message = message;
        this.parts = message.calls();
        this.host = host;
        this.inputs = new AtomicReferenceArray<>(parts.size());
        this.decoded = new AtomicReferenceArray<>(parts.size());
    }

    public Message.AssistantMessage message() {
        return message;
    }

    public CallPart part(int index) {
        return parts.get(index);
    }

    public CallId callId(int index) {
        return new CallId(parts.get(index).id());
    }

    public HostValues host() {
        return host;
    }

    public int number() {
        return number;
    }

    /** The input of a call after the hooks so far. */
    public @Nullable Object input(int index) {
        return inputs.get(index);
    }

    void input(int index, Object leaf) {
        inputs.set(index, leaf);
    }

    void decoded(int index, Arguments.Valid arguments) {
        decoded.set(index, arguments);
    }

    /** The model's arguments as they were read, or null if a hook has put another input in their place. */
    Arguments.@Nullable Valid decoded(int index) {
        return decoded.get(index);
    }

    /** A hook has put another input in the place of the model's. */
    public void edited(int index) {
        decoded.set(index, null);
    }

    /** Whether a person has decided on the input of a call: hooks may end it, and do not change it. */
    public boolean isApproved(int index) {
        LoopHost.Decided decided = backend.decided(index);
        return decided != null && decided.proposed() != null;
    }

    private boolean isStale() {
        return transcript.version() != version || !backend.isCurrent(number);
    }

    /** Runs the body of a call. */
    public CallReply run(int index, ToolEntry<?> entry, RoundBackend.Body body) {
        return backend.run(this, index, entry, body);
    }

    public void discard() {
        phase.compareAndSet(Phase.OPEN, Phase.DISCARDED);
    }

    /** Refuses a round that is no longer open, or that can never be committed: nothing must run for it. */
    public void requireOpen() {
        if (phase.get() != Phase.OPEN) {
            throw new CommitException(List.of(closed()));
        }
        if (isStale()) {
            throw new CommitException(List.of(STALE));
        }
    }

    /**
     * Checks every reply, and only if all is well appends the assistant's message and the replies in its order.
     *
     * @param given replies of the caller
     * @param decided replies that hooks made
     * @param automatic replies to issues, used where the caller gives none
     */
    public RoundEnd commit(Collection<@Nullable CallReply> given, Collection<CallReply> decided,
            Collection<CallReply> automatic) {
        List<Problem> problems = new ArrayList<>();
        if (phase.get() != Phase.OPEN) {
            problems.add(closed());
        } else if (isStale()) {
            problems.add(STALE);
        }
        @Nullable
        CallReply[] replies = new CallReply[parts.size()];
        decided.forEach(reply -> place(replies, reply, problems));
        given.forEach(reply -> place(replies, reply, problems));
        automatic.forEach(reply -> {
            if (replies[reply.index()] == null) {
                replies[reply.index()] = reply;
            }
        });
        for (int i = 0; i < replies.length; i++) {
            if (replies[i] == null) {
                problems.add(new Problem("missing_reply", callId(i),
                        "call " + callId(i) + " of " + parts.get(i).name() + " has no reply"));
            }
        }
        if (!problems.isEmpty()) {
            throw new CommitException(problems);
        }
        return append(Arrays.stream(replies).map(Objects::requireNonNull).toList());
    }

    private RoundEnd append(List<CallReply> replies) {
        // the phase decides between commit and discard, the transcript between two rounds of one version
        if (!phase.compareAndSet(Phase.OPEN, Phase.COMMITTED)) {
            throw new CommitException(List.of(closed()));
        }
        boolean done = false;
        try {
            List<ReplyPart> texts = backend.settle(this, replies).orElse(null);
            if (texts == null) {
                phase.set(Phase.PARKED);
                done = true;
                return new RoundEnd.Parked(replies.stream()
                        .filter(reply -> reply.outcome() == null)
                        .map(CallReply::callId)
                        .toList(), transcript.backend().waits());
            }
            if (!transcript.commit(version, List.of(message, new Message.ToolMessage(texts)))) {
                throw new CommitException(List.of(STALE));
            }
            done = true;
            return new RoundEnd.Committed(texts);
        } finally {
            if (!done) {
                phase.set(Phase.OPEN);
            }
        }
    }

    private void place(@Nullable CallReply[] replies, @Nullable CallReply reply,
            List<Problem> problems) {
        if (reply == null) {
            problems.add(new Problem("missing_reply", null, "a reply is null"));
        } else if (reply.round() != this) {
            problems.add(new Problem("foreign_reply", reply.callId(),
                    "the reply to " + reply.callId() + " belongs to another round"));
        } else if (replies[reply.index()] != null) {
            problems.add(new Problem("duplicate_reply", reply.callId(),
                    "call " + reply.callId() + " of " + reply.toolName() + " has a second reply"));
        } else {
            replies[reply.index()] = reply;
        }
    }

    private Problem closed() {
        return new Problem("round_closed", null, switch (phase.get()) {
            case COMMITTED -> "this round was committed already";
            case PARKED -> "this round waits for calls; begin the turn again when they are settled";
            case OPEN, DISCARDED -> "this round was discarded";
        });
    }
}

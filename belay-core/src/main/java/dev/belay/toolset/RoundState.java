package dev.belay.toolset;

import dev.belay.model.Message;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.ReplyPart;
import dev.belay.tool.context.CallId;
import dev.belay.tool.context.HostValues;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * What a round, its plans, its calls and its replies share.
 *
 * <p>Concurrency: calls of a round may be run by several threads, so inputs after hooks are kept in an atomic array; the
 * ground itself is touched only by {@code commit}, which compares its version and appends in one step. A round is open until it is committed or discarded, exactly once.
 */
final class RoundState {

    private enum Phase {
        OPEN, COMMITTED, PARKED, DISCARDED
    }

    private final RoundBackend ground;
    private final long version;
    private final int number;
    private final Message.AssistantMessage message;
    private final List<CallPart> parts;
    private final HostValues host;
    private final AtomicReferenceArray<@Nullable Object> inputs;
    private final Set<Integer> edited = ConcurrentHashMap.newKeySet();
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.OPEN);

    /**
     * Starts open.
     *
     * @param version of the ground when the model was asked
     */
    RoundState(RoundBackend ground, long version, int number, Message.AssistantMessage message,
            HostValues host) {
        this.ground = ground;
        this.version = version;
        this.number = number;
        this.message = message;
        this.parts = message.calls();
        this.host = host;
        this.inputs = new AtomicReferenceArray<>(parts.size());
    }

    Message.AssistantMessage message() {
        return message;
    }

    CallPart part(int index) {
        return parts.get(index);
    }

    CallId callId(int index) {
        return new CallId(parts.get(index).id());
    }

    HostValues host() {
        return host;
    }

    int number() {
        return number;
    }

    /** The input of a call after the hooks so far. */
    @Nullable
    Object input(int index) {
        return inputs.get(index);
    }

    void input(int index, Object leaf) {
        inputs.set(index, leaf);
    }

    /** A hook has put another input in the place of the model's. */
    void edited(int index) {
        edited.add(index);
    }

    boolean isEdited(int index) {
        return edited.contains(index);
    }

    private boolean isStale() {
        return ground.version() != version || !ground.isCurrent(number);
    }

    ToolReply run(int index, ToolEntry<?> entry, ToolCall.Body<?> body) {
        return ground.run(this, index, entry, body);
    }

    void discard() {
        phase.compareAndSet(Phase.OPEN, Phase.DISCARDED);
    }

    /** Refuses a round that is no longer open, or that can never be committed: nothing must run for it. */
    void requireOpen() {
        if (phase.get() != Phase.OPEN) {
            throw new CommitException(List.of(closed()));
        }
        if (isStale()) {
            throw new CommitException(List.of(CommitProblem.stale()));
        }
    }

    /**
     * Checks every reply, and only if all is well appends the assistant's message and the replies in its order.
     *
     * @param given replies of the caller
     * @param decided replies that hooks made
     * @param automatic replies to issues, used where the caller gives none
     */
    RoundEnd commit(Collection<ToolReply> given, Collection<ToolReply> decided,
            Collection<ToolReply> automatic) {
        List<CommitProblem> problems = new ArrayList<>();
        if (phase.get() != Phase.OPEN) {
            problems.add(closed());
        } else if (isStale()) {
            problems.add(CommitProblem.stale());
        }
        @Nullable
        ToolReply[] replies = new ToolReply[parts.size()];
        decided.forEach(reply -> place(replies, reply, problems));
        given.forEach(reply -> place(replies, reply, problems));
        automatic.forEach(reply -> {
            if (replies[reply.index()] == null) {
                replies[reply.index()] = reply;
            }
        });
        for (int i = 0; i < replies.length; i++) {
            if (replies[i] == null) {
                problems.add(new CommitProblem("missing_reply", callId(i),
                        "call " + callId(i) + " of " + parts.get(i).name() + " has no reply"));
            }
        }
        if (!problems.isEmpty()) {
            throw new CommitException(problems);
        }
        return append(Arrays.stream(replies).map(Objects::requireNonNull).toList());
    }

    private RoundEnd append(List<ToolReply> replies) {
        // the phase decides between commit and discard, the ground between two rounds of one version
        if (!phase.compareAndSet(Phase.OPEN, Phase.COMMITTED)) {
            throw new CommitException(List.of(closed()));
        }
        boolean done = false;
        try {
            List<ReplyPart> texts = ground.settle(this, replies).orElse(null);
            if (texts == null) {
                phase.set(Phase.PARKED);
                done = true;
                return new RoundEnd.Parked(replies.stream()
                        .filter(ToolReply::isWaiting)
                        .map(ToolReply::callId)
                        .toList());
            }
            if (!ground.append(version, List.of(message, new Message.ToolMessage(texts)))) {
                throw new CommitException(List.of(CommitProblem.stale()));
            }
            done = true;
            return new RoundEnd.Committed(texts);
        } finally {
            if (!done) {
                phase.set(Phase.OPEN);
            }
        }
    }

    private void place(@Nullable ToolReply[] replies, @Nullable ToolReply reply,
            List<CommitProblem> problems) {
        if (reply == null) {
            problems.add(new CommitProblem("missing_reply", null, "a reply is null"));
        } else if (reply.round() != this) {
            problems.add(new CommitProblem("foreign_reply", reply.callId(),
                    "the reply to " + reply.callId() + " belongs to another round"));
        } else if (replies[reply.index()] != null) {
            problems.add(new CommitProblem("duplicate_reply", reply.callId(),
                    "call " + reply.callId() + " of " + reply.toolName() + " has a second reply"));
        } else {
            replies[reply.index()] = reply;
        }
    }

    private CommitProblem closed() {
        return new CommitProblem("round_closed", null, switch (phase.get()) {
            case COMMITTED -> "this round was committed already";
            case PARKED -> "this round waits for calls; begin the turn again when they are settled";
            case OPEN, DISCARDED -> "this round was discarded";
        });
    }
}

package dev.belay.toolset;

import dev.belay.schema.Wording;
import dev.belay.toolset.loop.CallReply;
import dev.belay.toolset.loop.RoundState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A round after hooks: what is left for you, what hooks answered, what they refused. Immutable; several plans of one round
 * are committed or discarded together. The newest hooks count: where they edited an input, calls of older plans are refused as
 * {@code wrong_input}.
 *
 * @param <T> the set
 */
public final class RoundPlan<T> implements AutoCloseable {

    private static final int MOST_NAMED = 10;
    private static final int LONGEST_NAME = 64;

    private final RoundState state;
    private final List<ToolCall<T>> pending;
    private final List<HookedCall.Handled<T>> handled;
    private final List<HookedCall.Rejected<T>> rejected;
    private final List<CallIssue> issues;
    private final List<CallReply> ended;

    private RoundPlan(RoundState state, List<ToolCall<T>> pending, List<HookedCall.Handled<T>> handled,
            List<HookedCall.Rejected<T>> rejected, List<CallIssue> issues, List<CallReply> ended) {
        this.state = state;
        this.pending = List.copyOf(pending);
        this.handled = List.copyOf(handled);
        this.rejected = List.copyOf(rejected);
        this.issues = issues;
        this.ended = ended;
    }

    static <T> RoundPlan<T> of(RoundState state, List<ToolCall<T>> calls, List<CallIssue> issues,
            List<CallReply> ended) {
        return new RoundPlan<>(state, calls, List.of(), List.of(), issues, ended);
    }

    /** Calls that you still have to run, in the model's order. */
    public List<ToolCall<T>> pending() {
        return pending;
    }

    /** Calls that hooks answered. */
    public List<HookedCall.Handled<T>> handled() {
        return handled;
    }

    /** Calls that hooks refused or that failed in a hook. */
    public List<HookedCall.Rejected<T>> rejected() {
        return rejected;
    }

    /** Calls that cannot be run. */
    public List<CallIssue> issues() {
        return issues;
    }

    /** Why the model should be asked again although nothing was run, if there were issues. */
    public Optional<String> continueSuggestion() {
        return suggestion(issues);
    }

    /** Applies more hooks, to what is pending. */
    public RoundPlan<T> apply(ToolHooks<T> hooks) {
        state.requireOpen();
        List<ToolCall<T>> left = new ArrayList<>();
        List<HookedCall.Handled<T>> answered = new ArrayList<>(handled);
        List<HookedCall.Rejected<T>> refused = new ArrayList<>(rejected);
        for (ToolCall<T> call : pending) {
            switch (hooks.apply(call)) {
                case HookedCall.Pending<T>(ToolCall<T> next) -> left.add(next);
                case HookedCall.Handled<T> done -> answered.add(done);
                case HookedCall.Rejected<T> stopped -> refused.add(stopped);
            }
        }
        return new RoundPlan<>(state, left, answered, refused, issues, ended);
    }

    /**
     * Puts the message and all replies into the transcript: yours, those of hooks, and the automatic ones. A
     * {@link CommitException} with every problem leaves the round open.
     */
    public RoundEnd commit(Collection<ToolReply> replies) {
        List<CallReply> decided = new ArrayList<>(ended);
        handled.forEach(call -> decided.add(call.reply().reply()));
        rejected.forEach(call -> decided.add(call.reply().reply()));
        List<@Nullable CallReply> given = new ArrayList<>();
        replies.forEach(reply -> given.add(reply == null ? null : reply.reply()));
        return state.commit(given, decided, issues.stream().map(issue -> issue.reply().reply()).toList());
    }

    /** Drops the message; the transcript stays as it was. */
    public void discard() {
        state.discard();
    }

    @Override
    public void close() {
        state.discard();
    }

    static Optional<String> suggestion(List<CallIssue> issues) {
        if (issues.isEmpty()) {
            return Optional.empty();
        }
        String which = issues.stream()
                .limit(MOST_NAMED)
                .map(issue -> Wording.shown(issue.name(), LONGEST_NAME) + " (" + issue.failure().code() + ")")
                .collect(Collectors.joining(", "))
                + (issues.size() > MOST_NAMED ? " and " + (issues.size() - MOST_NAMED) + " more" : "");
        return Optional.of("the model is told what was wrong with " + which
                + "; ask it again so that it can correct it");
    }
}

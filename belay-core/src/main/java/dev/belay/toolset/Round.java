package dev.belay.toolset;

import dev.belay.BelayException;
import dev.belay.toolset.loop.CallReply;
import dev.belay.toolset.loop.RoundState;
import dev.belay.toolset.loop.StepEngine;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * One assistant message with tool calls, not yet in the transcript. Answer every call and {@link #commit}, or let it go:
 * closing a round that was not committed discards it.
 *
 * @param <T> the set
 */
public final class Round<T> implements AutoCloseable {

    private final RoundState state;
    private final List<ToolCall<T>> calls;
    private final List<CallIssue> issues;
    private final List<CallReply> ended;

    Round(StepEngine.Opened<T> opened) {
        this.state = opened.state();
        this.calls = opened.calls().stream().map(ToolCall::new).toList();
        this.issues = opened.issues()
                .entrySet()
                .stream()
                .map(issue -> new CallIssue(state, issue.getKey(), issue.getValue()))
                .toList();
        this.ended = opened.ended();
    }

    /** What the model said beside its calls; empty if nothing. */
    public String text() {
        return state.message().text();
    }

    /** The calls that can be run, in the model's order. */
    public List<ToolCall<T>> calls() {
        return calls;
    }

    /** The calls that cannot be run; they are answered automatically unless you do. */
    public List<CallIssue> issues() {
        return issues;
    }

    /** Calls that plugins of the session have ended; they are answered by that, and you cannot. */
    public List<ToolReply> ended() {
        return ended.stream().map(ToolReply::new).toList();
    }

    /** Why the model should be asked again although nothing was run, if there were issues. */
    public Optional<String> continueSuggestion() {
        return RoundPlan.suggestion(issues);
    }

    /** The only call; {@code unexpected_call_count} if there are none or several, issues included. */
    public ToolCall<T> expectOne() {
        if (calls.size() != 1 || !issues.isEmpty()) {
            throw arity("exactly one call");
        }
        return calls.getFirst();
    }

    /** The only call, if there is one; {@code unexpected_call_count} if there are several, issues included. */
    public Optional<ToolCall<T>> expectAtMostOne() {
        if (calls.size() + issues.size() > 1) {
            throw arity("at most one call");
        }
        return calls.stream().findFirst();
    }

    private BelayException arity(String expected) {
        return new BelayException("unexpected_call_count", "expected " + expected + ", found " + calls.size()
                + " and " + issues.size() + " that cannot be run");
    }

    /** Applies hooks to every call. */
    public RoundPlan<T> apply(ToolHooks<T> hooks) {
        state.requireOpen();
        return RoundPlan.of(state, calls, issues, ended).apply(hooks);
    }

    /**
     * Puts the message and all replies into the transcript, in the assistant's order. A {@link CommitException} with every
     * problem leaves the round open.
     */
    public RoundEnd commit(Collection<ToolReply> replies) {
        return RoundPlan.of(state, calls, issues, ended).commit(replies);
    }

    /** Drops the message; the transcript stays as it was. */
    public void discard() {
        state.discard();
    }

    @Override
    public void close() {
        state.discard();
    }
}

package dev.belay.runtime.dispatch.record;

import dev.belay.json.Json;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.runtime.store.journal.RecordReader;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.Reconciliation;
import dev.belay.tool.option.RetryAdvice;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What was said about a call or step that waited until its doubt was settled.
 *
 * @param truth never unknown
 * @param over whether the first body cannot run any more
 */
public record HeldAnswer(Reconciliation<ToolOutcome> truth, boolean over) {

    private static final Pattern ENDED = Pattern
            .compile("(.*/)?(?:attempt/(\\d+)|(outcome/\\d+))(?:/asked/\\d+)?", Pattern.DOTALL);

    /**
     * The wait at which an attempt stays until its doubt is settled: {@code doubt/1}, or {@code doubt/outcome/1} for a resumable body.
     *
     * @param record of the end of the attempt, or of a question about it
     */
    public static WaitName wait(String record) {
        Matcher ended = ENDED.matcher(record);
        if (!ended.matches()) {
            throw new IllegalArgumentException("not the end of an attempt: " + record);
        }
        return new WaitName(Objects.requireNonNullElse(ended.group(1), "") + "doubt/"
                + Objects.requireNonNullElse(ended.group(2), ended.group(3)));
    }

    /** The answer in the resolution of its wait; empty if it stopped waiting without one. */
    public static Optional<HeldAnswer> of(@Nullable Resolution resolution) {
        if (!(resolution instanceof Resolution.Ok(Json said))) {
            return Optional.empty();
        }
        return Optional.of(said.get("happened")
                .map(outcome -> new HeldAnswer(Reconciliation.happened(OutcomeJson.outcome(outcome)), true))
                .orElseGet(() -> new HeldAnswer(
                        Reconciliation.didNotHappen(RecordReader.text(said, "did_not_happen")),
                        RecordReader.field(said, "over").asBoolean())));
    }

    /** Whether what was held runs once more. */
    public boolean runsAgain() {
        return over && truth instanceof Reconciliation.DidNotHappen;
    }

    /** The outcome of a call that is not run again. */
    public ToolOutcome outcome(ToolFailure held) {
        return switch (truth) {
            case Reconciliation.Happened<ToolOutcome>(ToolOutcome outcome) -> outcome;
            case Reconciliation.DidNotHappen<ToolOutcome>(String reason) ->
                new ToolOutcome.Failure(notDone(held, reason));
            case Reconciliation.Unknown<ToolOutcome> unknown -> new ToolOutcome.Failure(held);
        };
    }

    /** The failure of a call that did not happen and is not run again by itself. */
    public static ToolFailure notDone(ToolFailure failure, String reason) {
        return new ToolFailure(failure.kind(),
                failure.code().equals("in_doubt") ? "did_not_happen" : failure.code(),
                failure.message() + "; it did not happen: " + reason, failure.source(), RetryAdvice.NEVER);
    }
}

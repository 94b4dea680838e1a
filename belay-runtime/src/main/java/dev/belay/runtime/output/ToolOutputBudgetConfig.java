package dev.belay.runtime.output;

import dev.belay.json.Json;
import dev.belay.runtime.output.engine.BatchBudget;
import dev.belay.runtime.output.engine.OutputCut;
import dev.belay.runtime.output.engine.OutputText;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.option.OutputBudget;
import java.util.List;
import java.util.Objects;

/**
 * How much is shown of outputs, and the cutting itself: the base of every {@link OutputProjector}. All bounds hold for what is shown
 * as a whole, the marker included. Immutable.
 *
 * @param unit of the two limits
 * @param limit of one output, unless its tool declares a budget
 * @param maxLines of one output, unless its tool declares a budget
 * @param batchLimit of all outputs of one message together
 * @param keep which part is kept, unless the tool declares it
 */
public record ToolOutputBudgetConfig(Unit unit, int limit, int maxLines, int batchLimit,
        OutputBudget.Keep keep) implements OutputProjector.CallerView, OutputProjector.BatchView {

    /** 16 KiB and 400 lines for an output, 64 KiB for a batch; the beginning is kept. */
    public static final ToolOutputBudgetConfig DEFAULT = new ToolOutputBudgetConfig(Unit.BYTES, 16 << 10, 400,
            64 << 10, OutputBudget.Keep.HEAD);

    /** What a limit counts. */
    public enum Unit {
        /** Bytes of UTF-8. */
        BYTES("bytes", 1),
        /** Tokens, as far as they can be guessed: four bytes each, the last one rounded up. */
        TOKENS("tokens", 4);

        private final String word;
        private final int bytes;

        Unit(String word, int bytes) {
            this.word = word;
            this.bytes = bytes;
        }

        /** Its name in the marker. */
        public String word() {
            return word;
        }

        /** How many units some bytes take. */
        public long of(long utf8) {
            return (utf8 + bytes - 1) / bytes;
        }

        /** How many bytes some units hold. */
        public long bytes(long units) {
            return units * bytes;
        }
    }

    /** A message has at most so many calls, and each must be answered with something. */
    private static final int LEAST_BATCH = 1_024;

    /** Refuses bounds that leave nothing to show: an empty reply would tell the model that there was no output. */
    public ToolOutputBudgetConfig {
        Objects.requireNonNull(unit, "unit");
        Objects.requireNonNull(keep, "keep");
        if (limit < 1 || maxLines < 1 || batchLimit < LEAST_BATCH) {
            throw new IllegalArgumentException("a budget allows at least 1 of its " + unit.word()
                    + " and 1 line for an output, and " + LEAST_BATCH
                    + " for a batch; found limit " + limit + ", maxLines " + maxLines + " and batchLimit "
                    + batchLimit + ". To turn the budget off, leave the plugin out of the stack");
        }
    }

    /** The same with another limit of one output. */
    public ToolOutputBudgetConfig withLimit(int newLimit) {
        return new ToolOutputBudgetConfig(unit, newLimit, maxLines, batchLimit, keep);
    }

    /** The same with another number of lines. */
    public ToolOutputBudgetConfig withMaxLines(int lines) {
        return new ToolOutputBudgetConfig(unit, limit, lines, batchLimit, keep);
    }

    /** The same with another limit of a batch. */
    public ToolOutputBudgetConfig withBatchLimit(int newLimit) {
        return new ToolOutputBudgetConfig(unit, limit, maxLines, newLimit, keep);
    }

    /** The same with another part that is kept. */
    public ToolOutputBudgetConfig withKeep(OutputBudget.Keep part) {
        return new ToolOutputBudgetConfig(unit, limit, maxLines, batchLimit, part);
    }

    /** The same with limits in tokens. */
    public ToolOutputBudgetConfig withTokens(int perOutput, int perBatch) {
        return new ToolOutputBudgetConfig(Unit.TOKENS, perOutput, maxLines, perBatch, keep);
    }

    /** The three views of this budget: callers see each output under its own bounds, model and history the same cut batch. */
    public OutputProjector projector() {
        return new OutputProjector(this, this, OutputProjector.HistoryView.AS_SHOWN);
    }

    /** One output under its own bounds, without a handle; the outcome itself if it is under them. */
    @Override
    public ToolOutcome show(ToolOutput output) {
        OutputBudget caps = caps(output);
        if (OutputText.fits(output.text(), caps.maxBytes(), caps.maxLines())) {
            return output.outcome();
        }
        return switch (output.outcome()) {
            case ToolOutcome.Success success ->
                new ToolOutcome.Success(
                        Json.string(OutputCut.of(output.text(), unit).shown(caps, null, List.of())));
            case ToolOutcome.Failure(ToolFailure(var kind, var code, var message, var source, var retry, var maybe)) ->
                new ToolOutcome.Failure(
                        new ToolFailure(kind, code, inner(output, message, caps), source, retry, maybe));
            case ToolOutcome.Cancelled(String reason) ->
                new ToolOutcome.Cancelled(inner(output, reason, caps));
            case ToolOutcome.Rejected(String reason) -> new ToolOutcome.Rejected(inner(output, reason, caps));
        };
    }

    /** A reason that is cut so far that it fits with the words around it. */
    private String inner(ToolOutput output, String reason, OutputBudget caps) {
        long around = OutputText.bytes(output.text()) - OutputText.bytes(reason);
        var rest = new OutputBudget((int) Math.max(1, caps.maxBytes() - around), caps.maxLines(),
                caps.keep());
        return OutputCut.of(reason, unit).shown(rest, null, List.of());
    }

    /**
     * A batch under all bounds. Outputs that fit are shown as they are; the others are cut and kept. The limit of the batch is dealt by
     * equal shares, and what an output leaves of its share goes to the others.
     *
     * @return one text for each output, in the model's order
     */
    @Override
    public List<String> show(List<ToolOutput> batch, OutputKeeper keeper) {
        return new BatchBudget(this, keeper).show(batch);
    }

    /** The bounds of one output, in bytes: those that its tool declares, or these. */
    public OutputBudget caps(ToolOutput output) {
        OutputBudget declared = output.declared();
        return declared != null
                ? declared
                : new OutputBudget((int) Math.min(Integer.MAX_VALUE, unit.bytes(limit)), maxLines, keep);
    }
}

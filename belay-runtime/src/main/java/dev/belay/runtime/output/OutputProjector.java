package dev.belay.runtime.output;

import dev.belay.tool.ToolOutcome;
import java.util.List;
import java.util.Objects;

/**
 * Makes three views of outputs. Each can be replaced by its own; take {@link ToolOutputBudgetConfig#projector} as the base. A session
 * has one projector, which a plugin registers.
 *
 * <p>The views of the model and of the history are made once, after the calls of a batch and before the next question, and recorded with
 * it: they are not made again when the turn is replayed. The view of callers is made whenever it is asked for, so it is a function of its
 * argument. A view that throws, takes more than five seconds, or shows another number of outputs, is replaced by that of {@link ToolOutputBudgetConfig#DEFAULT} and
 * logged.
 *
 * @param caller what programs are shown: listeners of a session, callers of {@code belay.calls()}, processes
 * @param model what the next questions show
 * @param history what the session keeps
 */
public record OutputProjector(CallerView caller, BatchView model, HistoryView history) {

    /** Refuses null. */
    public OutputProjector {
        Objects.requireNonNull(caller, "caller");
        Objects.requireNonNull(model, "model");
        Objects.requireNonNull(history, "history");
    }

    /** Makes what a program is shown of one output. Thread-safe. */
    @FunctionalInterface
    public interface CallerView {

        /** Shows everything. */
        CallerView WHOLE = ToolOutput::outcome;

        /** What is shown; the outcome itself if nothing is cut. */
        ToolOutcome show(ToolOutput output);
    }

    /** Makes what the model is shown of a batch. Thread-safe. */
    @FunctionalInterface
    public interface BatchView {

        /** Shows everything. */
        BatchView WHOLE = (batch, keeper) -> texts(batch);

        /**
         * What is shown, one text for each output, in the model's order.
         *
         * @param batch all outputs of one message, in the model's order
         * @param keeper keeps outputs that are cut
         */
        List<String> show(List<ToolOutput> batch, OutputKeeper keeper);
    }

    /** Makes what the session keeps of a batch. Thread-safe. */
    @FunctionalInterface
    public interface HistoryView {

        /** Keeps what the model was shown. */
        HistoryView AS_SHOWN = (batch, shown, keeper) -> shown;

        /** Keeps everything. */
        HistoryView WHOLE = (batch, shown, keeper) -> texts(batch);

        /**
         * What is kept, one text for each output, in the model's order. Later turns show this to the model.
         *
         * @param batch all outputs of one message, in the model's order
         * @param shown what the model was shown of them
         * @param keeper keeps outputs that are cut
         */
        List<String> show(List<ToolOutput> batch, List<String> shown, OutputKeeper keeper);
    }

    /** The same with another view for programs. */
    public OutputProjector withCaller(CallerView view) {
        return new OutputProjector(view, model, history);
    }

    /** The same with another view for the model. */
    public OutputProjector withModel(BatchView view) {
        return new OutputProjector(caller, view, history);
    }

    /** The same with another view for the history. */
    public OutputProjector withHistory(HistoryView view) {
        return new OutputProjector(caller, model, view);
    }

    private static List<String> texts(List<ToolOutput> batch) {
        return batch.stream().map(ToolOutput::text).toList();
    }
}

package dev.belay.runtime.output.engine;

import dev.belay.BelayException;
import dev.belay.runtime.output.OutputKeeper;
import dev.belay.runtime.output.OutputProjector;
import dev.belay.runtime.output.ToolOutput;
import dev.belay.runtime.output.ToolOutputBudgetConfig;
import dev.belay.runtime.policy.ShownText;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.Suspended;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What model and history are shown of one batch.
 *
 * @param model one text for each output
 * @param history one text for each output; the same list if the history keeps what the model was shown
 * @param kept whether an output was kept whole, so that the model can read it
 */
public record BatchViews(List<String> model, List<String> history, boolean kept) {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.output");
    private static final Set<Object> OURS = Set.of(OutputProjector.CallerView.WHOLE,
            OutputProjector.BatchView.WHOLE, OutputProjector.HistoryView.AS_SHOWN,
            OutputProjector.HistoryView.WHOLE);

    /** Runs views that are not ours, which may hang. */
    public interface Watch {

        /** Lets them hang, on this thread. */
        Watch NONE = new Watch() {
            @Override
            public <T> T run(Supplier<T> view) {
                return view.get();
            }
        };

        /** What a view gives; throws what it throws, or that it took too long. */
        <T> T run(Supplier<T> view);
    }

    /**
     * Shows a batch. A projector that fails is replaced by the default budget; what the keeper throws is thrown.
     *
     * @return null if everything is shown as it is
     */
    public static @Nullable BatchViews of(OutputProjector projector, List<ToolOutput> batch,
            OutputKeeper keeper, Watch watch) {
        var noted = new Noted(keeper);
        List<String> model = contained(batch, noted,
                given -> run(projector.model(), watch, () -> projector.model().show(batch, given)));
        List<String> history = contained(batch, noted, given -> run(projector.history(), watch,
                () -> projector.history().show(batch, model, given)));
        boolean whole = isWhole(batch, model);
        return whole && isWhole(batch, history)
                ? null
                : new BatchViews(model, history.equals(model) ? model : history, noted.any);
    }

    private static boolean isWhole(List<ToolOutput> batch, List<String> shown) {
        for (int i = 0; i < shown.size(); i++) {
            if (!shown.get(i).equals(batch.get(i).text())) {
                return false;
            }
        }
        return true;
    }

    /** Our own views neither hang nor need a thread. */
    private static <T> T run(Object view, Watch watch, Supplier<T> showing) {
        boolean ours = view instanceof ToolOutputBudgetConfig || OURS.contains(view);
        return ours ? showing.get() : watch.run(showing);
    }

    private static List<String> contained(List<ToolOutput> batch, Noted keeper,
            Function<OutputKeeper, List<String>> view) {
        var given = new Given(keeper);
        try {
            List<String> shown = List.copyOf(view.apply(given));
            keeper.rethrow();
            if (shown.size() == batch.size()) {
                return shown;
            }
            LOG.warn("A projector shows {} texts for {} outputs; the default budget is used", shown.size(),
                    batch.size());
        } catch (Throwable failure) {
            rethrow(failure);
            keeper.rethrow();
            LOG.warn("A projector threw; the default budget is used", failure);
        } finally {
            given.over = true;
        }
        return ToolOutputBudgetConfig.DEFAULT.show(batch, keeper);
    }

    /** The name of a tool, which a model may have made up. */
    private static String shown(ToolOutput output) {
        return ShownText.escaped(output.tool());
    }

    /** What a program is shown of an output; the default budget if the view throws. */
    public static ToolOutcome forCaller(OutputProjector.CallerView view, ToolOutput output, Watch watch) {
        try {
            ToolOutcome shown = run(view, watch, () -> view.show(output));
            if (shown != null) {
                return shown;
            }
            LOG.warn("A projector returned null at tool {}; the default budget is used", shown(output));
        } catch (Throwable failure) {
            rethrow(failure);
            LOG.warn("A projector threw at tool {}; the default budget is used", shown(output), failure);
        }
        return ToolOutputBudgetConfig.DEFAULT.show(output);
    }

    /** Throws what is no fault of a projector: the scope is left, or the machine breaks. */
    private static void rethrow(Throwable failure) {
        if (failure instanceof Suspended || (failure instanceof VirtualMachineError
                && !(failure instanceof StackOverflowError))) {
            throw (Error) failure;
        }
    }

    /** What one view is given: it keeps nothing more once the view is over, or was given up. */
    private static final class Given implements OutputKeeper {

        private final OutputKeeper keeper;
        private volatile boolean over;

        Given(OutputKeeper keeper) {
            this.keeper = keeper;
        }

        @Override
        public Optional<String> keep(String text) {
            return over ? Optional.empty() : keeper.keep(text);
        }
    }

    /** Notes whether something was kept, and faults of the store, which are no faults of a projector. */
    private static final class Noted implements OutputKeeper {

        private final OutputKeeper keeper;
        private final List<RuntimeException> faults = new CopyOnWriteArrayList<>();
        private volatile boolean any;

        Noted(OutputKeeper keeper) {
            this.keeper = keeper;
        }

        @Override
        public Optional<String> keep(String text) {
            try {
                Optional<String> handle = keeper.keep(text);
                if (handle.isPresent()) {
                    any = true;
                }
                return handle;
            } catch (BelayException fault) {
                faults.add(fault);
                throw fault;
            }
        }

        void rethrow() {
            if (!faults.isEmpty()) {
                throw faults.getFirst();
            }
        }
    }
}

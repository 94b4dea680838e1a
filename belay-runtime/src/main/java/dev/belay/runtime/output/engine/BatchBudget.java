package dev.belay.runtime.output.engine;

import dev.belay.runtime.output.OutputKeeper;
import dev.belay.runtime.output.ToolOutput;
import dev.belay.runtime.output.ToolOutputBudgetConfig;
import dev.belay.tool.option.OutputBudget;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shows one batch under a budget. Confined to one thread. */
public final class BatchBudget {

    /** So many references to attachments stand below the markers of a batch. */
    private static final int MOST_ATTACHMENTS = 8;

    private final ToolOutputBudgetConfig config;
    private final OutputKeeper keeper;
    private int attachments = MOST_ATTACHMENTS;

    /** A budget and where outputs are kept that are over it. */
    public BatchBudget(ToolOutputBudgetConfig config, OutputKeeper keeper) {
        this.config = config;
        this.keeper = keeper;
    }

    /** One text for each output. */
    public List<String> show(List<ToolOutput> batch) {
        if (isUnder(batch)) {
            List<String> texts = new ArrayList<>(batch.size());
            for (ToolOutput output : batch) {
                texts.add(output.text());
            }
            return texts;
        }
        List<Shown> all = new ArrayList<>(batch.size());
        long total = 0;
        for (ToolOutput output : batch) {
            Shown one = new Shown(output, config.caps(output));
            if (!OutputText.fits(output.text(), one.caps.maxBytes(), one.caps.maxLines())) {
                one.cut(one.caps);
            }
            all.add(one);
            total += one.units();
        }
        if (total > config.batchLimit()) {
            share(all);
        }
        return all.stream().map(one -> one.text).toList();
    }

    /** Whether nothing is to be cut. */
    private boolean isUnder(List<ToolOutput> batch) {
        long total = 0;
        for (ToolOutput output : batch) {
            OutputBudget caps = config.caps(output);
            if (!OutputText.fits(output.text(), caps.maxBytes(), caps.maxLines())) {
                return false;
            }
            total += config.unit().of(OutputText.bytes(output.text()));
        }
        return total <= config.batchLimit();
    }

    /** Deals the limit of the batch and cuts what has a smaller share than it needs. */
    private void share(List<Shown> all) {
        long[] shares = shares(all.stream().mapToLong(Shown::units).toArray(), config.batchLimit());
        for (int i = 0; i < shares.length; i++) {
            Shown one = all.get(i);
            if (one.units() > shares[i]) {
                long bytes = Math.min(one.caps.maxBytes(), config.unit().bytes(shares[i]));
                one.cut(new OutputBudget((int) bytes, one.caps.maxLines(), one.caps.keep()));
            }
        }
    }

    /**
     * Equal shares: who needs less than an equal share gets what it needs, and the others share the rest again. What cannot be divided
     * goes to the first ones, in the model's order.
     */
    static long[] shares(long[] wanted, long limit) {
        long[] shares = new long[wanted.length];
        boolean[] served = new boolean[wanted.length];
        long rest = limit;
        int left = wanted.length;
        for (boolean again = true; again && left > 0;) {
            again = false;
            long equal = rest / left;
            for (int i = 0; i < wanted.length; i++) {
                if (!served[i] && wanted[i] <= equal) {
                    served[i] = true;
                    shares[i] = wanted[i];
                    rest -= wanted[i];
                    left--;
                    again = true;
                }
            }
        }
        long equal = left == 0 ? 0 : rest / left;
        long more = left == 0 ? 0 : rest % left;
        for (int i = 0; i < wanted.length; i++) {
            if (!served[i]) {
                shares[i] = equal + (more-- > 0 ? 1 : 0);
            }
        }
        return shares;
    }

    /** An output and what is shown of it. */
    private final class Shown {

        private final ToolOutput output;
        private final OutputBudget caps;
        private String text;
        private @Nullable OutputCut cut;
        private @Nullable String handle;
        private List<String> references = List.of();

        Shown(ToolOutput output, OutputBudget caps) {
            this.output = output;
            this.caps = caps;
            text = output.text();
        }

        long units() {
            return config.unit().of(OutputText.bytes(text));
        }

        void cut(OutputBudget within) {
            OutputCut known = cut;
            if (known == null) {
                known = OutputCut.of(output.text(), config.unit());
                cut = known;
                handle = output.isPage() ? null : keeper.keep(output.text()).orElse(null);
            }
            attachments += references.size();
            text = known.shown(within, handle, List.of());
            references = NamedAttachments.missing(output.text(), text, attachments);
            if (!references.isEmpty()) { // they take room, so that others may be missing now
                String less = known.shown(within, handle, references)
                        .replace(String.join(" ", references), "");
                references = NamedAttachments.missing(output.text(), less, attachments);
                text = known.shown(within, handle, references);
                references = text.contains(references.getFirst()) ? references : List.of();
            }
            attachments -= references.size();
        }
    }
}

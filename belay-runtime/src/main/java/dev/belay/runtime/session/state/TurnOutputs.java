package dev.belay.runtime.session.state;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.ModelRequest.Pictures;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.output.ToolOutput;
import dev.belay.runtime.output.engine.BatchViews;
import dev.belay.runtime.output.engine.KeptOutput;
import dev.belay.runtime.plugin.engine.SessionPlugins;
import dev.belay.runtime.session.inbox.InheritedOutputs;
import dev.belay.runtime.session.inbox.JoinedArrivals;
import dev.belay.runtime.store.Arrival;
import dev.belay.tool.ToolException;
import dev.belay.tool.context.Attachments;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the model is told of the outputs of a turn, and whether it is offered the tools that read those which are kept. Confined to the
 * turn's thread.
 */
public final class TurnOutputs {

    private final SessionPlugins plugins;
    private final TurnTools tools;
    private final InheritedOutputs inherited;
    private final TimeSource time;
    private boolean kept;

    /**
     * Of a turn that begins.
     *
     * @param kept whether the session keeps outputs already
     * @param time by which projectors are given up
     */
    public TurnOutputs(SessionPlugins plugins, TurnTools tools, InheritedOutputs inherited, boolean kept,
            TimeSource time) {
        this.time = time;
        this.plugins = plugins;
        this.tools = tools;
        this.inherited = inherited;
        if (kept) {
            keeps();
        }
    }

    /** Whether outputs are kept. */
    public boolean areKept() {
        return kept;
    }

    /** From now on the model is offered the tools that read kept outputs. */
    private void keeps() {
        if (!kept) {
            kept = true;
            tools.append(plugins.outputTools());
        }
    }

    /**
     * What the model is told of a batch: what the record of the next round says, or what the session's projector makes now, which that
     * record is to hold.
     *
     * @param next the record of the round after the batch, or null if there is none
     * @return null if it is told everything
     */
    public RoundRecord.@Nullable Before show(@Nullable Json next, List<ToolOutput> batch,
            Supplier<Attachments> into) {
        BatchViews views = next == null ? plugins.show(batch, KeptOutput.in(into), time) : null;
        RoundRecord.Before told = next != null
                ? RoundRecord.of(next).before()
                : views == null
                        ? null
                        : RoundRecord.Before.of(batch.stream().map(ToolOutput::outcome).toList(), views);
        note(told);
        return told;
    }

    /** Where pictures are that replies name: among the attachments of the session. */
    public static Pictures pictures(Supplier<Attachments> kept) {
        return (hash, mediaType, size) -> {
            try {
                return Optional.of(kept.get().get(new Attachments.Reference(hash, mediaType, size)));
            } catch (ToolException unknown) {
                return Optional.empty();
            }
        };
    }

    /** Notes whether outputs of a batch were kept. */
    public void note(RoundRecord.@Nullable Before told) {
        if (told != null && told.outputs()) {
            keeps();
        }
    }

    /** Notes whether inputs name outputs of the session's parent. */
    public void look(List<Message> inputs) {
        if (!kept && inherited.areNamedIn(inputs)) {
            keeps();
        }
    }

    /**
     * Keeps the outputs of a parent that the inputs of a round name.
     *
     * @param first what started the turn, if it is the first round
     */
    public void inherit(List<Message> first, List<Arrival> joined, Attachments own) {
        inherited.keep(first, own);
        if (!joined.isEmpty()) {
            inherited.keep(JoinedArrivals.messages(joined), own);
        }
    }
}

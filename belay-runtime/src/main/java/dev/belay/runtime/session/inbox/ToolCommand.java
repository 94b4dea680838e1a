package dev.belay.runtime.session.inbox;

import dev.belay.json.Json;
import dev.belay.runtime.catalog.ListedTool;
import dev.belay.runtime.catalog.MembershipChange;
import dev.belay.runtime.catalog.ToolRegistry;
import dev.belay.runtime.catalog.ToolState;
import dev.belay.runtime.store.journal.RecordReader;
import dev.belay.tool.ToolId;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A change of the tools of a session, kept until a turn takes it; a call records it in the same form. */
public sealed interface ToolCommand extends SessionCommand {

    /**
     * Decisions about single tools.
     *
     * @param changes which
     */
    record Change(List<MembershipChange> changes) implements ToolCommand {}

    /**
     * Another state altogether.
     *
     * @param state which; its generation was that of the session when the command was given
     */
    record Apply(ToolState state) implements ToolCommand {}

    /**
     * A state from elsewhere, laid over what is live.
     *
     * @param state which
     */
    record Restore(ToolState state) implements ToolCommand {}

    /** Applies the change. */
    default void applyTo(ToolRegistry registry) {
        switch (this) {
            case Change(List<MembershipChange> changes) -> registry.apply(changes);
            case Apply(ToolState state) -> registry.applyState(
                    new ToolState(registry.generation(), state.surface(), adopted(registry, state)));
            case Restore(ToolState state) -> registry.restoreState(state);
        }
    }

    /** A tool whose source has gone since the command was given is an orphan, and comes back as it was decided. */
    private static List<ToolState.Entry> adopted(ToolRegistry registry, ToolState state) {
        Set<ToolId> live = registry.list()
                .stream()
                .filter(ListedTool.Live.class::isInstance)
                .map(ListedTool::id)
                .collect(Collectors.toSet());
        return state.tools()
                .stream()
                .map(entry -> live.contains(entry.id())
                        ? entry
                        : new ToolState.Entry(entry.id(), entry.tool(), entry.membership(), true,
                                entry.as()))
                .toList();
    }

    @Override
    default Json toJson() {
        return Json.write(out -> {
            out.beginObject();
            switch (this) {
                case Change(List<MembershipChange> changes) -> out.name("membership")
                        .value(Json.array(changes.stream().map(MembershipChange::toJson).toList()));
                case Apply(ToolState state) -> out.name("apply").value(state.toJson());
                case Restore(ToolState state) -> out.name("restore").value(state.toJson());
            }
            out.endObject();
        });
    }

    static ToolCommand of(Json recorded) {
        return RecordReader.read("command about tools", recorded, () -> {
            if (recorded.get("apply").isPresent()) {
                return new Apply(ToolState.of(RecordReader.field(recorded, "apply")));
            }
            if (recorded.get("restore").isPresent()) {
                return new Restore(ToolState.of(RecordReader.field(recorded, "restore")));
            }
            return new Change(
                    RecordReader.field(recorded, "membership")
                            .items()
                            .stream()
                            .map(MembershipChange::of)
                            .toList());
        });
    }
}

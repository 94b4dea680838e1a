package dev.belay.runtime.session.inbox;

import dev.belay.json.FramedHash;
import dev.belay.json.Json;
import dev.belay.runtime.session.TurnSettings;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.journal.RecordReader;
import java.util.List;

/** A change of a session beside its conversation, kept until a turn takes it. */
public sealed interface SessionCommand
        permits ToolCommand, SessionCommand.Settings, SessionCommand.ResetPlugin, SessionCommand.Compact {

    /**
     * Other settings in place of those the session has.
     *
     * @param settings which
     */
    record Settings(TurnSettings settings) implements SessionCommand {

        private static final String FIELD = "settings";

        @Override
        public Json toJson() {
            return Json.write(out -> out.beginObject().name(FIELD).value(settings.toJson()).endObject());
        }
    }

    /**
     * The states of a plugin begin anew.
     *
     * @param plugin which
     */
    record ResetPlugin(String plugin) implements SessionCommand {

        private static final String FIELD = "resetPlugin";

        @Override
        public Json toJson() {
            return Json.write(out -> out.beginObject().name(FIELD).value(plugin).endObject());
        }
    }

    /** The conversation is made shorter for the model, before the next round. */
    record Compact() implements SessionCommand {

        private static final String FIELD = "compact";

        @Override
        public Json toJson() {
            return Json.write(out -> out.beginObject().name(FIELD).value(true).endObject());
        }
    }

    /** The ids of those among arrivals that ask for a shorter conversation. */
    static List<String> compacting(List<Arrival> arrivals) {
        return arrivals.isEmpty()
                ? List.of()
                : arrivals.stream()
                        .filter(one -> one.kind() == Arrival.Kind.COMMAND
                                && one.content().get(Compact.FIELD).isPresent())
                        .map(Arrival::id)
                        .toList();
    }

    /** The record of this; pinned by a golden file. */
    Json toJson();

    /** The command of a record; {@code journal_corrupt} if it is none. */
    static SessionCommand of(Json recorded) {
        return RecordReader.read("command to a session", recorded, () -> {
            String plugin = RecordReader.optionalText(recorded, ResetPlugin.FIELD);
            if (plugin != null) {
                return new ResetPlugin(plugin);
            }
            if (recorded.get(Compact.FIELD).isPresent()) {
                return new Compact();
            }
            Json settings = recorded.get(Settings.FIELD).orElse(null);
            return settings == null
                    ? ToolCommand.of(recorded)
                    : new Settings(TurnSettings.of(settings));
        });
    }

    default Arrival arrival(String id) {
        Json content = toJson();
        return new Arrival(id, Arrival.Kind.COMMAND, new FramedHash().add(content).hex(),
                content);
    }
}

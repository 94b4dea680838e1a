package dev.belay.runtime.plugin.engine;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.Message.UserMessage;
import dev.belay.model.MessageJson;
import dev.belay.runtime.store.journal.RecordReader;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the hooks of a turn have left at one point, as the record of a round holds it; pinned by a golden file. Immutable.
 *
 * @param left changes of states and events, in their recorded form
 * @param said messages that they add
 * @param children sessions that they start
 * @param stop why the turn ends, or null if it goes its way; recorded as the end of the round
 */
public record TurnHooked(List<Json> left, List<Said> said, List<Child> children, @Nullable Stop stop) {

    /** Nothing was left. */
    public static final TurnHooked NONE = new TurnHooked(List.of(), List.of(), List.of(), null);

    /**
     * A message of a plugin.
     *
     * @param plugin which
     * @param message for the model
     */
    public record Said(String plugin, UserMessage message) {}

    /**
     * A session to be started.
     *
     * @param plugin that starts it
     * @param name unique in its plugin and round
     * @param agent that answers it
     * @param input its first
     */
    public record Child(String plugin, String name, String agent, String input) {}

    /**
     * The end of a turn.
     *
     * @param plugin that ends it
     * @param code {@code plugin_abort} if the plugin wants it, otherwise what failed
     * @param reason in words
     */
    public record Stop(String plugin, String code, String reason) {}

    /** Copies the lists. */
    public TurnHooked {
        left = List.copyOf(left);
        said = List.copyOf(said);
        children = List.copyOf(children);
    }

    /** Whether there is nothing to record. */
    public boolean isEmpty() {
        return left.isEmpty() && said.isEmpty() && children.isEmpty();
    }

    /** The messages, in the order in which they were added. */
    public List<Message> messages() {
        return said.isEmpty() ? List.of() : said.stream().<Message>map(Said::message).toList();
    }

    Json toJson() {
        return Json.write(out -> {
            out.beginObject();
            if (!left.isEmpty()) {
                out.name("left").value(Json.array(left));
            }
            if (!said.isEmpty()) {
                out.name("said").beginArray();
                said.forEach(one -> out.beginObject()
                        .name("plugin")
                        .value(one.plugin())
                        .name("message")
                        .value(MessageJson.of(one.message()))
                        .endObject());
                out.endArray();
            }
            if (!children.isEmpty()) {
                out.name("children").beginArray();
                children.forEach(one -> out.beginObject()
                        .name("plugin")
                        .value(one.plugin())
                        .name("name")
                        .value(one.name())
                        .name("agent")
                        .value(one.agent())
                        .name("input")
                        .value(one.input(), RecordReader.HALF)
                        .endObject());
                out.endArray();
            }
            out.endObject();
        });
    }

    static TurnHooked of(Optional<Json> recorded) {
        return recorded.map(json -> new TurnHooked(RecordReader.items(json, "left"),
                RecordReader.items(json, "said").stream().map(TurnHooked::said).toList(),
                RecordReader.items(json, "children").stream().map(TurnHooked::child).toList(), null))
                .orElse(NONE);
    }

    private static Said said(Json json) {
        if (!(MessageJson.message(RecordReader.field(json, "message")) instanceof UserMessage message)) {
            throw new IllegalArgumentException("a plugin adds messages of the user");
        }
        return new Said(RecordReader.text(json, "plugin"), message);
    }

    private static Child child(Json json) {
        return new Child(RecordReader.text(json, "plugin"), RecordReader.text(json, "name"),
                RecordReader.text(json, "agent"), RecordReader.text(json, "input"));
    }
}

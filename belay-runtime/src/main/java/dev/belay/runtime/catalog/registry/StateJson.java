package dev.belay.runtime.catalog.registry;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.json.JsonMismatchException;
import dev.belay.json.JsonWriter;
import dev.belay.runtime.catalog.Membership;
import dev.belay.runtime.catalog.ToolState;
import dev.belay.runtime.catalog.ToolSummary;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolId;
import dev.belay.tool.option.Fingerprint;
import dev.belay.tool.option.Visibility;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Writes and reads the stored form of a registry, which a golden file pins. Unknown fields are ignored. */
public final class StateJson {

    /** The version that is written today. */
    private static final long VERSION = 1;

    private StateJson() {}

    public static Json write(ToolState state) {
        return Json.write(out -> {
            out.beginObject().name("v").value(VERSION);
            out.name("generation").value(state.generation()).name("surface").value(state.surface());
            out.name("tools").beginArray();
            state.tools().forEach(entry -> write(out, entry));
            out.endArray().endObject();
        });
    }

    private static void write(JsonWriter out, ToolState.Entry entry) {
        out.beginObject().name("id").value(entry.id().value());
        out.name("membership").value(entry.membership().name());
        out.name("orphaned").value(entry.orphaned());
        write(out, entry.as());
        ToolSummary tool = entry.tool();
        if (tool != null) {
            out.name("tool").beginObject();
            out.name("name").value(tool.name()).name("description").value(tool.description());
            out.name("effect").value(tool.effect().name()).name("visibility").value(tool.visibility().name());
            out.name("resident").value(tool.resident());
            out.name("fingerprint").value(tool.fingerprint().value()).endObject();
        }
        out.endObject();
    }

    public static ToolState read(Json json) {
        return reading("a state of tools", () -> {
            long version = field(json, "v").asLong();
            if (version > VERSION) {
                throw new BelayException("tool_state_newer", "this state of tools was written in form "
                        + version + "; this version of Belay reads forms up to " + VERSION);
            }
            if (version < 1) {
                throw new JsonMismatchException("there is no form " + version);
            }
            return new ToolState(field(json, "generation").asLong(), field(json, "surface").asString(),
                    entries(field(json, "tools").items()));
        });
    }

    private static List<ToolState.Entry> entries(List<Json> items) {
        List<ToolState.Entry> entries = new ArrayList<>();
        for (Json item : items) {
            entries.add(reading("tool " + entries.size() + " of a state of tools",
                    () -> new ToolState.Entry(id(item), tool(item), membership(item),
                            field(item, "orphaned").asBoolean(), as(item))));
        }
        return entries;
    }

    private static @Nullable ToolSummary tool(Json entry) {
        return entry.get("tool")
                .map(tool -> new ToolSummary(field(tool, "name").asString(),
                        field(tool, "description").asString(), choice(ToolEffect.class, tool, "effect"),
                        choice(Visibility.class, tool, "visibility"), field(tool, "resident").asBoolean(),
                        new Fingerprint(field(tool, "fingerprint").asString())))
                .orElse(null);
    }

    public static ToolId id(Json json) {
        return new ToolId(field(json, "id").asString());
    }

    /** Writes for which fingerprint something was decided. */
    public static void write(JsonWriter out, @Nullable Fingerprint as) {
        if (as != null) {
            out.name("as").value(as.value());
        }
    }

    /** The fingerprint for which something was decided; null for any. */
    public static @Nullable Fingerprint as(Json json) {
        return json.get("as").map(text -> new Fingerprint(text.asString())).orElse(null);
    }

    public static Membership membership(Json json) {
        return choice(Membership.class, json, "membership");
    }

    /** Reads a part of a stored form; {@code tool_state_corrupt}, with the name of the part, if it has another form. */
    public static <T> T reading(String what, Supplier<T> form) {
        try {
            return form.get();
        } catch (JsonException | IllegalArgumentException e) {
            throw corrupt(what, e);
        } catch (BelayException e) {
            throw e.code().equals("illegal_tool_id") ? corrupt(what, e) : e;
        }
    }

    private static BelayException corrupt(String what, RuntimeException cause) {
        return new BelayException("tool_state_corrupt", "this is not " + what + ": " + cause.getMessage(),
                cause);
    }

    private static Json field(Json object, String name) {
        Json field = object.fields().get(name);
        if (field == null) {
            throw new JsonMismatchException("the field \"" + name + "\" is missing");
        }
        return field;
    }

    private static <E extends Enum<E>> E choice(Class<E> type, Json object, String name) {
        String text = field(object, name).asString();
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> constant.name().equals(text))
                .findFirst()
                .orElseThrow(() -> new JsonMismatchException("\"" + name + "\" must be one of "
                        + Arrays.toString(type.getEnumConstants()) + ", found \"" + text + "\""));
    }
}

package dev.belay.toolset.loop;

import dev.belay.BelayException;
import dev.belay.tool.Dynamic;
import dev.belay.tool.Nested;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolInput;
import dev.belay.tool.Tools;
import dev.belay.tool.declare.SetMembers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The tools of a set by name, in declaration order with nested sets in their places, and the places for tools that are known only
 * at run time. Immutable.
 *
 * @param type the sealed interface
 * @param entries the tools by the name that the model says
 * @param slots places for tools known at run time, by the class of the set that holds them
 * @param <T> the set
 */
public record SetLayout<T>(Class<T> type, Map<String, ToolEntry<T>> entries,
        Map<Class<?>, List<Slot>> slots) {

    /** A place for tools that are known at run time. */
    public record Slot(List<ToolEntry.Wrapper> path, String prefix, boolean defaultOn) {}

    /** Reads a set and the sets nested in it. */
    public static <T> SetLayout<T> of(Class<T> set) {
        var reader = new Reader<T>();
        reader.read(set, List.of(), "", true);
        return new SetLayout<>(set, reader.entries, reader.slots);
    }

    private static final class Reader<T> {

        private final Map<String, ToolEntry<T>> entries = new LinkedHashMap<>();
        private final Map<Class<?>, List<Slot>> slots = new LinkedHashMap<>();
        private final List<Class<?>> around = new ArrayList<>();

        void read(Class<?> set, List<ToolEntry.Wrapper> path, String prefix, boolean on) {
            if (around.contains(set)) {
                throw new BelayException("nested_cycle", set.getName() + " is nested in itself");
            }
            around.add(set);
            for (Class<?> member : SetMembers.of(set)) {
                Nested nested = member.getAnnotation(Nested.class);
                if (nested != null) {
                    nest(set, member, nested, path, prefix, on);
                } else {
                    add(member, path, prefix, on);
                }
            }
            around.removeLast();
        }

        private void nest(Class<?> set, Class<?> place, Nested nested, List<ToolEntry.Wrapper> path,
                String prefix,
                boolean on) {
            if (!place.isRecord() || place.getRecordComponents().length != 1) {
                throw badNested(place);
            }
            List<ToolEntry.Wrapper> deeper = new ArrayList<>(path);
            deeper.add(ToolEntry.Wrapper.of(set, place));
            Class<?> inner = place.getRecordComponents()[0].getType();
            String longer = prefix + nested.prefix();
            boolean defaultOn = on && nested.defaultOn();
            if (inner == Dynamic.class) {
                slots.computeIfAbsent(deeper.getFirst().type(), top -> new ArrayList<>())
                        .add(new Slot(List.copyOf(deeper), longer, defaultOn));
            } else if (inner.isAnnotationPresent(Tools.class)) {
                read(inner, List.copyOf(deeper), longer, defaultOn);
            } else {
                throw badNested(place);
            }
        }

        @SuppressWarnings("unchecked")
        private void add(Class<?> tool, List<ToolEntry.Wrapper> path, String prefix, boolean on) {
            ToolDefinition own = ToolDefinition.of((Class<? extends ToolInput<?>>) tool);
            ToolEntry<T> entry = ToolEntry.of(own, prefix, tool, path, on, null);
            ToolEntry<T> before = entries.putIfAbsent(entry.name(), entry);
            if (before != null) {
                throw new BelayException("duplicate_tool_name", "tool name \"" + entry.name()
                        + "\" stands twice: "
                        + before.leaf().getName() + " and " + tool.getName()
                        + "; give one of them another, or its group a prefix: @Nested(prefix = \"…\")");
            }
        }

        private static BelayException badNested(Class<?> place) {
            return new BelayException("bad_nested", place.getName()
                    + " is marked @Nested but is not a record of one component that is a set of tools or Dynamic; "
                    + "write: @Nested record Crm(CrmTools tools) implements …");
        }
    }
}

package dev.belay.toolset;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.schema.NearestNames;
import dev.belay.tool.Dynamic;
import dev.belay.tool.Nested;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolInput;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.Tools;
import dev.belay.tool.declare.SetMembers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The tools of a sealed interface marked {@link Tools}, in declaration order, with nested sets in their places. Immutable,
 * thread-safe; keep one in a constant.
 *
 * @param <T> the sealed interface
 */
public final class Toolset<T> {

    private final Class<T> type;
    private final Map<String, ToolEntry<T>> entries;
    private final Map<Class<?>, List<Slot>> slots;

    /** A place for tools that are known at run time. */
    record Slot(List<ToolEntry.Wrapper> path, String prefix, boolean defaultOn) {}

    private Toolset(Class<T> type, Map<String, ToolEntry<T>> entries, Map<Class<?>, List<Slot>> slots) {
        this.type = type;
        this.entries = entries;
        this.slots = slots;
    }

    /** The tools of a sealed interface; a {@link BelayException} with a code if it declares them wrongly. */
    public static <T> Toolset<T> of(Class<T> set) {
        var reader = new Reader<T>();
        reader.read(set, List.of(), "", true);
        return new Toolset<>(set, reader.entries, reader.slots);
    }

    /** The sealed interface. */
    public Class<T> type() {
        return type;
    }

    /** All tools, also those that are off by default. */
    public List<ToolDefinition> definitions() {
        return entries.values().stream().map(ToolEntry::definition).toList();
    }

    /** All selectors, in order. */
    public List<ToolSelector<T>> selectors() {
        return entries.keySet().stream().map(this::selector).toList();
    }

    /** The selector of a tool; {@code not_a_tool} for a class that stands for several or for none. */
    public ToolSelector<T> select(Class<? extends T> tool) {
        List<ToolSelector<T>> found = selectAll(tool);
        if (found.size() != 1) {
            throw new BelayException("not_a_tool",
                    tool.getName() + " stands for " + found.size() + " tools of "
                            + type.getSimpleName() + ", not for one; select a nested tool through its group");
        }
        return found.getFirst();
    }

    /** The selectors of everything that a class of this set stands for: a tool, a nested set, or a sealed interface of tools. */
    public List<ToolSelector<T>> selectAll(Class<? extends T> part) {
        return entries.values()
                .stream()
                .filter(entry -> part.isAssignableFrom(entry.top()))
                .map(entry -> selector(entry.name()))
                .toList();
    }

    /** The selector of a name, if a tool has it. */
    public Optional<ToolSelector<T>> find(String name) {
        return entries.containsKey(name) ? Optional.of(selector(name)) : Optional.empty();
    }

    /** The selector of a name; {@code unknown_tool} with the nearest names if no tool has it. */
    public ToolSelector<T> byName(String name) {
        return find(name).orElseThrow(() -> new BelayException("unknown_tool", type.getSimpleName()
                + " has no tool \"" + name + "\"; nearest: " + NearestNames.of(name, entries.keySet(), 3)));
    }

    /** Selectors from a JSON array of names, in order, for example one that a model chose. */
    public List<ToolSelector<T>> selectors(Json names) {
        Set<ToolSelector<T>> chosen = new LinkedHashSet<>();
        names.items().forEach(name -> chosen.add(byName(name.asString())));
        return List.copyOf(chosen);
    }

    /** A schema that allows exactly the names of these tools. */
    public Json selectorSchema() {
        return Json.write(out -> {
            out.beginObject().name("type").value("string").name("enum").beginArray();
            entries.keySet().forEach(out::value);
            out.endArray().endObject();
        });
    }

    /**
     * A nested set.
     *
     * @param place the record that holds it
     * @param tools reads it out of the record
     * @param <G> the record
     * @param <S> the nested set
     */
    public <G extends T, S> ToolGroup<T, S> group(Class<G> place, Function<G, S> tools) {
        return ToolGroup.of(this, place, tools);
    }

    /**
     * The tools of this set as a provider, so that the method that answers calls in a loop of your own serves a runtime too. What
     * the set does not offer by default is not resident. Tools known only at run time are no part of it; give the runtime their
     * provider. The method is called by many threads, and must return what {@code run}, {@code attempt}, {@code complete}, {@code fail} or {@code reject} of the call gave.
     */
    public ToolProvider executedBy(Function<? super ToolCall<T>, ToolReply> execute) {
        return new ToolsetProvider<>(this, Objects.requireNonNull(execute, "execute"));
    }

    ToolSelector<T> selector(String name) {
        return new ToolSelector<>(this, name);
    }

    Map<String, ToolEntry<T>> entries() {
        return entries;
    }

    /** Places for tools known at run time that a class of the set stands for. */
    List<Slot> slots(Class<?> place) {
        return slots.getOrDefault(place, List.of());
    }

    /** Reads a set and the sets nested in it. */
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
            ToolEntry<T> entry = ToolEntry.of(own, prefix, tool, path, on);
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

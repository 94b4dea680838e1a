package dev.belay.toolset;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.schema.NearestNames;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.Tools;
import dev.belay.toolset.loop.SetLayout;
import dev.belay.toolset.loop.ToolEntry;
import dev.belay.toolset.loop.ToolsetProvider;
import java.util.LinkedHashSet;
import java.util.List;
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

    private final SetLayout<T> layout;

    private Toolset(SetLayout<T> layout) {
        this.layout = layout;
    }

    /** The tools of a sealed interface; a {@link BelayException} with a code if it declares them wrongly. */
    public static <T> Toolset<T> of(Class<T> set) {
        return new Toolset<>(SetLayout.of(set));
    }

    /** The sealed interface. */
    public Class<T> type() {
        return layout.type();
    }

    /** All tools, also those that are off by default. */
    public List<ToolDefinition> definitions() {
        return layout.entries().values().stream().map(ToolEntry::definition).toList();
    }

    /** All selectors, in order. */
    public List<ToolSelector<T>> selectors() {
        return layout.entries().keySet().stream().map(this::selector).toList();
    }

    /** The selector of a tool; {@code not_a_tool} for a class that stands for several or for none. */
    public ToolSelector<T> select(Class<? extends T> tool) {
        List<ToolSelector<T>> found = selectAll(tool);
        if (found.size() != 1) {
            throw new BelayException("not_a_tool",
                    tool.getName() + " stands for " + found.size() + " tools of "
                            + type().getSimpleName()
                            + ", not for one; select a nested tool through its group");
        }
        return found.getFirst();
    }

    /** The selectors of everything that a class of this set stands for: a tool, a nested set, or a sealed interface of tools. */
    public List<ToolSelector<T>> selectAll(Class<? extends T> part) {
        return layout.entries()
                .values()
                .stream()
                .filter(entry -> part.isAssignableFrom(entry.top()))
                .map(entry -> selector(entry.name()))
                .toList();
    }

    /** The selector of a name, if a tool has it. */
    public Optional<ToolSelector<T>> find(String name) {
        return layout.entries().containsKey(name) ? Optional.of(selector(name)) : Optional.empty();
    }

    /** The selector of a name; {@code unknown_tool} with the nearest names if no tool has it. */
    public ToolSelector<T> byName(String name) {
        return find(name).orElseThrow(() -> new BelayException("unknown_tool", type().getSimpleName()
                + " has no tool \"" + name + "\"; nearest: "
                + NearestNames.of(name, layout.entries().keySet(), 3)));
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
            layout.entries().keySet().forEach(out::value);
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
     * The tools of this set as a provider, so that the method that answers calls in a loop of your own serves a runtime too.
     * Tools that the set does not offer by default are not resident. Tools known only at run time are not included; give the
     * runtime their provider. The method is called by many threads, and must return the reply of {@code run}, {@code attempt},
     * {@code complete}, {@code fail} or {@code reject} of the call.
     */
    public ToolProvider executedBy(Function<? super ToolCall<T>, ToolReply> execute) {
        Objects.requireNonNull(execute, "execute");
        return new ToolsetProvider<>(layout, call -> {
            ToolReply reply = execute.apply(new ToolCall<>(call));
            return reply == null ? null : reply.reply();
        });
    }

    ToolSelector<T> selector(String name) {
        return new ToolSelector<>(layout, name);
    }

    SetLayout<T> layout() {
        return layout;
    }
}

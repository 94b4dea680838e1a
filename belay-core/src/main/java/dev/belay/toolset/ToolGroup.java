package dev.belay.toolset;

import dev.belay.BelayException;
import dev.belay.toolset.loop.ToolEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A set nested in another one, at one place. Tools of a nested set are selected and hooked through it, because the same set may
 * stand in two places. Immutable.
 *
 * @param <T> the outer set
 * @param <S> the nested set
 */
public final class ToolGroup<T, S> {

    private final Toolset<T> outer;
    private final List<ToolEntry.Wrapper> path;
    private final Toolset<S> inner;
    private final Function<T, S> tools;

    private ToolGroup(Toolset<T> outer, List<ToolEntry.Wrapper> path, Toolset<S> inner,
            Function<T, S> tools) {
        this.outer = outer;
        this.path = path;
        this.inner = inner;
        this.tools = tools;
    }

    @SuppressWarnings("unchecked")
    static <T, G extends T, S> ToolGroup<T, S> of(Toolset<T> outer, Class<G> place, Function<G, S> tools) {
        var path = List.of(ToolEntry.Wrapper.of(outer.type(), place));
        return new ToolGroup<>(outer, path, (Toolset<S>) innerOf(place),
                whole -> tools.apply(place.cast(whole)));
    }

    /** A set nested in this one. */
    @SuppressWarnings("unchecked")
    public <G extends S, U> ToolGroup<T, U> group(Class<G> place, Function<G, U> nested) {
        List<ToolEntry.Wrapper> deeper = new ArrayList<>(path);
        deeper.add(ToolEntry.Wrapper.of(inner.type(), place));
        return new ToolGroup<>(outer, List.copyOf(deeper), (Toolset<U>) innerOf(place),
                whole -> nested.apply(place.cast(tools.apply(whole))));
    }

    private static Toolset<?> innerOf(Class<?> place) {
        if (!place.isRecord() || place.getRecordComponents().length != 1) {
            throw new BelayException("bad_nested",
                    place.getName() + " is not a record that holds a set of tools");
        }
        return Toolset.of(place.getRecordComponents()[0].getType());
    }

    /** The nested set itself. */
    public Toolset<S> toolset() {
        return inner;
    }

    /** The outer selector of a nested tool. */
    public ToolSelector<T> select(Class<? extends S> tool) {
        return select(inner.select(tool));
    }

    /** The outer selector of a nested selector. */
    public ToolSelector<T> select(ToolSelector<S> nested) {
        ToolEntry<S> wanted = inner.layout().entries().get(nested.name());
        return outer.layout()
                .entries()
                .values()
                .stream()
                .filter(entry -> wanted != null && entry.leaf() == wanted.leaf()
                        && types(entry.path()).equals(types(path, wanted.path())))
                .map(entry -> outer.selector(entry.name()))
                .findFirst()
                .orElseThrow(() -> new BelayException("unknown_tool",
                        nested.name() + " is not nested here in " + outer.type().getSimpleName()));
    }

    /** The outer selectors of all nested tools, in order. */
    public List<ToolSelector<T>> selectors() {
        return inner.selectors().stream().map(this::select).toList();
    }

    /** Whether an outer input is one of this group. */
    boolean holds(T whole) {
        Object value = whole;
        for (ToolEntry.Wrapper wrapper : path) {
            if (!wrapper.type().isInstance(value)) {
                return false;
            }
            value = wrapper.access().get(value, 0);
        }
        return true;
    }

    S open(T whole) {
        return tools.apply(whole);
    }

    @SuppressWarnings("unchecked")
    T close(S nested) {
        Object value = nested;
        for (ToolEntry.Wrapper wrapper : path.reversed()) {
            value = wrapper.access().create(new Object[]{value});
        }
        return (T) value;
    }

    @SafeVarargs
    private static List<Class<?>> types(List<ToolEntry.Wrapper>... paths) {
        List<Class<?>> types = new ArrayList<>();
        for (List<ToolEntry.Wrapper> part : paths) {
            part.forEach(wrapper -> types.add(wrapper.type()));
        }
        return types;
    }
}

package dev.belay.toolset.loop;

import dev.belay.BelayException;
import dev.belay.generated.Companions;
import dev.belay.generated.RecordAccess;
import dev.belay.generated.ReflectiveAccess;
import dev.belay.tool.Dynamic;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolProvider;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One tool at its place in a set: under which name it is offered, and which nested records stand around its input.
 *
 * @param definition the tool, with the name that it has at this place
 * @param own the tool under its own name, without prefix
 * @param leaf the class of its input
 * @param path records around the input, outermost first
 * @param defaultOn whether it is offered unless the caller says otherwise
 * @param provider prepares its calls; null if nothing does
 * @param <T> the set
 */
public record ToolEntry<T>(ToolDefinition definition, ToolDefinition own, Class<?> leaf, List<Wrapper> path,
        boolean defaultOn, @Nullable ToolProvider provider) {

    /** A tool at a place whose prefix stands before its name. */
    public static <T> ToolEntry<T> of(ToolDefinition own, String prefix, Class<?> leaf, List<Wrapper> path,
            boolean placeOn, @Nullable ToolProvider provider) {
        ToolDefinition here = prefix.isEmpty() ? own : own.renamed(prefix + own.name());
        return new ToolEntry<>(here, own, leaf, path, placeOn && own.manifest().defaultOn(), provider);
    }

    /** A record of one component that stands for another set or for tools known at run time. */
    public record Wrapper(Class<?> type, RecordAccess access) {

        /** Looks at the record first by reflection, and where that is not allowed by the companion of its set. */
        public static Wrapper of(Class<?> set, Class<?> type) {
            return new Wrapper(type, access(set, type));
        }

        private static RecordAccess access(Class<?> set, Class<?> type) {
            try {
                return ReflectiveAccess.of(type);
            } catch (BelayException inaccessible) {
                return Companions.of(set)
                        .flatMap(companion -> companion.access(type))
                        .orElseThrow(() -> inaccessible);
            }
        }
    }

    public String name() {
        return definition.name();
    }

    /** The class by which the set itself knows it: of the input, or of the outermost record around it. */
    public Class<?> top() {
        return path.isEmpty() ? leaf : path.getFirst().type();
    }

    /** Whether an input is one of this tool. */
    public boolean takes(Object input) {
        return input instanceof Dynamic call ? call.tool().id().equals(own.id()) : leaf.isInstance(input);
    }

    @SuppressWarnings("unchecked")
    public T wrap(Object input) {
        Object value = input;
        for (Wrapper wrapper : path.reversed()) {
            value = wrapper.access().create(new Object[]{value});
        }
        return (T) value;
    }

    public Object unwrap(Object wrapped) {
        Object value = wrapped;
        for (Wrapper wrapper : path) {
            if (!wrapper.type().isInstance(value)) {
                return value;
            }
            value = Objects.requireNonNull(wrapper.access().get(value, 0),
                    "a nested record must not hold null");
        }
        return value;
    }
}

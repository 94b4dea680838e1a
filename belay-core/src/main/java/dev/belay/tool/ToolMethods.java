package dev.belay.tool;

import dev.belay.BelayException;
import dev.belay.tool.call.Admission;
import dev.belay.tool.call.PreparedCall;
import dev.belay.tool.context.HostValues;
import dev.belay.tool.declare.DeclaredMethods;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The methods of an object that are marked {@link Tool}, as a provider. Parameters become fields of the arguments; those marked
 * {@link FromHost} are supplied by the host, and a {@link ToolContext} is handed in where a method asks for one.
 *
 * <p>Immutable; thread-safe if the object is.
 */
public final class ToolMethods implements ToolProvider {

    private final Class<?> declaredBy;
    private final Object target;
    private final Map<ToolId, DeclaredMethods.Method> methods;
    private final List<ToolDefinition> definitions;
    private final HostValues host;

    private ToolMethods(Class<?> declaredBy, Object target, Map<ToolId, DeclaredMethods.Method> methods,
            List<ToolDefinition> definitions,
            HostValues host) {
        Admission.requireUnique(definitions);
        this.declaredBy = declaredBy;
        this.target = target;
        this.methods = methods;
        this.definitions = List.copyOf(definitions);
        this.host = host;
    }

    /**
     * The tools of an object: methods of its class, its superclasses and its interfaces; {@code not_a_tool} if it has none. What
     * already is {@code ToolMethods} stays as it is.
     */
    public static ToolMethods of(Object target) {
        if (target instanceof ToolMethods methods) {
            return methods;
        }
        if (target instanceof ToolProvider provider) {
            throw new BelayException("not_a_tool", provider.getClass().getName()
                    + " is a ToolProvider; give it where providers are taken, as in tools(…) of the runtime");
        }
        return of(target.getClass(), target);
    }

    /**
     * The tools that a class declares, run on an object that stands for one of that class, such as a proxy of a framework.
     *
     * @param declared has the methods that are marked; {@code not_a_tool} if it has none
     * @param target an object of that class, or of any class that has these methods in an interface
     */
    public static ToolMethods of(Class<?> declared, Object target) {
        List<DeclaredMethods.Method> found = DeclaredMethods.of(declared);
        if (!declared.isInstance(target)) {
            found = found.stream().map(method -> method.through(target.getClass())).toList();
        }
        List<ToolDefinition> definitions = found.stream().map(DeclaredMethods.Method::definition).toList();
        Admission.requireUnique(definitions);
        return new ToolMethods(declared, target,
                found.stream()
                        .collect(Collectors.toUnmodifiableMap(method -> method.definition().id(),
                                method -> method)),
                definitions, HostValues.NONE);
    }

    /** The same methods of another object of the class. */
    public ToolMethods on(Object other) {
        if (!declaredBy.isInstance(other)) {
            throw new IllegalArgumentException(
                    "these are methods of " + declaredBy.getName() + ", not of "
                            + other.getClass().getName());
        }
        return new ToolMethods(declaredBy, other, methods, definitions, host);
    }

    /** The same with a supplier for parameters of one type marked {@link FromHost}. */
    public <T> ToolMethods with(Class<T> type, Supplier<? extends T> supplier) {
        List<ToolDefinition> supplied = definitions.stream()
                .map(definition -> definition.supplied(type))
                .toList();
        return new ToolMethods(declaredBy, target, methods, supplied, host.with(type, supplier));
    }

    /** The same with one definition changed, for options that an annotation cannot hold; name and id must stay. */
    public ToolMethods customize(String name, UnaryOperator<ToolDefinition> change) {
        var changed = new ArrayList<ToolDefinition>();
        boolean found = false;
        for (ToolDefinition definition : definitions) {
            boolean meant = definition.name().equals(name);
            ToolDefinition next = meant ? change.apply(definition) : definition;
            if (!next.id().equals(definition.id())) {
                throw new BelayException("illegal_tool_id",
                        "customize must not change the id " + definition.id());
            }
            changed.add(next);
            found |= meant;
        }
        if (!found) {
            throw new BelayException("unknown_tool", "no tool method is named \"" + name + "\"; there are "
                    + definitions.stream().map(ToolDefinition::name).toList());
        }
        return new ToolMethods(declaredBy, target, methods, changed, host);
    }

    /** The class whose methods these are. */
    public Class<?> declaredBy() {
        return declaredBy;
    }

    /** Types of parameters marked {@link FromHost} without a supplier. */
    public List<Class<?>> missingHostValues() {
        return definitions.stream()
                .flatMap(definition -> definition.hostValues().stream())
                .distinct()
                .toList();
    }

    @Override
    public List<ToolDefinition> definitions() {
        return definitions;
    }

    @Override
    public @Nullable Object execute(PreparedCall call) throws Exception {
        DeclaredMethods.Method method = Objects.requireNonNull(methods.get(call.definition().id()),
                () -> "no tool method has the id " + call.definition().id());
        return method.call(target, (@Nullable Object[]) call.input(), call.context(), host);
    }
}

package dev.belay.tool.declare;

import dev.belay.BelayException;
import dev.belay.generated.Companion;
import dev.belay.generated.Companions;
import dev.belay.generated.Invoker;
import dev.belay.generated.ReflectiveAccess;
import dev.belay.schema.Description;
import dev.belay.schema.Names;
import dev.belay.schema.shape.ReflectedType;
import dev.belay.schema.shape.Shape;
import dev.belay.schema.shape.ShapeHash;
import dev.belay.schema.shape.ShapeMapper;
import dev.belay.schema.shape.TypeView;
import dev.belay.schema.shape.UnsupportedTypeException;
import dev.belay.tool.FromHost;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.context.HostSupplied;
import dev.belay.tool.context.HostValues;
import dev.belay.tool.context.ToolContexts;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads tools off the methods of a class, its superclasses and its interfaces. Each class that declares tools has its own companion.
 * What was read is remembered on the class.
 */
public final class DeclaredMethods {

    private static final ClassValue<List<Method>> KNOWN = new ClassValue<>() {
        @Override
        protected List<Method> computeValue(Class<?> owner) {
            return read(owner, Set.of());
        }
    };

    /**
     * One method.
     *
     * @param definition the tool it is
     * @param declared the method that is marked
     * @param parameters its parameters
     * @param invoker calls it
     */
    public record Method(ToolDefinition definition, java.lang.reflect.Method declared, List<Slot> parameters,
            Invoker invoker) {

        /** The same method for an object of another class, such as a proxy, called through an interface of that class. */
        public Method through(Class<?> proxy) {
            return Lineage.of(proxy)
                    .stream()
                    .filter(Class::isInterface)
                    .flatMap(type -> Lineage.method(type, declared).stream())
                    .findFirst()
                    .map(method -> new Method(definition, declared, parameters, ReflectiveAccess.of(method)))
                    .orElseThrow(() -> new BelayException("not_a_tool", declared.getDeclaringClass().getName()
                            + "." + key(declared) + " cannot be called on an object of " + proxy.getName()
                            + ": that is no subclass, and none of its interfaces has the method; add the method to an interface,"
                            + " or give the object itself instead of a proxy"));
        }

        public @Nullable Object call(Object target, @Nullable Object[] fields, ToolContext context,
                HostValues host)
                throws Exception {
            @Nullable
            Object[] arguments = new Object[parameters.size()];
            int field = 0;
            for (int i = 0; i < arguments.length; i++) {
                Slot parameter = parameters.get(i);
                arguments[i] = switch (parameter.origin) {
                    case HOST -> host.get(parameter.type)
                            .or(() -> supplied(context, parameter))
                            .orElseThrow(() -> hostValueMissing(parameter));
                    case CONTEXT -> ToolContexts.as(parameter.type, context);
                    case FIELD -> fields[field++];
                };
            }
            try {
                return invoker.invoke(target, arguments);
            } catch (Exception | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        }

        /** What the host supplies to this call alone. */
        private static Optional<Object> supplied(ToolContext context, Slot parameter) {
            return context instanceof HostSupplied supplied
                    ? supplied.hostValues().get(parameter.type)
                    : Optional.empty();
        }

        private ToolException hostValueMissing(Slot parameter) {
            return new ToolException(ToolFailure.ofRuntime(ToolFailure.Kind.INTERNAL, "host_value_missing",
                    "tool " + definition.name() + " needs a " + parameter.type.getSimpleName()
                            + " from the host, and none is supplied; supply one where the tool runs, as with hostValue(…) of the runtime"));
        }
    }

    /**
     * A parameter as a call sees it. Reflection would look for annotations again at each call, under a lock.
     *
     * @param type its type
     * @param origin who supplies it
     */
    record Slot(Class<?> type, Origin origin) {

        enum Origin {
            FIELD, HOST, CONTEXT
        }

        public static Slot of(Parameter parameter) {
            boolean fromHost = parameter.isAnnotationPresent(FromHost.class);
            Origin origin = fromHost ? Origin.HOST : isContext(parameter) ? Origin.CONTEXT : Origin.FIELD;
            return new Slot(parameter.getType(), origin);
        }
    }

    private record Candidate(java.lang.reflect.Method method, String key, List<String> names,
            Shape.Structure input,
            Shape output) {}

    private DeclaredMethods() {}

    /** The tools of a class, inherited ones included. A method that overrides another one and is marked too replaces that one. */
    public static List<Method> of(Class<?> owner) {
        var found = new ArrayList<Method>();
        Map<String, List<Class<?>>> markedBelow = new HashMap<>();
        for (Class<?> type : Lineage.of(owner)) {
            Set<String> overridden = overridden(owner, type, markedBelow);
            found.addAll(overridden.isEmpty() ? KNOWN.get(type) : read(type, overridden));
            marked(type, true).forEach(
                    method -> markedBelow.computeIfAbsent(key(method), none -> new ArrayList<>()).add(type));
        }
        if (found.isEmpty()) {
            throw new BelayException("not_a_tool",
                    owner.getName() + " has no tools; mark a method that is not private with @Tool");
        }
        check(owner, found.stream().map(Method::declared).toList());
        return List.copyOf(found);
    }

    /** The marked methods of a type that a marked method below it overrides; refuses one that is marked by two unrelated types. */
    private static Set<String> overridden(Class<?> owner, Class<?> type,
            Map<String, List<Class<?>>> markedBelow) {
        Set<String> overridden = new HashSet<>();
        for (java.lang.reflect.Method method : marked(type, false)) {
            List<Class<?>> others = markedBelow.getOrDefault(key(method), List.of());
            if (others.stream().anyMatch(type::isAssignableFrom)) {
                overridden.add(key(method));
            } else if (!others.isEmpty()) {
                throw new BelayException("duplicate_tool_name", owner.getName() + " inherits the tool "
                        + key(method) + " from both " + others.getFirst().getName() + " and " + type.getName()
                        + ", and neither replaces the other; mark the method in " + owner.getName()
                        + " itself with @Tool");
            }
        }
        return overridden;
    }

    /** Reads the methods of a type without those that are overridden, whose types may make sense only below. */
    private static List<Method> read(Class<?> owner, Set<String> overridden) {
        List<java.lang.reflect.Method> all = marked(owner, false);
        if (all.stream().allMatch(method -> overridden.contains(key(method)))) {
            return List.of();
        }
        check(owner, all);
        Optional<Companion> found = Companions.of(owner);
        List<java.lang.reflect.Method> marked = found.isPresent()
                ? all // its hash is about all of them
                : all.stream().filter(method -> !overridden.contains(key(method))).toList();
        List<Candidate> candidates = candidates(owner, marked, found);
        Optional<Companion> companion = found.isEmpty() ? found : Companions.of(owner, hash(candidates));
        if (companion.isEmpty()) {
            ProcessorNotice.missing(owner);
            if (found.isPresent()) {
                candidates = candidates(owner, marked, Optional.empty());
            }
        }
        List<Method> methods = new ArrayList<>();
        for (Candidate candidate : candidates) {
            if (!overridden.contains(candidate.key)) {
                methods.add(method(owner, candidate, companion));
            }
        }
        return List.copyOf(methods);
    }

    private static String hash(List<Candidate> candidates) {
        return ShapeHash.of(candidates.stream()
                .flatMap(candidate -> Stream.of(candidate.input, candidate.output))
                .toArray(Shape[]::new));
    }

    /**
     * Methods that the class itself declares, in an order that does not depend on the virtual machine.
     *
     * @param bridges whether to include methods of the compiler, by which a method overrides one with other types
     */
    private static List<java.lang.reflect.Method> marked(Class<?> owner, boolean bridges) {
        return Arrays.stream(owner.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(Tool.class) && (bridges || !method.isBridge()))
                .sorted(Comparator.comparing(DeclaredMethods::key))
                .toList();
    }

    /** Refuses what generated code could not call either, and two methods of one name. */
    private static void check(Class<?> owner, List<java.lang.reflect.Method> marked) {
        Map<String, java.lang.reflect.Method> names = new HashMap<>();
        for (java.lang.reflect.Method method : marked) {
            if (Modifier.isPrivate(method.getModifiers())) {
                throw new BelayException("private_tool_method",
                        method.getDeclaringClass().getName() + "." + key(method)
                                + " is marked @Tool but private; make it package-private or more");
            }
            java.lang.reflect.Method before = names.put(name(method), method);
            if (before != null) {
                throw new BelayException("duplicate_tool_name",
                        "tool name \"" + name(method) + "\" stands twice in "
                                + owner.getName() + ": " + place(owner, before) + " and "
                                + place(owner, method)
                                + "; give one of them another with @Tool(name = \"…\")");
            }
        }
    }

    private static String place(Class<?> owner, java.lang.reflect.Method method) {
        Class<?> declaring = method.getDeclaringClass();
        return declaring == owner ? key(method) : declaring.getName() + "." + key(method);
    }

    private static String name(java.lang.reflect.Method method) {
        String name = method.getAnnotation(Tool.class).name();
        return name.isEmpty() ? Names.snakeCase(method.getName()) : name;
    }

    private static String key(java.lang.reflect.Method method) {
        return method.getName() + Arrays.stream(method.getParameterTypes())
                .map(Class::getTypeName)
                .collect(Collectors.joining(",", "(", ")"));
    }

    private static List<Candidate> candidates(Class<?> owner, List<java.lang.reflect.Method> methods,
            Optional<Companion> companion) {
        ReflectedType.Descriptions descriptions = companion.<ReflectedType.Descriptions>map(
                found -> found::description).orElse(ReflectedType.Descriptions.NONE);
        return methods.stream().map(method -> candidate(owner, method, companion, descriptions)).toList();
    }

    private static Candidate candidate(Class<?> owner, java.lang.reflect.Method method,
            Optional<Companion> companion, ReflectedType.Descriptions descriptions) {
        String key = key(method);
        List<String> names = names(method, companion.flatMap(found -> found.method(key)));
        List<TypeView.Member> members = new ArrayList<>();
        Parameter[] parameters = method.getParameters();
        for (int i = 0; i < parameters.length; i++) {
            if (!parameters[i].isAnnotationPresent(FromHost.class) && !isContext(parameters[i])) {
                members.add(ReflectedType.member(parameters[i], names.get(i),
                        descriptions.of("#" + key + "#" + names.get(i)), descriptions));
            }
        }
        Description own = method.getAnnotation(Description.class);
        String description = own != null ? own.value() : descriptions.of("#" + key);
        try {
            Shape.Structure input = ShapeMapper.structure(owner.getName() + "#" + key, method.getName(),
                    members, description);
            Shape output = ShapeMapper
                    .map(ReflectedType.of(OutputType.ofMethod(method.getAnnotatedReturnType()),
                            descriptions));
            return new Candidate(method, key, names, input, output);
        } catch (UnsupportedTypeException unsupported) {
            throw unsupported.in(owner.getName() + "." + key);
        }
    }

    /** Names from the class file if it has them: a companion cannot notice that a parameter was renamed. */
    private static List<String> names(java.lang.reflect.Method method, Optional<Companion.Method> generated) {
        boolean present = Arrays.stream(method.getParameters()).allMatch(Parameter::isNamePresent);
        if (present) {
            return Arrays.stream(method.getParameters()).map(Parameter::getName).toList();
        }
        return generated.map(Companion.Method::parameters)
                .orElseThrow(() -> new BelayException(
                        "parameter_names_missing",
                        method.getDeclaringClass().getName() + "." + method.getName()
                                + " was compiled without parameter names; add belay-processor to the "
                                + "annotationProcessorPaths, or compile with -parameters"));
    }

    private static boolean isContext(Parameter parameter) {
        return ToolContext.class.isAssignableFrom(parameter.getType());
    }

    private static Method method(Class<?> owner, Candidate candidate, Optional<Companion> companion) {
        Tool tool = candidate.method.getAnnotation(Tool.class);
        String name = name(candidate.method);
        var draft = new ManifestDraft(name, candidate.input.description()).annotated(tool);
        var declaration = new TypedDeclaration(candidate.input, candidate.output, TypedDeclaration.Form.ARRAY,
                TypedDeclaration.loader(owner), companion.orElse(null));
        Invoker invoker = companion.flatMap(found -> found.method(candidate.key))
                .map(Companion.Method::invoker)
                .orElseGet(() -> ReflectiveAccess.of(candidate.method));
        List<Slot> slots = Arrays.stream(candidate.method.getParameters()).map(Slot::of).toList();
        return new Method(ToolDefinition.declared(draft, declaration, tool.undescribed(), needs(slots)),
                candidate.method, slots, invoker);
    }

    private static BodyNeeds needs(List<Slot> slots) {
        List<Class<?>> host = slots.stream()
                .filter(slot -> slot.origin == Slot.Origin.HOST)
                .<Class<?>>map(Slot::type)
                .distinct()
                .toList();
        List<Class<?>> contexts = slots.stream()
                .filter(slot -> slot.origin == Slot.Origin.CONTEXT && slot.type != ToolContext.class)
                .<Class<?>>map(Slot::type)
                .distinct()
                .toList();
        return new BodyNeeds(host, contexts);
    }
}

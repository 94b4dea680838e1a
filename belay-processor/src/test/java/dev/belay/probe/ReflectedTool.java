package dev.belay.probe;

import dev.belay.generated.Companion;
import dev.belay.schema.Names;
import dev.belay.schema.shape.ReflectedType;
import dev.belay.schema.shape.Shape;
import dev.belay.schema.shape.ShapeMapper;
import dev.belay.schema.shape.TypeView;
import dev.belay.tool.FromHost;
import dev.belay.tool.Nested;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolInput;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A tool as reflection finds it, by the same rules as the processor but without any of its code.
 *
 * @param name what the model says
 * @param key key of a method, or empty
 * @param method the method, or null
 * @param input shape of the arguments
 * @param output shape of the result
 */
record ReflectedTool(String name, String key, @Nullable Method method, Shape input, Shape output) {

    private static final ReflectedType.Descriptions NONE = ReflectedType.Descriptions.NONE;

    /** All tools of an owner, in the order in which they are hashed. */
    static List<ReflectedTool> of(Class<?> owner, Optional<Companion> companion) {
        if (owner.isAnnotationPresent(Tool.class)) {
            return List.of(ofType(owner));
        }
        if (owner.isSealed()) {
            Set<Class<?>> members = new LinkedHashSet<>();
            collect(owner, members);
            return members.stream().map(ReflectedTool::ofType).toList();
        }
        var methods = new TreeMap<String, Method>();
        for (Method method : owner.getDeclaredMethods()) {
            if (method.isAnnotationPresent(Tool.class)) {
                methods.put(key(method), method);
            }
        }
        return methods.entrySet()
                .stream()
                .map(entry -> ofMethod(entry.getKey(), entry.getValue(), companion))
                .toList();
    }

    private static void collect(Class<?> group, Set<Class<?>> members) {
        for (Class<?> member : group.getPermittedSubclasses()) {
            boolean tool = member.isRecord() || member.isAnnotationPresent(Tool.class);
            if (!tool) {
                collect(member, members);
            } else if (!member.isAnnotationPresent(Nested.class)) {
                members.add(member);
            }
        }
    }

    private static ReflectedTool ofType(Class<?> type) {
        Shape input = ShapeMapper.map(ReflectedType.of(type, NONE));
        if (input instanceof Shape.Choice choice) {
            input = new Shape.Structure(type.getName(), type.getName(), type.getSimpleName(),
                    List.of(new Shape.Field("type", type.getName(), choice, "")), "");
        }
        Type output = output(type, Map.of()).orElseThrow();
        return new ReflectedTool(name(type.getAnnotation(Tool.class), type.getSimpleName()), "", null, input,
                ShapeMapper.map(ReflectedType.of(output, NONE)));
    }

    private static ReflectedTool ofMethod(String key, Method method, Optional<Companion> companion) {
        List<String> names = Arrays.stream(method.getParameters()).map(Parameter::getName).toList();
        if (!Arrays.stream(method.getParameters()).allMatch(Parameter::isNamePresent)) {
            names = companion.flatMap(known -> known.method(key)).orElseThrow().parameters();
        }
        List<TypeView.Member> members = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            Parameter parameter = method.getParameters()[i];
            boolean context = ToolContext.class.isAssignableFrom(parameter.getType());
            if (!context && !parameter.isAnnotationPresent(FromHost.class)) {
                members.add(ReflectedType.member(parameter, names.get(i), "", NONE));
            }
        }
        AnnotatedType output = method.getAnnotatedReturnType();
        if (method.getReturnType().getName().equals("dev.belay.tool.ToolResult")) {
            output = ((AnnotatedParameterizedType) output).getAnnotatedActualTypeArguments()[0];
        }
        return new ReflectedTool(name(method.getAnnotation(Tool.class), method.getName()), key, method,
                ShapeMapper.structure(method.getDeclaringClass().getName() + "#" + key, method.getName(),
                        members, ""),
                ShapeMapper.map(ReflectedType.of(output, NONE)));
    }

    private static String key(Method method) {
        return Arrays.stream(method.getParameterTypes())
                .map(Class::getTypeName)
                .collect(Collectors.joining(",", method.getName() + "(", ")"));
    }

    private static String name(@Nullable Tool tool, String javaName) {
        return tool == null || tool.name().isEmpty() ? Names.snakeCase(javaName) : tool.name();
    }

    private static Optional<Type> output(Type type, Map<TypeVariable<?>, Type> bound) {
        Class<?> raw = (Class<?>) (type instanceof ParameterizedType parameterized
                ? parameterized.getRawType()
                : type);
        Map<TypeVariable<?>, Type> inner = new HashMap<>();
        if (type instanceof ParameterizedType parameterized) {
            for (int i = 0; i < raw.getTypeParameters().length; i++) {
                inner.put(raw.getTypeParameters()[i],
                        filled(parameterized.getActualTypeArguments()[i], bound));
            }
        }
        if (raw == ToolInput.class) {
            return Optional.ofNullable(inner.get(raw.getTypeParameters()[0]));
        }
        return Arrays.stream(raw.getGenericInterfaces())
                .flatMap(parent -> output(parent, inner).stream())
                .findFirst();
    }

    private static Type filled(Type type, Map<TypeVariable<?>, Type> bound) {
        if (type instanceof TypeVariable<?> variable) {
            return bound.getOrDefault(variable, type);
        }
        if (type instanceof ParameterizedType parameterized) {
            Type[] arguments = Arrays.stream(parameterized.getActualTypeArguments())
                    .map(argument -> filled(argument, bound))
                    .toArray(Type[]::new);
            return new Filled(parameterized.getRawType(), List.of(arguments));
        }
        return type;
    }

    private record Filled(Type raw, List<Type> arguments) implements ParameterizedType {
        @Override
        public Type[] getActualTypeArguments() {
            return arguments.toArray(Type[]::new);
        }

        @Override
        public Type getRawType() {
            return raw;
        }

        @Override
        public @Nullable Type getOwnerType() {
            return null;
        }
    }
}

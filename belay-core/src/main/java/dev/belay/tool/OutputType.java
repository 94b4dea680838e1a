package dev.belay.tool;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.Optional;

/** Finds the {@code O} of {@code ToolInput<O>}. */
final class OutputType {

    private OutputType() {}

    /** The output type that a class declares, directly or through its interfaces; empty if it declares none. */
    static Optional<Type> of(Class<?> type) {
        for (Type parent : type.getGenericInterfaces()) {
            if (parent instanceof ParameterizedType parameterized) {
                if (parameterized.getRawType() == ToolInput.class) {
                    return Optional.of(parameterized.getActualTypeArguments()[0])
                            .filter(argument -> !(argument instanceof TypeVariable<?>));
                }
                Optional<Type> above = of((Class<?>) parameterized.getRawType());
                if (above.isPresent()) {
                    return above;
                }
            } else if (parent instanceof Class<?> plain && plain != ToolInput.class) {
                Optional<Type> above = of(plain);
                if (above.isPresent()) {
                    return above;
                }
            }
        }
        return Optional.empty();
    }

    /** What a method returns, with {@link ToolResult} taken off. */
    static Type ofMethod(Type returned) {
        return returned instanceof ParameterizedType parameterized
                && parameterized.getRawType() == ToolResult.class
                        ? parameterized.getActualTypeArguments()[0]
                        : returned;
    }
}

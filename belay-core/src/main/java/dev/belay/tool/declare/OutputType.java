package dev.belay.tool.declare;

import dev.belay.tool.ToolInput;
import dev.belay.tool.ToolResult;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
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
    static AnnotatedType ofMethod(AnnotatedType returned) {
        return returned instanceof AnnotatedParameterizedType parameterized
                && parameterized.getType() instanceof ParameterizedType type
                && type.getRawType() == ToolResult.class
                        ? parameterized.getAnnotatedActualTypeArguments()[0]
                        : returned;
    }
}

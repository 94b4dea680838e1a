package dev.belay.tool.declare;

import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A class and all that it inherits from. */
final class Lineage {

    private Lineage() {}

    /** The class, its superclasses from near to far, then all interfaces of these; without {@link Object}. */
    static List<Class<?>> of(Class<?> type) {
        Set<Class<?>> types = new LinkedHashSet<>();
        for (Class<?> above = type; above != null && above != Object.class; above = above.getSuperclass()) {
            types.add(above);
        }
        var open = new ArrayDeque<Class<?>>(types);
        while (!open.isEmpty()) {
            for (Class<?> parent : open.remove().getInterfaces()) {
                if (types.add(parent)) {
                    open.add(parent);
                }
            }
        }
        return List.copyOf(types);
    }

    /** The method of a type that has the name and the parameter types of another method. */
    static Optional<Method> method(Class<?> type, Method like) {
        try {
            return Optional.of(type.getDeclaredMethod(like.getName(), like.getParameterTypes()));
        } catch (NoSuchMethodException e) {
            return Optional.empty();
        }
    }
}

package dev.belay.tool.declare;

import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A class and all that it inherits from. */
final class Lineage {

    private Lineage() {}

    /**
     * The class, its superclasses from near to far, then all interfaces of these, each before those that it extends; without
     * {@link Object}.
     */
    static List<Class<?>> of(Class<?> type) {
        List<Class<?>> types = new ArrayList<>();
        for (Class<?> above = type; above != null && above != Object.class; above = above.getSuperclass()) {
            types.add(above);
        }
        Set<Class<?>> interfaces = new LinkedHashSet<>();
        var open = new ArrayDeque<Class<?>>(types);
        while (!open.isEmpty()) {
            for (Class<?> parent : open.remove().getInterfaces()) {
                if (interfaces.add(parent)) {
                    open.add(parent);
                }
            }
        }
        while (!interfaces.isEmpty()) {
            Class<?> lowest = interfaces.stream()
                    .filter(each -> isLowest(each, interfaces))
                    .findFirst()
                    .orElseThrow();
            types.add(lowest);
            interfaces.remove(lowest);
        }
        return types.stream().distinct().toList();
    }

    private static boolean isLowest(Class<?> type, Set<Class<?>> types) {
        return types.stream().noneMatch(other -> other != type && type.isAssignableFrom(other));
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

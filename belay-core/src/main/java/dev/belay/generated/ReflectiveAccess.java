package dev.belay.generated;

import dev.belay.BelayException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reaches records and methods by reflection, where no companion does. */
public final class ReflectiveAccess {

    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    private ReflectiveAccess() {}

    /** Access to a record's constructor and components; {@code inaccessible_type} if its module keeps us out. */
    public static RecordAccess of(Class<?> type) {
        try {
            RecordComponent[] components = type.getRecordComponents();
            Class<?>[] types = Arrays.stream(components)
                    .map(RecordComponent::getType)
                    .toArray(Class<?>[]::new);
            Constructor<?> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            MethodHandle create = LOOKUP.unreflectConstructor(constructor)
                    .asSpreader(Object[].class, types.length)
                    .asType(MethodType.methodType(Object.class, Object[].class));
            List<MethodHandle> getters = new ArrayList<>(components.length);
            for (RecordComponent component : components) {
                Method accessor = component.getAccessor();
                accessor.setAccessible(true);
                getters.add(
                        LOOKUP.unreflect(accessor).asType(MethodType.methodType(Object.class, Object.class)));
            }
            return new HandleAccess(create, List.copyOf(getters));
        } catch (NoSuchMethodException | IllegalAccessException | InaccessibleObjectException e) {
            throw inaccessible(type, e);
        }
    }

    /** An invoker of a method; {@code inaccessible_type} if its module keeps us out. */
    public static Invoker of(Method method) {
        try {
            method.setAccessible(true);
            boolean isStatic = Modifier.isStatic(method.getModifiers());
            MethodHandle handle = LOOKUP.unreflect(method).asFixedArity();
            if (isStatic) {
                handle = MethodHandles.dropArguments(handle, 0, Object.class);
            }
            MethodHandle spread = handle.asSpreader(Object[].class, method.getParameterCount())
                    .asType(MethodType.methodType(Object.class, Object.class, Object[].class));
            return (target, arguments) -> spread.invokeExact(target, arguments);
        } catch (IllegalAccessException | InaccessibleObjectException e) {
            throw inaccessible(method.getDeclaringClass(), e);
        }
    }

    private static BelayException inaccessible(Class<?> type, Exception cause) {
        String core = ReflectiveAccess.class.getModule().isNamed() ? "dev.belay.core" : "ALL-UNNAMED";
        return new BelayException("inaccessible_type",
                type.getName() + " cannot be reached: its module " + type.getModule().getName()
                        + " does not open it. Either compile with belay-processor in the annotationProcessorPaths of "
                        + "maven-compiler-plugin (nothing has to be opened then, but the type and those of its components "
                        + "must not be private), or write \"opens " + type.getPackageName() + " to " + core
                        + ";\" into module-info.java",
                cause);
    }

    private record HandleAccess(MethodHandle create, List<MethodHandle> getters) implements RecordAccess {

        @Override
        public Object create(@Nullable Object[] values) {
            try {
                return (Object) create.invokeExact(values);
            } catch (Throwable e) {
                throw unchecked(e);
            }
        }

        @Override
        public @Nullable Object get(Object value, int index) {
            try {
                return (Object) getters.get(index).invokeExact(value);
            } catch (Throwable e) {
                throw unchecked(e);
            }
        }

        /** A canonical constructor and an accessor can throw nothing that is checked. */
        private static RuntimeException unchecked(Throwable e) {
            if (e instanceof Error error) {
                throw error;
            }
            return e instanceof RuntimeException runtime ? runtime : new IllegalStateException(e);
        }
    }
}

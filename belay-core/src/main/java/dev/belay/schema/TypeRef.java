package dev.belay.schema;

import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Type;

/**
 * Holds a type with its type arguments: <code>new TypeRef&lt;List&lt;Order&gt;&gt;() {}</code>.
 *
 * @param <T> the type
 */
public abstract class TypeRef<T> {

    private final AnnotatedType type;

    /** Takes the type from the subclass. */
    protected TypeRef() {
        if (getClass().getAnnotatedSuperclass() instanceof AnnotatedParameterizedType parameterized) {
            this.type = parameterized.getAnnotatedActualTypeArguments()[0];
        } else {
            throw new IllegalStateException("write new TypeRef<List<Order>>() {} with a type argument");
        }
    }

    /** The type. */
    public final Type type() {
        return type.getType();
    }

    /** The type with the annotations on it and in it. */
    public final AnnotatedType annotatedType() {
        return type;
    }
}

package dev.belay.schema;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;

/**
 * Holds a type with its type arguments: <code>new TypeRef&lt;List&lt;Order&gt;&gt;() {}</code>.
 *
 * @param <T> the type
 */
public abstract class TypeRef<T> {

    private final Type type;

    /** Takes the type from the subclass. */
    protected TypeRef() {
        if (getClass().getGenericSuperclass() instanceof ParameterizedType parameterized) {
            this.type = parameterized.getActualTypeArguments()[0];
        } else {
            throw new IllegalStateException("write new TypeRef<List<Order>>() {} with a type argument");
        }
    }

    /** The type. */
    public final Type type() {
        return type;
    }
}

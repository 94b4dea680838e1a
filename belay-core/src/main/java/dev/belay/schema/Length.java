package dev.belay.schema;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Bounds the length of a string, in code points. Appears in the schema and is enforced. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE_USE, ElementType.RECORD_COMPONENT, ElementType.PARAMETER})
public @interface Length {

    /** At least this many. */
    int min() default 0;

    /** At most this many. */
    int max() default Integer.MAX_VALUE;
}

package dev.belay.schema;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Bounds a number. Appears in the schema and is enforced. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE_USE, ElementType.RECORD_COMPONENT, ElementType.PARAMETER})
public @interface Range {

    /** The smallest value allowed. */
    double min() default Double.NEGATIVE_INFINITY;

    /** The largest value allowed. */
    double max() default Double.POSITIVE_INFINITY;

    /** Whether {@link #min} itself is refused. */
    boolean exclusiveMin() default false;

    /** Whether {@link #max} itself is refused. */
    boolean exclusiveMax() default false;
}

package dev.belay.tool;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a record with one component as the place of another set of tools. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Nested {

    /** Put before every name of the nested set. */
    String prefix() default "";

    /** Whether a toolset offers the nested tools by default. */
    boolean defaultOn() default true;
}

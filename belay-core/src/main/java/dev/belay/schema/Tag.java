package dev.belay.schema;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Changes how a sealed hierarchy is told apart in JSON. Without it the field {@code type} holds the variant's name in
 * snake_case.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Tag {

    /** On a variant: the value of the tag field. */
    String value() default "";

    /** On the sealed interface: the name of the tag field. */
    String property() default "type";
}

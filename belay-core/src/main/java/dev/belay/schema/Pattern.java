package dev.belay.schema;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Demands that a string contains a match of a regular expression; anchor it with {@code ^} and {@code $} to bind the whole
 * string. Appears in the schema and is enforced, in time linear in the string.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE_USE, ElementType.RECORD_COMPONENT, ElementType.PARAMETER})
public @interface Pattern {

    /** The regular expression, as ECMA-262 reads it with the flag {@code u}; back-references are not supported. */
    String value();
}

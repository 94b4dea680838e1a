package dev.belay.schema;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Demands that a string contains a match of a regular expression; anchor it with {@code ^} and {@code $} to bind the whole
 * string. Appears in the schema and is enforced, within a budget of character reads.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE_USE, ElementType.RECORD_COMPONENT, ElementType.PARAMETER})
public @interface Pattern {

    /** The regular expression; keep to what Java and ECMAScript share. */
    String value();
}

package dev.belay.schema.shape;

import java.util.List;

/**
 * One use of a Java type, as the mapping to a {@link Shape} sees it. Two things implement it: reflection at run time and the
 * annotation processor at compile time. What they show must be the same for the same source, descriptions apart.
 */
public interface TypeView {

    /** How a type is declared. */
    enum Form {
        /** A primitive type. */
        PRIMITIVE,
        /** A record. */
        RECORD,
        /** An enum. */
        ENUM,
        /** A sealed interface or abstract sealed class. */
        SEALED,
        /** An array. */
        ARRAY,
        /** A type variable or wildcard. */
        OPEN,
        /** Any other class or interface. */
        OTHER
    }

    /**
     * One component of a record or parameter of a method.
     *
     * @param name its name in JSON
     * @param type its type, with the marks that stand on it
     * @param description its description, or empty
     */
    record Member(String name, TypeView type, String description) {}

    /** How it is declared. */
    Form form();

    /** The binary name of the class ({@code java.util.List}, {@code p.Outer$Inner}) or the keyword of a primitive. */
    String name();

    /** The name as written in source, without package and enclosing types. */
    String simpleName();

    /** Type arguments of this use. */
    List<TypeView> arguments();

    /** Components of a record, in order, with type arguments put in. */
    List<Member> components();

    /** Constants of an enum, in order. */
    List<String> constants();

    /** Permitted direct subtypes of a sealed type, in order. */
    List<TypeView> permitted();

    /** Whether this use is marked {@code org.jspecify.annotations.Nullable}. */
    boolean nullable();

    /** What the constraint annotations on this use say. */
    Constraints constraints();

    /** What {@code @Tag} on the declaration says its tag value is, or empty. */
    String tagValue();

    /** What {@code @Tag} on the declaration says the tag field is. */
    String tagProperty();

    /** Description of the declaration, or empty. */
    String description();
}

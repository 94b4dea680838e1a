package dev.belay.tool.option;

/** What code mode does with values that live outside the model's text when it passes them to a tool. */
public sealed interface ArgumentProjection {

    /** Puts the values themselves in. */
    record Materialize() implements ArgumentProjection {}

    /**
     * Keeps references in one field.
     *
     * @param field the field at the root of the arguments
     */
    record PreserveRefsIn(String field) implements ArgumentProjection {}

    /** Puts the values themselves in; the default. */
    static ArgumentProjection materialize() {
        return new Materialize();
    }

    /** Keeps references in one field at the root of the arguments. */
    static ArgumentProjection preserveRefsIn(String field) {
        return new PreserveRefsIn(field);
    }
}

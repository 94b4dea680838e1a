package dev.belay.schema.shape;

import dev.belay.BelayException;

/**
 * A Java type or declaration that has no sensible schema. Thrown while tools are declared, never while a model waits; the
 * processor turns it into a compile error at the element.
 */
public final class UnsupportedTypeException extends BelayException {

    private static final long serialVersionUID = 1L;

    private final String problem;
    private final String suggestion;

    /**
     * Creates one.
     *
     * @param problem what cannot be mapped
     * @param suggestion what to write instead
     */
    public UnsupportedTypeException(String problem, String suggestion) {
        super("unsupported_type", problem + "; " + suggestion);
        this.problem = problem;
        this.suggestion = suggestion;
    }

    /** The same with the place put in front, for example {@code FindOrders.limit}. */
    public UnsupportedTypeException in(String place) {
        return new UnsupportedTypeException(place + ": " + problem, suggestion);
    }

    /** What cannot be mapped. */
    public String problem() {
        return problem;
    }

    /** What to write instead. */
    public String suggestion() {
        return suggestion;
    }
}

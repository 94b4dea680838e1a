package dev.belay.processor;

/**
 * A type that does not exist, or not yet: either the source has another mistake, which the compiler reports, or another processor
 * will write the type. The processor catches it and tries again in the next round without a message.
 */
final class UnresolvedTypeException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnresolvedTypeException(String what) {
        super(what, null, false, false);
    }
}

package dev.belay.processor;

/**
 * A type that does not exist, or not yet: the source has another mistake, which the compiler reports, or another processor will
 * write the type. Caught by the processor, which tries again in the next round and says nothing.
 */
final class UnresolvedTypeException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnresolvedTypeException(String what) {
        super(what, null, false, false);
    }
}

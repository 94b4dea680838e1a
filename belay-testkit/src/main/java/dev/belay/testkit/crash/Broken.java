package dev.belay.testkit.crash;

/** A promise that one run found broken. */
final class Broken extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates one.
     *
     * @param promise what should hold
     * @param expected the value that the promise demands in this run
     * @param found the value found
     */
    Broken(String promise, Object expected, Object found) {
        super(promise + "\n  expected: " + expected + "\n  found:    " + found);
    }
}

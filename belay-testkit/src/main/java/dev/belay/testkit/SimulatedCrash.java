package dev.belay.testkit;

/** The death of a process, as far as its journal is concerned. Thrown by probes of the test kit, and only in tests. */
public final class SimulatedCrash extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates one.
     *
     * @param where the write and the moment at which the process died
     */
    public SimulatedCrash(String where) {
        super("simulated crash: " + where, null, false, false);
    }
}

package dev.belay.tool.context;

/**
 * Unwinds a body or scope that waits, so that it costs no thread; it is entered again from its first line when the wait is
 * over. Only an effect host throws and catches this. Code in between must let it pass: whatever is done after it, and whatever
 * is returned, is discarded. It is an {@code Error} so that {@code catch (Exception e)} does not stop it, and has no stack
 * because it is not a fault.
 */
public final class Suspended extends Error {

    private static final long serialVersionUID = 1L;

    /** The one there is. */
    @SuppressWarnings("StaticAssignmentOfThrowable") // no stack, no cause, nothing suppressed: nothing to share by mistake
    public static final Suspended INSTANCE = new Suspended();

    private Suspended() {
        super("waiting; this must reach the effect host", null, false, false);
    }
}

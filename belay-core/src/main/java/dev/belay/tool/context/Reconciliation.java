package dev.belay.tool.context;

/**
 * What is known about work that started and left no answer.
 *
 * @param <T> how such work ends
 */
public sealed interface Reconciliation<T> {

    /**
     * It happened.
     *
     * @param outcome how it ended
     */
    record Happened<T>(T outcome) implements Reconciliation<T> {}

    /**
     * It did not happen, and will not: what was sent has not arrived, or was taken back.
     *
     * @param reason for the model and for people
     */
    record DidNotHappen<T>(String reason) implements Reconciliation<T> {}

    /**
     * The service behind the tool cannot tell.
     *
     * @param known what is known all the same, for the model and for people; may be empty
     */
    record Unknown<T>(String known) implements Reconciliation<T> {}

    /** It happened, and ended so. */
    static <T> Reconciliation<T> happened(T outcome) {
        return new Happened<>(outcome);
    }

    /** It did not happen, and will not. */
    static <T> Reconciliation<T> didNotHappen(String reason) {
        return new DidNotHappen<>(reason);
    }

    /** The service behind the tool cannot tell. */
    static <T> Reconciliation<T> unknown() {
        return new Unknown<>("");
    }
}

package dev.belay.runtime.effect;

import dev.belay.schema.Violations;

/** The answer to an attempt to settle a wait. */
public sealed interface Delivery {

    /** It settled the wait. */
    record Accepted() implements Delivery {}

    /** The wait was settled before, with equal content. */
    record Same() implements Delivery {}

    /**
     * The wait was settled before, with other content.
     *
     * @param winner that settled it
     */
    record Lost(Resolution winner) implements Delivery {}

    /**
     * The value does not fit what the wait is for, and the wait stays open. Send another value.
     *
     * @param violations of the output schema of the tool, as it was when the key was handed out
     */
    record Refused(Violations violations) implements Delivery {}

    /** There is no such wait: the key is wrong, altered, revoked, or its scope is gone. All of these have one answer. */
    record Unknown() implements Delivery {}
}

package dev.belay.runtime.dispatch.body;

import dev.belay.runtime.effect.JournalException;
import dev.belay.tool.call.BodyRunner;

/** How the run of a body ended, seen from the call. */
public sealed interface BodyEnd {

    /**
     * It gave its own answer.
     *
     * @param ended which
     */
    record Answered(BodyRunner.Ended ended) implements BodyEnd {}

    /**
     * It took too long.
     *
     * @param why which limit it passed
     */
    record Expired(String why) implements BodyEnd {}

    /**
     * It was cancelled while it ran.
     *
     * @param reason why
     */
    record Stopped(String reason) implements BodyEnd {}

    /**
     * It was cancelled before it ran.
     *
     * @param reason why
     */
    record NotStarted(String reason) implements BodyEnd {}

    /**
     * The virtual machine failed in it.
     *
     * @param error how
     */
    record Broken(VirtualMachineError error) implements BodyEnd {}

    /**
     * It was left by a failure of the store that may pass, which is no answer of its own.
     *
     * @param failure which
     */
    record StoreFailed(JournalException failure) implements BodyEnd {}

    /** It waits, and will be entered again. */
    record Waits() implements BodyEnd {}
}

package dev.belay.runtime.effect.scope;

import dev.belay.json.Json;
import dev.belay.runtime.store.journal.EffectRow;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a scope does about an effect, from the record of the effect. {@link #decide} is pure: it reads nothing but its
 * arguments.
 */
sealed interface EffectDecision {

    /** In place of the result of a started effect: the host was closed while it ran. */
    Json STOPPED = Json.string("stopped");

    /** There is no record: run it. */
    record Run() implements EffectDecision {}

    /**
     * The record has the result.
     *
     * @param row that record
     * @param result never null, unlike the record's
     */
    record Answer(EffectRow row, Json result) implements EffectDecision {}

    /**
     * Its body runs in this process: wait for it.
     *
     * @param row the record of its start
     */
    record Wait(EffectRow row) implements EffectDecision {}

    /**
     * An earlier owner started it, its body does not run any more, and it may be repeated or has not begun: run it again.
     *
     * @param row the record of its start
     * @param input of the first run and of the next
     */
    record TakeOver(EffectRow row, Json input) implements EffectDecision {}

    /**
     * The code asks for an effect that differs from its record: run nothing.
     *
     * @param difference for people; several lines
     */
    record Mismatch(String difference) implements EffectDecision {}

    /**
     * An earlier owner started it, its body does not run any more, it must not be repeated, and it left no outcome.
     *
     * @param row the record of its start
     * @param input of the first run
     */
    record InDoubt(EffectRow row, Json input) implements EffectDecision {}

    /**
     * The record differs from anything that Belay writes: run nothing.
     *
     * @param problem for people
     */
    record Corrupt(String problem) implements EffectDecision {}

    /** Whether the body of a started effect still runs. */
    enum Liveness {
        /** The effect was not started. */
        NONE,
        /** Its body runs in this process. */
        HERE,
        /** Its body does not run any more. */
        GONE
    }

    /**
     * The effect that a scope asks for. It has no effect class: the class in the record of the start decides.
     *
     * @param hash of the identity
     * @param identity the decisions it follows from
     * @param ordinal its place among the effects of its scope
     * @param fence of the scope
     */
    record Request(String hash, Json identity, int ordinal, long fence) {}

    /**
     * Decides. Identity and place come before everything else that the record says.
     *
     * @param row the record of the effect, or null
     * @param request the effect that is asked for
     * @param owner whether the body of a started effect still runs
     */
    static EffectDecision decide(@Nullable EffectRow row, Request request, Liveness owner) {
        if (row == null) {
            return new Run();
        }
        if (!row.hash().equals(request.hash())) {
            return new Mismatch(JsonDifference.between(row.identity(), request.identity())
                    .map(places -> "it is recorded with another identity; " + places)
                    .orElse("the hash of its identity differs: recorded " + row.hash() + ", now "
                            + request.hash()
                            + "; the identities are equal, so the record was altered or the way to hash has changed"));
        }
        if (row.ordinal() != request.ordinal()) {
            return new Mismatch("its place differs: recorded as effect number " + row.ordinal()
                    + " of its scope, now number " + request.ordinal()
                    + "; effects are asked for in an order that depends only on recorded values");
        }
        return row.status() == EffectRow.Status.STARTED ? started(row, request, owner) : settled(row);
    }

    private static EffectDecision settled(EffectRow row) {
        return row.result() == null
                ? new Corrupt("the record is " + row.status() + " and has no result")
                : new Answer(row, row.result());
    }

    private static EffectDecision started(EffectRow row, Request request, Liveness owner) {
        if (owner == Liveness.HERE) {
            return new Wait(row);
        }
        if (row.input() == null || row.effect() == null) {
            return new Corrupt("the record is STARTED and has no "
                    + (row.input() == null ? "input" : "effect class"));
        }
        if (row.fence() > request.fence()) {
            return new Corrupt("the record was STARTED under fence " + row.fence()
                    + ", and the scope that asks has fence " + request.fence()
                    + ": it was taken over, or the record is not its own");
        }
        Json input = Objects.requireNonNull(row.input());
        return switch (row.effect()) {
            case READ, IDEMPOTENT -> new TakeOver(row, input);
            case ONCE -> row.isNotBegun() ? new TakeOver(row, input) : new InDoubt(row, input);
        };
    }
}

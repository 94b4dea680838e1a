package dev.belay.laws.journal;

import static dev.belay.laws.journal.JournalBench.ALL;
import static dev.belay.laws.journal.JournalBench.LIMIT;
import static dev.belay.laws.journal.JournalBench.RESULT;
import static dev.belay.laws.journal.JournalBench.at;
import static dev.belay.laws.journal.JournalBench.completed;
import static dev.belay.laws.journal.JournalBench.completion;
import static dev.belay.laws.journal.JournalBench.id;
import static dev.belay.laws.journal.JournalBench.input;
import static dev.belay.laws.journal.JournalBench.named;
import static dev.belay.laws.journal.JournalBench.ok;
import static dev.belay.laws.journal.JournalBench.opening;
import static dev.belay.laws.journal.JournalBench.park;
import static dev.belay.laws.journal.JournalBench.row;
import static dev.belay.laws.journal.JournalBench.start;
import static dev.belay.laws.journal.JournalBench.startedWith;
import static dev.belay.laws.journal.JournalBench.submit;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.EffectRow.Status;
import dev.belay.runtime.store.journal.EffectWrite;
import dev.belay.runtime.store.journal.KeptBytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * One write of a journal, with its preparation. {@link #all} has one for every method that writes.
 *
 * @param name the name that a probe must receive
 * @param leavesTraces whether the records show after the owner's death that it was applied
 * @param setUp prepares the records; returns the claim that the write uses
 * @param act the write
 */
record JournalWrite(String name, boolean leavesTraces, Function<StoreDriver, Claim> setUp,
        BiConsumer<StoreDriver, Claim> act) {

    /** The scope that every write is about. */
    static final String SCOPE = "s";
    static final String RESOURCE = "r";

    private static final Json LARGE = Json.string("x".repeat(70_000));

    static List<JournalWrite> all() {
        List<JournalWrite> all = new ArrayList<>();
        all.addAll(ofScopes());
        all.addAll(ofRecords());
        all.addAll(ofWaits());
        all.addAll(ofTheRest());
        return all;
    }

    private static JournalWrite write(String name, Function<StoreDriver, Claim> setUp,
            BiConsumer<StoreDriver, Claim> act) {
        return new JournalWrite(name, true, setUp, act);
    }

    private static Claim started(StoreDriver journal) {
        return start(journal, SCOPE);
    }

    private static Claim submitted(StoreDriver journal) {
        Claim other = start(journal, "other");
        submit(journal, SCOPE);
        return other;
    }

    private static Claim parked(StoreDriver journal) {
        Claim claim = started(journal);
        park(journal, claim, completion("w", at(10)));
        return claim;
    }

    private static Claim stuck(StoreDriver journal) {
        Claim claim = started(journal);
        journal.write(claim, opening("a", completion("w", at(10))));
        journal.stick(claim, "why not", at(2));
        return claim;
    }

    private static List<JournalWrite> ofScopes() {
        return List.of(
                write("submit s", journal -> start(journal, "other"),
                        (journal, claim) -> journal.submit(id(SCOPE), input(SCOPE), false, at(2))),
                write("submit s", journal -> start(journal, "other"),
                        (journal, claim) -> journal.submit(id(SCOPE), input(SCOPE), true, at(2))),
                write("take s", JournalWrite::submitted,
                        (journal, claim) -> journal.takeReady(ALL, LIMIT, at(2))),
                write("take s", JournalWrite::submitted,
                        (journal, claim) -> journal.takeReady(ALL, 0, at(2))),
                write("reenter s", JournalWrite::started,
                        (journal, claim) -> journal.reenter(claim, LIMIT, at(2))),
                write("reenter s", JournalWrite::started,
                        (journal, claim) -> journal.reenter(claim, 1, at(2))),
                write("give-back s", JournalWrite::started,
                        (journal, claim) -> journal.giveBack(claim, at(2))),
                write("end s", journal -> {
                    Claim claim = started(journal);
                    journal.write(claim, opening("a", completion("w", at(10))));
                    return claim;
                }, (journal, claim) -> journal.end(claim, RESULT, at(2))),
                write("stick s", JournalWrite::started,
                        (journal, claim) -> journal.stick(claim, "why not", at(2))),
                write("retry s", JournalWrite::stuck, (journal, claim) -> journal.retry(id(SCOPE), at(2))),
                write("abandon s", JournalWrite::stuck,
                        (journal, claim) -> journal.abandon(id(SCOPE), RESULT, at(2))));
    }

    private static List<JournalWrite> ofRecords() {
        var start = new EffectWrite(row("a", Status.STARTED, null), RESOURCE, null,
                List.of(completion("w", at(10))), at(2));
        var outcome = new EffectWrite(row("a", Status.COMPLETED, LARGE), null, RESOURCE, List.of(),
                at(2));
        var smaller = new EffectWrite(row("a", Status.FAILED, RESULT), null, null, List.of(), at(2));
        return List.of(
                write("effect a STARTED", JournalWrite::started,
                        (journal, claim) -> journal.write(claim, start)),
                write("effect a COMPLETED", journal -> {
                    Claim claim = started(journal);
                    journal.write(claim, startedWith("a", RESOURCE));
                    return claim;
                }, (journal, claim) -> journal.write(claim, outcome)),
                write("effect a FAILED", journal -> {
                    Claim claim = started(journal);
                    journal.write(claim, new EffectWrite(row("a", Status.STARTED, LARGE), null, null,
                            List.of(), at(2)));
                    return claim;
                }, (journal, claim) -> journal.write(claim, smaller)),
                write("hold r", JournalWrite::started,
                        (journal, claim) -> journal.take(claim, RESOURCE, "a", at(2))),
                write("keep " + AttachmentPromises.ABC_HASH, JournalWrite::started,
                        (journal, claim) -> journal.keep(claim, SCOPE, AttachmentPromises.ABC, at(2))),
                write("keep " + AttachmentPromises.LARGE_HASH, JournalWrite::started,
                        (journal, claim) -> journal.keep(claim, SCOPE, AttachmentPromises.LARGE, at(2))),
                new JournalWrite("release r", false, journal -> {
                    Claim claim = started(journal);
                    journal.take(claim, RESOURCE, "a", at(2));
                    return claim;
                }, (journal, claim) -> journal.release(RESOURCE, id(SCOPE), "a")));
    }

    private static List<JournalWrite> ofWaits() {
        return List.of(
                write("park s", JournalWrite::started,
                        (journal, claim) -> journal.park(claim, List.of(completion("w", at(10))),
                                Set.of(named("w")), false, at(20), at(2))),
                write("issue w", JournalWrite::started,
                        (journal, claim) -> journal.issue(claim, named("w"), RESULT, at(2))),
                write("resolve w", JournalWrite::parked,
                        (journal, claim) -> journal.resolve(id(SCOPE), claim.incarnation(), named("w"), ok(1),
                                false, at(2))),
                write("resolve w", JournalWrite::parked,
                        (journal, claim) -> journal.resolve(id(SCOPE), claim.incarnation(), named("w"), ok(1),
                                true, at(2))),
                write("resolve early", JournalWrite::started,
                        (journal, claim) -> journal.resolve(id(SCOPE), claim.incarnation(), named("early"),
                                ok(1), true, at(2))),
                write("due s", JournalWrite::parked, (journal, claim) -> journal.takeDue(ALL, at(10))),
                write("due s", journal -> {
                    Claim claim = started(journal);
                    journal.write(claim, opening("a", completion("w", at(10))));
                    return claim;
                }, (journal, claim) -> journal.takeDue(ALL, at(10))),
                write("cancel s", JournalWrite::parked,
                        (journal, claim) -> journal.cancel(id(SCOPE), "enough", false, at(2))),
                write("cancel s", JournalWrite::parked,
                        (journal, claim) -> journal.cancel(id(SCOPE), "enough", true, at(2))));
    }

    private static List<JournalWrite> ofTheRest() {
        return List.of(
                write("late a", JournalWrite::started,
                        (journal, claim) -> journal.late(id(SCOPE), "a", RESULT, at(2))),
                write("rotate-secret", JournalWrite::started, (journal, claim) -> journal.rotateSecret()),
                write("revoke-secret", JournalWrite::started,
                        (journal, claim) -> journal.revokeSecret(journal.currentSecret().id())),
                write("collect outputs", journal -> {
                    Claim claim = started(journal);
                    for (Json result : List.of(LARGE, RESULT)) {
                        journal.write(claim, new EffectWrite(row("a", Status.STARTED, result), null, null,
                                List.of(), at(2)));
                    }
                    return claim;
                }, (journal, claim) -> journal.collectOutputs(at(90))),
                write("collect effects", journal -> {
                    Claim claim = started(journal);
                    journal.write(claim, completed("a", LARGE));
                    journal.write(claim, completed("b", RESULT));
                    journal.keep(claim, SCOPE, AttachmentPromises.ABC, at(2));
                    journal.end(claim, RESULT, at(2));
                    return claim;
                }, (journal, claim) -> journal.collectEffects(at(90))));
    }

    /** All that another journal sees in the records after the owner's death. Some of it shows only by writing. */
    String tracesFor(StoreDriver reader) {
        var text = new StringBuilder();
        for (String scope : List.of(SCOPE, "other")) {
            text.append(scope).append(": ").append(reader.state(id(scope)));
            text.append("\n  waits ").append(sorted(reader.waits(id(scope))));
            text.append("\n  effects ")
                    .append(sorted(reader.effects(id(scope)))
                            .replace(LARGE.text(), "LARGE"));
            text.append("\n  late ").append(sorted(reader.lateResults(id(scope)))).append('\n');
        }
        for (KeptBytes kept : List.of(AttachmentPromises.ABC, AttachmentPromises.LARGE)) {
            text.append("keeps ")
                    .append(reader.kept(SCOPE, kept.reference()).map(Arrays::hashCode))
                    .append('\n');
        }
        text.append("stuck ").append(reader.stuck());
        text.append("\ndue ").append(reader.nextDue());
        text.append("\nsecret ")
                .append(reader.currentSecret().id())
                .append(" first there: ")
                .append(reader.secret(1).isPresent());
        int unused = reader.collectOutputs(at(99));
        if (name.equals("collect outputs")) {
            // otherwise a journal may have kept a large result before the record that refers to it
            text.append("\noutputs without a reference ").append(unused);
        }
        text.append("\nmay be taken ")
                .append(sorted(reader.takeReady(ALL, LIMIT, at(50))
                        .stream()
                        .map(one -> one.scope() + " " + one.fence() + " " + one.entries() + " "
                                + one.cancelReason() + " "
                                + reader.schema(one.scope(), one.incarnation(), named("w")))
                        .toList()));
        text.append("\nresource ").append(reader.take(start(reader, "afterwards"), RESOURCE, "k", at(50)));
        return text.toString();
    }

    private static String sorted(List<?> rows) {
        return rows.stream().map(Object::toString).sorted().toList().toString();
    }
}

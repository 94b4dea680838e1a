package dev.belay.laws.store;

import static dev.belay.laws.store.StoreBench.ANY;
import static dev.belay.laws.store.StoreBench.P;
import static dev.belay.laws.store.StoreBench.S;
import static dev.belay.laws.store.StoreBench.accept;
import static dev.belay.laws.store.StoreBench.at;
import static dev.belay.laws.store.StoreBench.command;
import static dev.belay.laws.store.StoreBench.ending;
import static dev.belay.laws.store.StoreBench.event;
import static dev.belay.laws.store.StoreBench.grant;
import static dev.belay.laws.store.StoreBench.incarnation;
import static dev.belay.laws.store.StoreBench.input;
import static dev.belay.laws.store.StoreBench.process;
import static dev.belay.laws.store.StoreBench.run;
import static dev.belay.laws.store.StoreBench.start;
import static dev.belay.laws.store.StoreBench.startProcess;
import static dev.belay.laws.store.StoreBench.state;
import static dev.belay.laws.store.StoreBench.turn;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Claim;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * One kind of write, for tests that hold for all of them.
 *
 * @param title describes it in a test report
 * @param name the name that the probe receives
 * @param setUp prepares the store; returns the claim that the write needs
 * @param act the write
 */
record SessionWrite(String title, String name, Function<StoreDriver, Claim> setUp,
        BiConsumer<StoreDriver, Claim> act) {

    private static final SessionId COPY = new SessionId("copy");

    static List<SessionWrite> all() {
        return List.of(
                new SessionWrite("accept, a new session", "accept " + S + " " + "a", SessionWrite::other,
                        (store, claim) -> store.accept(S, incarnation(1), input("a"), ANY, true, at(3))),
                new SessionWrite("accept, a command first", "accept " + S + " " + "c", SessionWrite::other,
                        (store, claim) -> accept(store, command("c"))),
                new SessionWrite("accept, a next turn", "accept " + S + " " + "a", store -> {
                    run(store, 1);
                    return other(store);
                }, (store, claim) -> store.accept(S, incarnation(1), input("a"), ANY, false, at(3))),
                new SessionWrite("accept, behind a turn", "accept " + S + " " + "b",
                        store -> start(store, "a"),
                        (store, claim) -> accept(store, input("b"))),
                new SessionWrite("withdraw", "withdraw " + S + " " + "b", SessionWrite::twoWait,
                        (store, claim) -> store.withdraw(S, "b", at(3))),
                new SessionWrite("commit", "commit " + S + " " + 1, store -> start(store, "a"),
                        (store, claim) -> store.commit(claim, turn(1, "a"), true, at(3))),
                new SessionWrite("commit, and a next turn", "commit " + S + " " + 1, SessionWrite::twoWait,
                        (store, claim) -> store.commit(claim, state(turn(1, "a", "c"), Json.TRUE), true,
                                at(3))),
                new SessionWrite("abandon", "abandon " + S + " " + 1, store -> {
                    Claim claim = twoWait(store);
                    store.stick(claim, "lost its way", at(2));
                    return claim;
                }, (store, claim) -> store.abandon(state(turn(1, "a"), Json.TRUE), true, at(3))),
                new SessionWrite("create", "create " + S, SessionWrite::other,
                        (store, claim) -> store.create(PastPromises.past(S, 1), at(3))),
                new SessionWrite("create, and keep what another keeps", "create " + COPY, store -> {
                    Claim claim = start(store, "a");
                    StoreBench.keep(store, claim);
                    return claim;
                }, (store, claim) -> store.create(PastPromises.past(COPY, 2).keepingOf(incarnation(1)),
                        at(3))),
                new SessionWrite("delete, and keep nothing any more", "delete " + S, store -> {
                    Claim claim = start(store, "a");
                    StoreBench.keep(store, claim);
                    return claim;
                }, (store, claim) -> store.delete(S, at(3))),
                new SessionWrite("delete", "delete " + S, store -> {
                    run(store, 1);
                    return twoWait(store);
                }, (store, claim) -> store.delete(S, at(3))),
                new SessionWrite("delete, a parked turn", "delete " + S, SessionWrite::parked,
                        (store, claim) -> store.delete(S, at(3))),
                new SessionWrite("start a process", "start-process " + P, SessionWrite::other,
                        (store, claim) -> store
                                .start(process("p", "what"), List.of(grant(S, 1)), true, at(3))),
                new SessionWrite("grant a process", "grant-process " + P + " " + S,
                        store -> startProcess(store, "p"),
                        (store, claim) -> store.grant(P, grant(S, 1), at(3))),
                new SessionWrite("tell an event", "event " + P + " " + "k",
                        store -> startProcess(store, "p"),
                        (store, claim) -> store.tell(claim, P, event("k"), at(3))),
                new SessionWrite("tell an event from outside", "event " + P + " " + "k",
                        store -> startProcess(store, "p"),
                        (store, claim) -> store.tell(P, event("k"), at(3))),
                new SessionWrite("signal a process", "signal " + P, ProcessSignalPromises::parked,
                        (store, claim) -> store
                                .signal(P, ProcessSignalPromises.signal("go", "key"), false, at(3))),
                new SessionWrite("watch a process", "watch " + P,
                        store -> startProcess(store, "p"),
                        (store, claim) -> store.watch(P, "token", at(3))),
                new SessionWrite("end a process", "end-process " + P, SessionWrite::watched,
                        (store, claim) -> store.end(claim, ending("p", 1), at(3))),
                new SessionWrite("abandon a process", "abandon-process " + P, store -> {
                    Claim claim = watched(store);
                    store.stick(claim, "lost its way", at(2));
                    return claim;
                }, (store, claim) -> store.abandon(ending("p", 1), at(3))),
                new SessionWrite("stop a turn", "stop " + TurnScope.id(incarnation(1), 1), store -> {
                    Claim claim = start(store, "a");
                    store.giveBack(claim, at(2));
                    return claim;
                }, (store, claim) -> store.stop(claim.scope(), "why", at(3))),
                new SessionWrite("withdraw, as an operator", "withdraw " + S + " b", SessionWrite::twoWait,
                        (store, claim) -> store.withdraw(S, "b", OperatorPromises.NOTE, at(3))),
                new SessionWrite("close, with a note", "profile " + S, SessionWrite::twoWait,
                        (store, claim) -> noting(store).profile(S, before -> before.closed(at(3)))),
                new SessionWrite("cancel, with a note", "cancel " + TurnScope.id(incarnation(1), 1),
                        SessionWrite::parked,
                        (store, claim) -> noting(store).cancel(claim.scope(), "why", true, at(3))),
                new SessionWrite("retry, with a note", "retry " + TurnScope.id(incarnation(1), 1), store -> {
                    Claim claim = twoWait(store);
                    store.stick(claim, "lost its way", at(2));
                    return claim;
                }, (store, claim) -> noting(store).retry(claim.scope(), at(3))),
                new SessionWrite("abandon, with a note", "abandon " + S + " " + 1, store -> {
                    Claim claim = twoWait(store);
                    store.stick(claim, "lost its way", at(2));
                    return claim;
                }, (store, claim) -> noting(store).abandon(state(turn(1, "a"), Json.TRUE), true, at(3))),
                new SessionWrite("delete, with a note", "delete " + S, SessionWrite::parked,
                        (store, claim) -> noting(store).delete(S, at(3))),
                new SessionWrite("a note", "note verb s", SessionWrite::other,
                        (store, claim) -> store.note(OperatorPromises.NOTE, at(3))),
                new SessionWrite("delete, with grants", "delete " + S, SessionWrite::watched,
                        (store, claim) -> store.delete(S, at(3))));
    }

    private static StoreDriver noting(StoreDriver store) {
        return store.noting(OperatorPromises.NOTE, at(3));
    }

    /** A process that is watched and granted to two sessions, one of which is busy. */
    private static Claim watched(StoreDriver store) {
        other(store);
        Claim claim = startProcess(store, "p", grant(S, 1), grant(new SessionId("other"), 51));
        store.watch(P, "token", at(2));
        return claim;
    }

    private static Claim other(StoreDriver store) {
        return start(store, new SessionId("other"), incarnation(50), "x");
    }

    /** A parked turn with every kind of record that a turn can have. */
    private static Claim parked(StoreDriver store) {
        Claim claim = start(store, "a");
        StoreDriver journal = store;
        journal.write(claim, DeletePromises.effect("k", Json.TRUE));
        journal.write(claim, DeletePromises.effect("l", Json.string("x".repeat(70_000))));
        journal.late(claim.scope(), "k", Json.FALSE, at(2));
        journal.take(claim, "account", "k", at(2));
        List<OpenWait> waits = List.of(
                new OpenWait(DeletePromises.WAIT, OpenWait.Kind.COMPLETION, at(60), null),
                new OpenWait(new WaitName("v"), OpenWait.Kind.EVENT, null, "ask"));
        journal.park(claim, waits, Set.of(DeletePromises.WAIT), false, at(50), at(2));
        return claim;
    }

    /** A turn for a, and behind it an input and a command. */
    private static Claim twoWait(StoreDriver store) {
        Claim claim = start(store, "a");
        accept(store, input("b"));
        accept(store, command("c"));
        return claim;
    }
}

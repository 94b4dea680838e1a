package dev.belay.laws.store;

import static dev.belay.laws.store.StoreBench.ALL;
import static dev.belay.laws.store.StoreBench.arrival;
import static dev.belay.laws.store.StoreBench.at;
import static dev.belay.laws.store.StoreBench.incarnation;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.store.Acceptance;
import dev.belay.runtime.store.Arrival.Kind;
import dev.belay.runtime.store.Arrived;
import dev.belay.runtime.store.Committed;
import dev.belay.runtime.store.NewSession;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.StoredMessage;
import dev.belay.runtime.store.TurnCommit;
import dev.belay.runtime.store.TurnRow;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.testkit.crash.RecordsOpening;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Runs random calls on two stores of the same sessions and on a {@link SessionModel}, and compares. Confined to one thread. */
final class SessionPlayer {

    /**
     * A claim that a store has returned, perhaps long ago.
     *
     * @param claim the claim
     * @param session its session
     * @param incarnation the incarnation of the session
     * @param turn its turn
     */
    record Held(Claim claim, String session, long incarnation, long turn) {}

    private static final List<String> SESSIONS = List.of("a", "b%");
    private static final List<String> IDS = List.of("i1", "i2", "i3", "i4", "i5", "i_", "i%");

    private final Random random;
    private final long seed;
    private final List<StoreDriver> stores = new ArrayList<>();
    private final SessionModel model = new SessionModel();
    private final List<Held> held = new ArrayList<>();
    private long incarnations;
    private long fresh;
    private int step;

    SessionPlayer(StoreBench bench, long seed) {
        this.seed = seed;
        random = new Random(seed);
        RecordsOpening sessions = bench.freshSessions();
        stores.add(bench.open(sessions, JournalProbe.NONE));
        stores.add(bench.open(sessions, JournalProbe.NONE));
    }

    void play(int steps) {
        for (step = 0; step < steps; step++) {
            int n = random.nextInt(2);
            StoreDriver store = stores.get(n);
            String session = pick(SESSIONS);
            switch (random.nextInt(20)) {
                case 0, 1, 2, 3, 4, 5 -> accept(store, n, session);
                case 6, 7, 8, 9, 10, 11 -> commit(store, n);
                case 12, 13 -> take(store, n);
                case 14 -> stick(store, n);
                case 15, 16 -> abandon(store, n, session);
                case 17 -> compare("withdraw", withdrawn(store, session));
                case 18 -> create(store, session);
                default -> {
                    if (random.nextInt(4) == 0) {
                        compare("delete", new String[]{"" + model.delete(session),
                            "" + store.delete(new SessionId(session), at(step))});
                    }
                }
            }
            for (String one : SESSIONS) {
                compare("picture of " + one, model.picture(one), picture(stores.get(1 - n), one));
            }
        }
    }

    private <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    private void compare(String what, String[] both) {
        compare(what, both[0], both[1]);
    }

    private void compare(String what, String expected, String found) {
        assertThat(found).as("seed %s, step %s, %s", seed, step, what).isEqualTo(expected);
    }

    private void accept(StoreDriver store, int n, String session) {
        String id = random.nextInt(3) == 0 ? pick(IDS) : "f" + fresh++;
        Kind kind = random.nextInt(4) == 0 ? Kind.COMMAND : Kind.INPUT;
        String content = random.nextInt(5) == 0 ? "other" : "content";
        long expected = random.nextInt(4) == 0 ? random.nextInt(6) : -1;
        boolean take = random.nextBoolean();
        incarnations++;
        String answer = model.accept(session, incarnations, new SessionModel.Row(id, kind.name(), content, 0),
                expected, take ? n : -1);
        compare("accept " + id, answer, words(session, store.accept(new SessionId(session),
                incarnation(incarnations), arrival(id, kind, content), expected, take, at(step))));
    }

    private String words(String session, Acceptance answer) {
        return answer instanceof Acceptance.Started started
                ? "started " + started.turn() + words(session, started.claim())
                : unclaimed(answer);
    }

    /** An answer in the words of the model, if it claimed no turn. */
    static String unclaimed(Acceptance answer) {
        return switch (answer) {
            case Acceptance.Started started -> "started " + started.turn() + " free";
            case Acceptance.Waits waits -> "waits " + waits.place();
            case Acceptance.Known known -> "known " + words(known.arrived());
            case Acceptance.Conflict conflict -> "conflict " + words(conflict.arrived());
            case Acceptance.Closed closed -> "closed";
            case Acceptance.Overtaken overtaken -> "overtaken";
        };
    }

    private String words(String session, @Nullable Claim claim) {
        if (claim == null) {
            return " free";
        }
        hold(session, claim);
        return " fence " + claim.fence();
    }

    private void hold(String session, Claim claim) {
        SessionModel.Kept kept = StoreBench.present(model.session(session));
        held.add(new Held(claim, session, kept.incarnation, claim.input()
                .value()
                .get("turn")
                .orElseThrow()
                .asLong()));
    }

    private static String words(Arrived arrived) {
        return arrived.arrival().id() + " " + arrived.arrival().kind() + " "
                + arrived.arrival().content().asString() + " at " + arrived.place() + " in " + arrived.turn();
    }

    /** Commits, mostly with a claim that may hold and the right turn, sometimes with any. */
    private void commit(StoreDriver store, int n) {
        if (held.isEmpty()) {
            return;
        }
        Held one = random.nextInt(4) == 0 ? pick(held) : held.getLast();
        long turn = random.nextInt(8) == 0 ? random.nextInt(5) : one.turn();
        String session = random.nextInt(10) == 0 ? pick(SESSIONS) : one.session();
        boolean take = random.nextBoolean();
        SessionModel.Ending ending = ending(session, turn);
        String answer = model.commit(one, n, ending, take ? n : -1);
        compare("commit " + turn, answer,
                words(session, store.commit(one.claim(), commit(ending), take, at(step))));
    }

    private void abandon(StoreDriver store, int n, String session) {
        SessionModel.Kept kept = model.session(session);
        long turn = kept == null || random.nextInt(4) == 0 ? random.nextInt(4) : kept.turns.size();
        boolean take = random.nextBoolean();
        SessionModel.Ending ending = ending(session, turn);
        String answer = model.abandon(ending, take ? n : -1);
        compare("abandon " + turn, answer, words(session, store.abandon(commit(ending), take, at(step))));
    }

    private SessionModel.Ending ending(String session, long turn) {
        List<String> messages = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            messages.add("m" + step + "-" + i);
        }
        SessionModel.Kept kept = model.session(session);
        List<String> taken = new ArrayList<>();
        if (kept != null) {
            kept.arrivals.keySet().stream().filter(id -> random.nextInt(3) == 0).forEach(taken::add);
        }
        taken.add("unknown");
        return new SessionModel.Ending(session, turn, "receipt " + (random.nextInt(6) == 0 ? 9 : turn),
                messages, random.nextBoolean() ? "s" + step : null, "result " + step, taken);
    }

    private static TurnCommit commit(SessionModel.Ending ending) {
        return new TurnCommit(new SessionId(ending.session()), ending.turn(), ending.receipt(),
                ending.messages().stream().map(Json::string).toList(),
                ending.state() == null ? null : Json.string(ending.state()), Json.string(ending.result()),
                ending.taken());
    }

    private String words(String session, Committed answer) {
        return switch (answer) {
            case Committed.Done done -> "done " + done.started() + words(session, done.next());
            case Committed.Already already -> "already " + end(already.turn());
            case Committed.Diverged diverged -> "diverged " + words(diverged.head());
            case Committed.Fenced fenced -> "fenced";
        };
    }

    private static @Nullable String end(TurnRow row) {
        TurnRow.End end = row.end();
        return end == null
                ? null
                : end.receipt() + " " + end.result().asString() + " state " + text(end.state()) + " messages "
                        + end.firstMessage() + "+" + end.messages();
    }

    private static @Nullable String text(@Nullable Json value) {
        return value == null ? null : value.isNull() ? "null" : value.asString();
    }

    static String words(SessionHead head) {
        return "incarnation " + head.incarnation().low() + " revision " + head.revision() + " active "
                + head.active() + " messages " + head.messages() + " last " + head.lastPlace() + " state "
                + text(head.state());
    }

    /** Claims the ready scopes through the journal. */
    private void take(StoreDriver store, int n) {
        List<String> expected = new ArrayList<>();
        for (String session : SESSIONS) {
            SessionModel.Kept kept = model.session(session);
            SessionModel.Turn turn = kept == null ? null : kept.active();
            if (kept != null && turn != null && turn.scope.equals("READY")) {
                turn.scope = "RUNNING";
                turn.owner = n;
                turn.fence++;
                expected.add(TurnScope.id(incarnation(kept.incarnation), kept.turns.size()) + " "
                        + turn.fence);
            }
        }
        List<Claim> claims = store.takeReady(ALL, ALL, at(step));
        claims.forEach(claim -> hold(claim.input().value().get("session").orElseThrow().asString(), claim));
        assertThat(claims.stream().map(claim -> claim.scope() + " " + claim.fence()).toList())
                .as("seed %s, step %s, take", seed, step)
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    private void stick(StoreDriver store, int n) {
        if (held.isEmpty()) {
            return;
        }
        Held one = held.getLast();
        SessionModel.Kept kept = model.session(one.session());
        boolean holds = kept != null && kept.incarnation == one.incarnation()
                && kept.turns.get((int) one.turn() - 1).scope.equals("RUNNING")
                && kept.turns.get((int) one.turn() - 1).owner == n
                && kept.turns.get((int) one.turn() - 1).fence == one.claim().fence();
        if (kept != null && holds) {
            kept.turns.get((int) one.turn() - 1).scope = "STUCK";
        }
        compare("stick", "" + holds, "" + store.stick(one.claim(), "why", at(step)));
    }

    private String[] withdrawn(StoreDriver store, String session) {
        SessionModel.Kept kept = model.session(session);
        String id = kept == null || kept.arrivals.isEmpty() || random.nextInt(4) == 0
                ? pick(IDS)
                : pick(List.copyOf(kept.arrivals.keySet()));
        return new String[]{"" + model.withdraw(session, id),
            "" + store.withdraw(new SessionId(session), id, at(step))};
    }

    private void create(StoreDriver store, String session) {
        incarnations++;
        List<String> messages = List.of("p1", "p2", "p3").subList(0, random.nextInt(4));
        List<TurnRow> turns = new ArrayList<>();
        List<StoredMessage> stored = new ArrayList<>();
        var id = new SessionId(session);
        for (int i = 0; i < messages.size(); i++) {
            turns.add(new TurnRow(id, i + 1L, "past", at(0),
                    new TurnRow.End("past " + (i + 1), Json.string("past"), null, i, 1, at(0))));
            stored.add(new StoredMessage(i, i + 1L, Json.string(messages.get(i))));
        }
        compare("create", "" + model.create(session, incarnations, messages, "given"),
                "" + store.create(new NewSession(id, incarnation(incarnations), Json.NULL, turns, stored,
                        Json.string("given")), at(step)));
    }

    private static String picture(StoreDriver store, String session) {
        var id = new SessionId(session);
        SessionHead head = store.head(id).orElse(null);
        if (head == null) {
            return "not there";
        }
        List<String> lines = new ArrayList<>();
        lines.add(words(head));
        for (TurnRow turn : store.turns(id, 1, ALL)) {
            ScopeState scope = store.state(TurnScope.id(head.incarnation(), turn.turn()))
                    .orElse(null);
            lines.add("turn " + turn.input() + " " + end(turn) + " scope "
                    + (scope == null ? "none 0" : scope.status() + " " + scope.fence().value()));
        }
        for (StoredMessage message : store.messages(id, 0, ALL)) {
            lines.add(message.turn() + " " + message.message().asString());
        }
        store.waiting(id).forEach(one -> lines.add("waits " + words(one)));
        return String.join("\n", lines);
    }
}

package dev.belay.store.jdbc;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.Effect.OpenDoubt;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.store.Acceptance;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.Committed;
import dev.belay.runtime.store.NewProcess;
import dev.belay.runtime.store.NewSession;
import dev.belay.runtime.store.ProcessEnding;
import dev.belay.runtime.store.ProcessEvent;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.ProcessScope;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.StoredMessage;
import dev.belay.runtime.store.TurnCommit;
import dev.belay.runtime.store.TurnRow;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Awaiting;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.Doubt;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.runtime.store.journal.EffectRow.Status;
import dev.belay.runtime.store.journal.EffectWrite;
import dev.belay.runtime.store.journal.KeptBytes;
import dev.belay.runtime.store.journal.Pause;
import dev.belay.runtime.store.journal.Submission;
import dev.belay.runtime.store.law.ProcessRules;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolId;
import dev.belay.tool.context.Incarnation;
import dev.belay.tool.context.Reconciliation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Records the golden files, which {@code build/dump-golden} then writes as SQL. Each was written by a store that ended while it ran some
 * of the scopes. It is run for a new format only.
 */
final class GoldenRecorder {

    private static final Instant START = Instant.parse("2026-11-15T10:00:00Z");
    private static final SessionId BUSY = new SessionId("größer 😀");
    private static final Incarnation BITS = new Incarnation(0x0102030405060708L, 0x1112131415161718L);

    private GoldenRecorder() {}

    /** Makes files in a directory. */
    public static void main(String[] arguments) {
        Path directory = Path.of(arguments[0]);
        try (StoreDriver store = open(directory, "4-journal")) {
            journal(store);
        }
        try (StoreDriver store = open(directory, "4-sessions")) {
            sessions(store);
        }
        try (StoreDriver store = open(directory, "4-processes")) {
            processes(store);
        }
        try (StoreDriver store = open(directory, "4-attachments")) {
            attachments(store);
        }
        try (StoreDriver store = open(directory, "4-operators")) {
            profiles(store);
            operators(store);
        }
    }

    /** A doubt that is open and one that is settled, a key that waits, a pause, and a scope that waits for a resource. */
    private static void operators(StoreDriver store) {
        Claim batch = submitted(store, "batch", "calls/1", "{}");
        for (int n = 0; n < 2; n++) {
            write(store, batch,
                    row(n, Status.STARTED, "{\"amount\":7}", null, ToolEffect.ONCE, "account:" + n),
                    "account:" + n, null, 1);
            var about = new OpenDoubt(
                    new OpenDoubt.Call("case", 1, "c" + n, new ToolId("tool:pay"), "pay", null,
                            Json.of("{\"amount\":7}"), "cd".repeat(32), null, "ef".repeat(32)),
                    "guard " + n,
                    "account:" + n, new WaitName("call/" + n + "/completion"), null, true,
                    store.owner(), "in_doubt",
                    "größer");
            store.write(batch, new EffectWrite(
                    row(n, Status.IN_DOUBT, "{\"amount\":7}",
                            "{\"v\":1,\"ended\":{\"cancelled\":\"?\"}}",
                            ToolEffect.ONCE, "account:" + n),
                    null, "account:" + n,
                    List.of(new OpenWait(new WaitName("call/" + n + "/wait"),
                            OpenWait.Kind.COMPLETION, null,
                            "ask")),
                    null, null, List.of(new OpenDoubt.Of("call/" + n + "/attempt/1", about)),
                    List.of(), at(2)));
        }
        store.settle(Doubt.id("batch", "call/1/attempt/1"), Reconciliation.didNotHappen("no trace"),
                new AuditEntry.Note(new Actor("on-call", "test"), "settle", "doubt",
                        Json.of("{\"reason\":\"no trace\"}")),
                false, at(3));
        store.pause(Pause.Target.tool("pay"), new Actor("on-call", "test"), "audit", at(4));
        store.awaits(batch, new Awaiting(Awaiting.Thing.RESOURCE, "größer", at(5)));
    }

    private static StoreDriver open(Path directory, String name) {
        return new StoreDriver(JdbcStore.sqlite(directory.resolve("golden-" + name + ".db"),
                SqliteOptions.STANDARD.withRandom(new Random(name.hashCode()))));
    }

    private static Instant at(int seconds) {
        return START.plusSeconds(seconds);
    }

    private static Claim submitted(StoreDriver journal, String scope, String kind, String input) {
        var created = (Submission.Created) journal.submit(new ScopeId(scope),
                new ScopeInput(kind, Json.of(input)), true, at(0));
        return Objects.requireNonNull(created.claim());
    }

    private static EffectRow row(int n, Status status, @Nullable String input, @Nullable String result,
            @Nullable ToolEffect effect, @Nullable String resource) {
        return new EffectRow("call/" + n + "/attempt/1", n, "attempt", "ab".repeat(32),
                Json.of("{\"tool\":\"tool:pay\",\"position\":" + n + "}"), status,
                input == null ? null : Json.of(input), result == null ? null : Json.of(result),
                "cd".repeat(32), effect, resource, 1);
    }

    private static void write(StoreDriver journal, Claim claim, EffectRow row, @Nullable String takes,
            @Nullable String releases, int at) {
        journal.write(claim, new EffectWrite(row, takes, releases, List.of(), at(at)));
    }

    private static void journal(StoreDriver journal) {
        Claim ended = submitted(journal, "ended", "batch@1", "{\"calls\": [1, 2]}");
        write(journal, ended, row(0, Status.COMPLETED, "{\"amount\":12.50}", "{\"ok\":\"größer\"}",
                ToolEffect.READ, null), null, null, 1);
        write(journal, ended, row(1, Status.STARTED, "{\"amount\":7}", null, ToolEffect.ONCE, "account:7"),
                "account:7", null, 2);
        write(journal, ended, row(1, Status.IN_DOUBT, "{\"amount\":7}",
                "{\"kind\":\"EXECUTION\",\"code\":\"in_doubt\"}", ToolEffect.ONCE, "account:7"), null,
                "account:7", 3);
        write(journal, ended, row(2, Status.FAILED, null, "{\"kind\":\"IO\"}", null, null), null, null, 4);
        write(journal, ended, row(3, Status.COMPLETED, null, "\"" + "x".repeat(70_000) + "\"",
                ToolEffect.IDEMPOTENT, null), null, null, 5);
        journal.late(ended.scope(), "call/1/attempt/1", Json.of("{\"ok\":7}"), at(9));
        journal.end(ended, Json.of("{\"outcomes\":[]}"), at(10));

        Claim parked = submitted(journal, "parked", "batch@1", "{}");
        journal.resolve(parked.scope(), parked.incarnation(), new WaitName("call/0/early"),
                Resolution.ok(Json.of("{\"paid\":true}")), false, at(1));
        write(journal, parked, row(0, Status.COMPLETED, "{}", "{\"pending\":true}", ToolEffect.ONCE, null),
                null, null, 2);
        journal.park(parked,
                List.of(new OpenWait(new WaitName("call/0/completion"), OpenWait.Kind.COMPLETION,
                        at(3600), "ask a person"),
                        new OpenWait(new WaitName("call/1/event"), OpenWait.Kind.EVENT, null, null)),
                Set.of(), false, at(60).plusNanos(1_500), at(3));

        journal.stick(submitted(journal, "stuck", "batch@1", "[]"), "replay_mismatch: another tool", at(4));
        journal.submit(new ScopeId("ready"), new ScopeInput("batch@1", Json.of("1")), false, at(5));
        journal.cancel(new ScopeId("ready"), "no longer needed", false, at(6));
        Claim running = submitted(journal, "running", "batch@1", "null");
        write(journal, running, row(0, Status.STARTED, "{}", null, ToolEffect.ONCE, "account:9"),
                "account:9", null, 7);
        journal.rotateSecret();
        journal.rotateSecret();
        journal.revokeSecret(2);
    }

    private static Arrival input(String id, String content) {
        return new Arrival(id, Arrival.Kind.INPUT, "ef".repeat(32), Json.of(content));
    }

    private static Claim accepted(StoreDriver store, SessionId session, Incarnation bits, Arrival arrival,
            int at) {
        var started = (Acceptance.Started) store.accept(session, bits, arrival, -1, true, at(at));
        return Objects.requireNonNull(started.claim());
    }

    private static TurnRow pastTurn(SessionId session, String receipt, String result, int first, int start,
            int end) {
        return new TurnRow(session, 1, "in-1", at(start),
                new TurnRow.End(receipt.repeat(32), Json.of(result), null, first, 1, at(end)));
    }

    private static void sessions(StoreDriver store) {
        Claim first = accepted(store, BUSY, BITS, input("in-1", "{\"say\": \"hello\"}"), 0);
        store.accept(BUSY, BITS, new Arrival("compact", Arrival.Kind.COMMAND, "cc".repeat(32),
                Json.of("{\"keep\":4}")), -1, true, at(1));
        store.accept(BUSY, BITS, input("in-2", "2"), -1, true, at(2));
        store.accept(BUSY, BITS, input("in-3", "3"), -1, true, at(3));
        Committed committed = store.commit(first, new TurnCommit(BUSY, 1, "ab".repeat(32),
                List.of(Json.of("{\"user\": \"hello\"}"), Json.of("{\"assistant\":\"ä\"}")),
                Json.of("{\"tools\":[]}"), Json.of("{\"text\":\"ä\"}"), List.of("in-1", "in-2"),
                List.of(Json.of("{\"call\":\"c1\"}"))), true, at(4));
        if (!(committed instanceof Committed.Done next) || next.started() != 2) {
            throw new IllegalStateException("the second turn did not start: " + committed);
        }
        var done = new SessionId("done");
        Claim other = accepted(store, done, new Incarnation(3, 4), input("in-1", "\"x\""), 5);
        store.commit(other, new TurnCommit(done, 1, "cd".repeat(32), List.of(), null,
                Json.string("x".repeat(70_000)), List.of("in-1")), true, at(6));
        var fork = new SessionId("fork");
        store.create(new NewSession(fork, new Incarnation(5, 6), Json.of("{\"fork\":\"done\"}"),
                List.of(pastTurn(fork, "cd", "{\"text\":\"old\"}", 1, 5, 6)),
                List.of(new StoredMessage(0, 0, Json.of("{\"system\":1}")),
                        new StoredMessage(1, 1, Json.of("{\"user\":2}"))),
                Json.of("{\"given\":true}")), at(7));
    }

    private static void profiles(StoreDriver store) {
        var done = new SessionId("case");
        store.create(new NewSession(done, new Incarnation(7, 8), Json.NULL, List.of(), List.of(), Json.NULL)
                .of("lawyer"), at(0));
        store.accept(done, BITS, input("in-1", "1"), -1, false, at(1));
        store.profile(done,
                before -> before.closed(at(2)).withLabels(Map.of("team", "größer", "urgent", "")));
    }

    private static @Nullable Claim started(StoreDriver processes, String id, int bits, String start,
            List<NewProcess.Grant> grants, boolean take, int at) {
        var process = new NewProcess(new ProcessId(id), new Incarnation(bits, bits + 1), "ab".repeat(32),
                Json.of(start));
        return ((ProcessRules.Starting.Started) processes.start(process, grants, take, at(at))).claim();
    }

    private static void processes(StoreDriver store) {
        StoreDriver processes = store;
        var granted = List.of(new NewProcess.Grant(BUSY, BITS));
        Claim report = Objects.requireNonNull(started(processes, "report 😀", 1,
                "{\"recovery\":\"RERUN\",\"work\":{\"body\":\"nightly-report\",\"input\":{\"month\":7}}}",
                granted, true, 0));
        var id = new ProcessId("report 😀");
        for (int n = 1; n <= 2; n++) {
            processes.tell(report, id, new ProcessEvent.Draft("step/1/" + n, "page",
                    Json.of("{\"n\": " + n + "}")), at(n));
        }
        processes.end(report, new ProcessEnding(id, Json.of("{\"v\":1,\"completed\":\"ä\"}"),
                new Arrival("process-ended/report 😀", Arrival.Kind.NOTICE, "cd".repeat(32), Json.of(
                        "{\"process\":\"report 😀\",\"text\":\"Note (process_ended): process report 😀"
                                + " (nightly-report) completed: ä\"}")),
                0), at(3));
        Claim print = Objects.requireNonNull(started(processes, "print", 3,
                "{\"recovery\":\"EXTERNAL\",\"work\":{\"external\":\"print\",\"input\":null}}", granted,
                true, 4));
        var printing = new ProcessId("print");
        processes.tell(printing, new ProcessEvent.Draft("page-1", "printed", Json.TRUE), at(5));
        processes.watch(printing, "token", at(5));
        store.park(print,
                List.of(new OpenWait(new WaitName("outcome"), OpenWait.Kind.EVENT, null, null)),
                Set.of(),
                false, null, at(6));
        started(processes, "tool", 5,
                "{\"recovery\":\"NEVER\",\"work\":{\"tool\":\"refund\",\"arguments\":{\"order\":42}}}",
                List.of(), true, 7);
        started(processes, "turn", 7,
                "{\"recovery\":\"RERUN\",\"work\":{\"turn\":\"größer 😀\",\"text\":\"Go on.\"}}", List.of(),
                false, 8);
    }

    private static void attachments(StoreDriver store) {
        KeptBytes small = KeptBytes.of("größer".getBytes(StandardCharsets.UTF_8),
                "text/plain; charset=utf-8");
        KeptBytes large = KeptBytes.of("x".repeat(70_000).getBytes(StandardCharsets.UTF_8), "image/png");
        StoreDriver journal = store;
        Claim first = accepted(store, BUSY, BITS, input("in-1", "{\"say\":\"hello\"}"), 0);
        journal.keep(first, TurnScope.keeper(first.scope()), small, at(1));
        journal.keep(first, TurnScope.keeper(first.scope()), large, at(2));
        store.commit(first, new TurnCommit(BUSY, 1, "ab".repeat(32), List.of(Json.of("{\"user\":\"hello\"}")),
                null, Json.of("{\"text\":\"ä\"}"), List.of("in-1")), true, at(3));
        var fork = new SessionId("fork");
        store.create(new NewSession(fork, new Incarnation(5, 6),
                Json.of("{\"forked\":\"größer 😀\",\"turn\":1}"),
                List.of(pastTurn(fork, "ab", "{\"text\":\"ä\"}", 0, 0, 3)),
                List.of(new StoredMessage(0, 1, Json.of("{\"user\":\"hello\"}"))), Json.NULL).keepingOf(BITS),
                at(4));
        accepted(store, BUSY, BITS, input("in-2", "2"), 5);
        Claim report = Objects.requireNonNull(started(store, "report", 7,
                "{\"recovery\":\"RERUN\",\"work\":{\"external\":\"print\",\"input\":null}}", List.of(), true,
                6));
        journal.keep(report, ProcessScope.id(new ProcessId("report")).value(), small, at(7));
        Claim batch = submitted(journal, "batch", "batch@1", "{\"calls\":[]}");
        journal.write(batch, Sample.completed(1));
        journal.keep(batch, "batch", large, at(8));
        journal.end(batch, Json.TRUE, at(9));
    }
}

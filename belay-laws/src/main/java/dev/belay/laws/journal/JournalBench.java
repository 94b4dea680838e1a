package dev.belay.laws.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.effect.WaitState;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.runtime.store.journal.EffectRow.Status;
import dev.belay.runtime.store.journal.EffectWrite;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.journal.Parking;
import dev.belay.runtime.store.journal.Submission;
import dev.belay.testkit.Together;
import dev.belay.testkit.crash.RecordsOpening;
import dev.belay.tool.ToolEffect;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** The fixture of the tests of {@link JournalContract}: journals on records, and short factories for arguments. */
final class JournalBench implements AutoCloseable {

    /** The limit of entries in tests that do not depend on it. */
    static final int LIMIT = 5;
    /** A page larger than the content of any test. */
    static final int ALL = 1_000;

    static final Json RESULT = Json.of("{\"done\":true}");

    private final Callable<RecordsOpening> fresh;
    private final int rounds;
    private final List<StoreDriver> opened = new ArrayList<>();
    private @Nullable RecordsOpening records;

    JournalBench(Callable<RecordsOpening> fresh, int rounds) {
        this.fresh = fresh;
        this.rounds = rounds;
    }

    int rounds() {
        return rounds;
    }

    /** Opens a journal on the records of this test. */
    StoreDriver open() {
        return open(JournalProbe.NONE);
    }

    /** Opens a journal on the records of this test. */
    StoreDriver open(JournalProbe probe) {
        RecordsOpening known = records;
        if (known == null) {
            known = freshRecords();
            records = known;
        }
        return open(known, probe);
    }

    /** Opens a journal on given records. */
    StoreDriver open(RecordsOpening on, JournalProbe probe) {
        try {
            var journal = new StoreDriver(on.open(probe));
            opened.add(journal);
            return journal;
        } catch (Exception e) {
            throw new AssertionError("the fixture cannot open a journal", e);
        }
    }

    RecordsOpening freshRecords() {
        try {
            return fresh.call();
        } catch (Exception e) {
            throw new AssertionError("the fixture cannot make records", e);
        }
    }

    @Override
    public void close() {
        opened.forEach(StoreDriver::close);
        RecordsOpening known = records;
        if (known != null) {
            try (StoreDriver journal = new StoreDriver(known.open(JournalProbe.NONE))) {
                assertThat(journal.inconsistencies(9)).as("what the test has left").isEmpty();
            } catch (Exception e) {
                throw new AssertionError("the fixture cannot open a journal", e);
            }
        }
    }

    /** A moment, in seconds after a fixed start. */
    static Instant at(int seconds) {
        return Instant.parse("2026-01-01T00:00:00Z").plusSeconds(seconds);
    }

    static ScopeId id(String name) {
        return new ScopeId(name);
    }

    static ScopeInput input(String value) {
        return new ScopeInput("test@1", Json.string(value));
    }

    static WaitName named(String name) {
        return new WaitName(name);
    }

    static OpenWait completion(String name) {
        return completion(name, null);
    }

    static OpenWait completion(String name, @Nullable Instant deadline) {
        return new OpenWait(named(name), OpenWait.Kind.COMPLETION, deadline, null);
    }

    static OpenWait event(String name) {
        return new OpenWait(named(name), OpenWait.Kind.EVENT, null, null);
    }

    static Resolution ok(int value) {
        return Resolution.ok(Json.number(value));
    }

    static EffectRow row(String key, Status status, @Nullable Json result) {
        return new EffectRow(key, 0, "call", "hash of " + key, Json.string("identity of " + key), status,
                Json.string("input of " + key), result, null, ToolEffect.ONCE, null, 0);
    }

    static EffectWrite started(String key) {
        return new EffectWrite(row(key, Status.STARTED, null), null, null, List.of(), at(1));
    }

    static EffectWrite completed(String key, Json result) {
        return new EffectWrite(row(key, Status.COMPLETED, result), null, null, List.of(), at(1));
    }

    static EffectWrite failed(String key) {
        return new EffectWrite(row(key, Status.FAILED, RESULT), null, null, List.of(), at(1));
    }

    static EffectWrite startedWith(String key, String resource) {
        return new EffectWrite(row(key, Status.STARTED, null), resource, null, List.of(), at(1));
    }

    static EffectWrite completedWithout(String key, String resource) {
        return new EffectWrite(row(key, Status.COMPLETED, RESULT), null, resource, List.of(), at(1));
    }

    static EffectWrite opening(String key, OpenWait... waits) {
        return new EffectWrite(row(key, Status.COMPLETED, RESULT), null, null, List.of(waits), at(1));
    }

    /** Submits a new scope and claims it. */
    static Claim start(StoreDriver journal, String scope) {
        Submission submission = journal.submit(id(scope), input(scope), true, at(0));
        assertThat(submission).isInstanceOf(Submission.Created.class);
        return present(((Submission.Created) submission).claim());
    }

    /** Submits a new scope without a claim. */
    static void submit(StoreDriver journal, String scope) {
        assertThat(journal.submit(id(scope), input(scope), false, at(0)))
                .isEqualTo(new Submission.Created(null));
    }

    /** Claims the only scope that is ready. */
    static Claim takeOne(StoreDriver journal) {
        List<Claim> claims = journal.takeReady(ALL, LIMIT, at(2));
        assertThat(claims).hasSize(1);
        return claims.getFirst();
    }

    static void park(StoreDriver journal, Claim claim, OpenWait... waits) {
        assertThat(tryPark(journal, claim, waits)).isEqualTo(new Parking.Parked());
    }

    static Parking tryPark(StoreDriver journal, Claim claim, OpenWait... waits) {
        List<OpenWait> all = List.of(waits);
        return journal.park(claim, all,
                all.stream().map(OpenWait::name).collect(java.util.stream.Collectors.toSet()), false, null,
                at(2));
    }

    static ScopeState state(StoreDriver journal, String scope) {
        return journal.state(id(scope)).orElseThrow();
    }

    static ScopeState.Status status(StoreDriver journal, String scope) {
        return state(journal, scope).status();
    }

    static WaitState waitState(StoreDriver journal, String scope, String name) {
        return journal.waits(id(scope))
                .stream()
                .filter(one -> one.name().value().equals(name))
                .findFirst()
                .orElseThrow();
    }

    static @Nullable Resolution resolution(StoreDriver journal, String scope, String name) {
        return waitState(journal, scope, name).resolution();
    }

    static EffectRow effect(StoreDriver journal, String scope, String key) {
        return journal.effects(id(scope))
                .stream()
                .filter(one -> one.key().equals(key))
                .findFirst()
                .orElseThrow();
    }

    static <T> T present(@Nullable T value) {
        if (value == null) {
            throw new AssertionError("expected a value, found none");
        }
        return value;
    }

    /** Runs both at the same time, and rethrows failures. */
    static void together(Callable<?> one, Callable<?> other) {
        Together.run(List.of(one, other));
    }
}

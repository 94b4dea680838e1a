package dev.belay.laws.journal;

import static dev.belay.laws.journal.JournalBench.ALL;
import static dev.belay.laws.journal.JournalBench.at;
import static dev.belay.laws.journal.JournalBench.id;
import static dev.belay.laws.journal.JournalBench.input;
import static dev.belay.laws.journal.JournalBench.named;
import static dev.belay.laws.journal.JournalBench.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.runtime.store.journal.EffectWrite;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.runtime.store.journal.Written;
import dev.belay.testkit.SimulatedCrash;
import dev.belay.testkit.Trap;
import dev.belay.testkit.crash.RecordsOpening;
import dev.belay.tool.context.Incarnation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Draws operations at random, runs each on a journal and on a {@link JournalModel}, and compares the answers. Journals crash in
 * the middle of writes and are opened again. Confined to one thread.
 */
final class JournalPlayer {

    private static final List<String> SCOPES = List.of("s0", "s1", "s2", "s3");
    private static final int LIMIT = 3;

    /** A journal, and its number in the model. */
    private static final class Seat {
        Trap trap = new Trap();
        @Nullable
        StoreDriver journal;
        int owner;
    }

    private final JournalBench bench;
    private final RecordsOpening records;
    private final Random random;
    private final long seed;
    private final JournalModel model = new JournalModel();
    private final List<Seat> seats = List.of(new Seat(), new Seat());
    private final List<Claim> claims = new ArrayList<>();
    private final Map<String, Incarnation> incarnations = new HashMap<>();
    private final JournalWords words = new JournalWords(claim -> {
        claims.add(claim);
        incarnations.put(claim.scope().value(), claim.incarnation());
    });
    private final Map<String, Long> fences = new HashMap<>();
    private final List<String> history = new ArrayList<>();
    private int owners;
    private int now;

    JournalPlayer(JournalBench bench, long seed) {
        this.bench = bench;
        this.seed = seed;
        records = bench.freshRecords();
        random = new Random(seed);
        seats.forEach(this::sitDown);
    }

    private void sitDown(Seat seat) {
        seat.trap = new Trap();
        seat.journal = bench.open(records, seat.trap);
        seat.owner = owners++;
        model.born(seat.owner);
    }

    void play(int steps) {
        for (int step = 0; step < steps; step++) {
            now += random.nextInt(3);
            Seat seat = pick(seats);
            if (random.nextInt(25) == 0) {
                history.add("close " + seat.owner);
                leave(seat);
            } else {
                draw(seat);
            }
            compare(JournalBench.present(pick(seats).journal));
        }
        seats.forEach(seat -> JournalBench.present(seat.journal).close());
    }

    private void leave(Seat seat) {
        JournalBench.present(seat.journal).close();
        model.died(seat.owner);
        sitDown(seat);
    }

    private void compare(StoreDriver reader) {
        for (String scope : SCOPES) {
            assertThat(JournalWords.picture(reader, scope)).as(this::story).isEqualTo(model.picture(scope));
        }
        assertThat(JournalWords.nextDue(reader)).as(this::story).isEqualTo(model.nextDue());
    }

    private String story() {
        return "seed " + seed + " after\n  " + String.join("\n  ", history) + "\n";
    }

    private void draw(Seat seat) {
        switch (claims.isEmpty() ? random.nextInt(2) : random.nextInt(10)) {
            case 0 -> submitOrTake(seat);
            case 1, 2, 3 -> write(seat);
            case 4 -> resource(seat);
            case 5, 6 -> park(seat);
            case 7 -> finish(seat);
            case 8 -> resolve(seat);
            default -> fromOutside(seat);
        }
    }

    /** Runs one write on both; sometimes the journal dies during it. */
    private void both(Seat seat, String what, Supplier<String> real, Supplier<String> modelled) {
        if (random.nextInt(12) != 0) {
            history.add(seat.owner + " at " + now + ": " + what);
            assertThat(real.get()).as(this::story).isEqualTo(modelled.get());
            return;
        }
        Moment moment = pick(List.of(Moment.values()));
        history.add(seat.owner + " at " + now + ": " + what + ", crashes " + moment);
        seat.trap.arm(moment);
        // the probe may not see a refused write; then nothing changes, and the journal is closed anyway
        Optional<String> answer = untilItCrashes(real);
        if (answer.isPresent() || moment == Moment.AFTER) {
            String expected = modelled.get();
            history.add("  the model: " + expected);
            answer.ifPresent(found -> assertThat(found).as(this::story).isEqualTo(expected));
        }
        leave(seat);
    }

    private Optional<String> untilItCrashes(Supplier<String> action) {
        try {
            String answer = action.get();
            history.add("  it went on: " + answer);
            return Optional.of(answer);
        } catch (SimulatedCrash crash) {
            return Optional.empty();
        }
    }

    private void submitOrTake(Seat seat) {
        StoreDriver journal = JournalBench.present(seat.journal);
        if (random.nextBoolean()) {
            // several writes in one call: no crash here, JournalWrite has those
            history.add(seat.owner + " at " + now + ": takeReady");
            assertThat(words.of(journal.takeReady(ALL, LIMIT, at(now)))).as(this::story)
                    .isEqualTo(model.takeReady(seat.owner, LIMIT));
            return;
        }
        String scope = pick(SCOPES);
        String value = random.nextInt(5) == 0 ? "other" : scope;
        boolean take = random.nextBoolean();
        both(seat, "submit " + scope + " " + value + " " + take,
                () -> words.of(journal.submit(id(scope), input(value), take, at(now))),
                () -> model.submit(seat.owner, scope, value, take));
    }

    private void write(Seat seat) {
        StoreDriver journal = JournalBench.present(seat.journal);
        Claim claim = claim();
        String key = pick(List.of("k0", "k1", "k2"));
        var status = pick(List.of(EffectRow.Status.values()));
        String takes = random.nextInt(3) == 0 ? pick(List.of("r0", "r1")) : null;
        String releases = random.nextInt(3) == 0 ? pick(List.of("r0", "r1")) : null;
        List<JournalModel.Opening> opens = random.nextInt(3) == 0 ? openings() : List.of();
        var write = new EffectWrite(
                row(key, status, status == EffectRow.Status.STARTED ? null : Json.TRUE), takes,
                releases, waits(opens), at(now));
        both(seat, "write " + show(claim) + " " + write,
                () -> growing(takes, journal.write(claim, write)),
                () -> model.write(seat.owner, claim.scope().value(), claim.fence(), key, status,
                        takes, releases, opens));
    }

    private void resource(Seat seat) {
        StoreDriver journal = JournalBench.present(seat.journal);
        Claim claim = claim();
        String scope = claim.scope().value();
        String resource = pick(List.of("r0", "r1"));
        String key = pick(List.of("k0", "k1"));
        if (random.nextBoolean()) {
            both(seat, "hold " + show(claim) + " " + resource + " " + key,
                    () -> growing(resource, journal.take(claim, resource, key, at(now))),
                    () -> model.take(seat.owner, scope, claim.fence(), resource, key));
        } else {
            both(seat, "release " + resource + " " + scope + " " + key, () -> {
                journal.release(resource, id(scope), key);
                return "void";
            }, () -> model.release(seat.owner, resource, scope, key));
        }
    }

    /** Checks that the fence grows; the journal decides by how much. */
    private String growing(@Nullable String resource, Written written) {
        if (resource != null && written.refusal() == null) {
            Long before = fences.put(resource, written.resourceFence());
            assertThat(written.resourceFence()).as(this::story).isGreaterThan(before == null ? 0 : before);
        }
        return JournalWords.of(written);
    }

    private void park(Seat seat) {
        StoreDriver journal = JournalBench.present(seat.journal);
        Claim claim = claim();
        List<JournalModel.Opening> opens = openings();
        Set<String> known = opens.stream()
                .map(JournalModel.Opening::name)
                .collect(Collectors.toCollection(TreeSet::new));
        if (random.nextInt(3) == 0) {
            known.add(pick(List.of("w0", "w1", "w2")));
        }
        Set<WaitName> names = known.stream().map(WaitName::new).collect(Collectors.toSet());
        boolean cancelSeen = random.nextInt(3) == 0;
        Integer wakeAt = random.nextInt(3) == 0 ? now + random.nextInt(20) : null;
        both(seat, "park " + show(claim) + " " + opens + " " + known + " " + cancelSeen + " " + wakeAt,
                () -> journal.park(claim, waits(opens), names, cancelSeen, wakeAt == null ? null : at(wakeAt),
                        at(now)).toString(),
                () -> model.park(seat.owner, claim.scope().value(), claim.fence(), opens, known, cancelSeen,
                        wakeAt));
    }

    private void finish(Seat seat) {
        StoreDriver journal = JournalBench.present(seat.journal);
        Claim claim = claim();
        String scope = claim.scope().value();
        switch (random.nextInt(6)) {
            case 0 -> both(seat, "end " + show(claim),
                    () -> "" + journal.end(claim, Json.string("ended"), at(now)),
                    () -> model.end(seat.owner, scope, claim.fence(), "ended", now));
            case 1 -> both(seat, "stick " + show(claim), () -> "" + journal.stick(claim, "drawn", at(now)),
                    () -> model.stick(seat.owner, scope, claim.fence()));
            case 2 -> both(seat, "give back " + show(claim), () -> {
                journal.giveBack(claim, at(now));
                return "void";
            }, () -> model.giveBack(seat.owner, scope, claim.fence()));
            default -> both(seat, "reenter " + show(claim),
                    () -> journal.reenter(claim, LIMIT, at(now)).map(words::of).orElse("empty"),
                    () -> model.reenter(seat.owner, scope, claim.fence(), LIMIT));
        }
    }

    private void resolve(Seat seat) {
        StoreDriver journal = JournalBench.present(seat.journal);
        if (random.nextInt(3) == 0) {
            history.add(seat.owner + " at " + now + ": takeDue");
            assertThat(words.of(journal.takeDue(ALL, at(now)))).as(this::story)
                    .isEqualTo(model.takeDue(seat.owner, now));
            return;
        }
        String scope = pick(SCOPES);
        Incarnation known = incarnations.get(scope);
        boolean right = known != null && random.nextInt(8) != 0;
        Incarnation incarnation = known != null && right ? known : new Incarnation(1, 2);
        String wait = pick(List.of("w0", "w1", "w2"));
        int value = random.nextInt(10);
        boolean take = random.nextBoolean();
        both(seat, "resolve " + scope + " " + wait + " " + value + " " + right + " " + take,
                () -> words.of(journal.resolve(id(scope), incarnation, named(wait), JournalBench.ok(value),
                        take, at(now))),
                () -> model.resolve(seat.owner, scope, right, wait, "ok " + value, take));
    }

    private void fromOutside(Seat seat) {
        StoreDriver journal = JournalBench.present(seat.journal);
        String scope = pick(SCOPES);
        boolean take = random.nextBoolean();
        switch (random.nextInt(5)) {
            case 0 -> both(seat, "cancel " + scope + " " + take,
                    () -> words.of(journal.cancel(id(scope), "because " + now, take, at(now))),
                    () -> model.cancel(seat.owner, scope, "because " + now, take));
            case 1 -> both(seat, "late " + scope, () -> {
                journal.late(id(scope), "k0", Json.string("late " + now), at(now));
                return "void";
            }, () -> model.late(scope, "k0", "late " + now));
            case 2 -> both(seat, "abandon " + scope,
                    () -> "" + journal.abandon(id(scope), Json.string("abandoned"), at(now)),
                    () -> model.abandon(scope, "abandoned", now));
            case 3 -> both(seat, "retry " + scope, () -> "" + journal.retry(id(scope), at(now)),
                    () -> model.retry(scope));
            default -> both(seat, "collect effects", () -> "" + journal.collectEffects(at(now)),
                    () -> model.collectEffects(now));
        }
    }

    /** Mostly a recent claim, sometimes an old one; a made-up one as long as there is none. */
    private Claim claim() {
        if (claims.isEmpty()) {
            return new Claim(id("nobody"), input("nobody"), 1, new Incarnation(1, 2), 1, 1, null);
        }
        int back = random.nextInt(Math.min(claims.size(), random.nextInt(5) == 0 ? claims.size() : 5));
        return claims.get(claims.size() - 1 - back);
    }

    private static String show(Claim claim) {
        return claim.scope() + "#" + claim.fence();
    }

    private List<JournalModel.Opening> openings() {
        List<JournalModel.Opening> opens = new ArrayList<>();
        for (String wait : List.of("w0", "w1", "w2")) {
            if (random.nextInt(3) == 0) {
                Integer deadline = random.nextBoolean() ? now + random.nextInt(20) : null;
                opens.add(new JournalModel.Opening(wait, random.nextBoolean(), deadline));
            }
        }
        return opens;
    }

    private static List<OpenWait> waits(List<JournalModel.Opening> opens) {
        return opens.stream()
                .map(one -> new OpenWait(named(one.name()),
                        one.event() ? OpenWait.Kind.EVENT : OpenWait.Kind.COMPLETION,
                        one.deadline() == null ? null : at(one.deadline()), null))
                .toList();
    }

    private <T> T pick(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}

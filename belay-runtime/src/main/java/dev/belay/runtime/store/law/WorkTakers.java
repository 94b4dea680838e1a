package dev.belay.runtime.store.law;

import static dev.belay.runtime.store.rows.OperatorRows.HELD;
import static dev.belay.runtime.store.rows.ScopeRows.SCOPES;
import static dev.belay.runtime.store.rows.SessionRows.SESSIONS;
import static dev.belay.runtime.store.rows.StoreRows.OWNERS;

import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.Pause;
import dev.belay.runtime.store.journal.Pauses;
import dev.belay.runtime.store.journal.Pending;
import dev.belay.runtime.store.rows.Commits;
import dev.belay.runtime.store.rows.Index;
import dev.belay.runtime.store.rows.Key;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.ScopeRows.Scope;
import dev.belay.runtime.store.rows.ScopeRows.Wait;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.SessionRows.Session;
import dev.belay.runtime.store.rows.StoreRows.Owner;
import dev.belay.runtime.store.rows.Unit;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for work, and takes it with one write for each scope. Another owner may be faster between looking and taking, so each
 * write looks again. Nothing to do costs no write.
 *
 * @param commits reads and writes
 * @param rules decide
 */
public record WorkTakers(Commits commits, ScopeRules rules) {

    /** As many as share a commit; more are found by looking again. */
    private static final int CHUNK = 256;
    private static final Selector<Owner> OWNERS_ALL = new Selector.All<>(OWNERS, "", Integer.MAX_VALUE);
    private static final Logger LOG = LoggerFactory.getLogger(WorkTakers.class);

    /**
     * Takes scopes that are ready, or whose owner is dead. One that was entered {@code limit} times without a record becomes stuck instead,
     * and does not count.
     *
     * @param most at most this many
     * @param limit entries allowed
     */
    public List<Claim> ready(int most, int limit, Instant at) {
        Set<String> dead = dead();
        List<Claim> claims = take(most, count -> takeable(dead, count),
                scope -> rules.take(scope, dead, limit, at));
        dead.forEach(this::forget);
        return claims;
    }

    private Set<String> dead() {
        return commits.read(Operation.reading(rows -> rows.add(OWNERS_ALL), unit -> {
            Set<String> found = new HashSet<>();
            unit.list(OWNERS_ALL)
                    .stream()
                    .map(Owner::id)
                    .filter(id -> !unit.isAlive(id))
                    .forEach(found::add);
            return found;
        }));
    }

    /**
     * The kinds of scopes that are ready or whose owner is dead, served here or not, each with the start of its longest wait. Scopes of
     * sessions that this runtime is limited to do not count. One read for each kind.
     */
    public Map<String, Instant> waiting() {
        Set<String> dead = dead();
        Set<String> own = new HashSet<>();
        own(dead).forEach(turn -> own.add(turn.id()));
        Map<String, Instant> kinds = new TreeMap<>();
        List<Selector<Scope>> left = new ArrayList<>();
        dead.forEach(owner -> left.add(Selector.found(Index.OWNED, owner)));
        commits.read(Operation.reading(rows -> rows.addAll(left),
                unit -> left.stream().flatMap(look -> unit.list(look).stream()).toList()))
                .forEach(scope -> note(kinds, own, scope));
        Optional<String> kind = nextKind(null);
        while (kind.isPresent()) {
            Selector<Scope> oldest = new Selector.Found<>(Index.READY_OF_KIND, kind.get(), null, null, null,
                    own.size() + 1);
            commits.read(Operation.reading(rows -> rows.add(oldest), unit -> unit.list(oldest)))
                    .forEach(scope -> note(kinds, own, scope));
            kind = nextKind(kind.get());
        }
        return kinds;
    }

    private static void note(Map<String, Instant> kinds, Set<String> own, Scope scope) {
        if (!own.contains(scope.id())) {
            kinds.merge(scope.kind(), scope.since(), (one, other) -> one.isBefore(other) ? one : other);
        }
    }

    /** The first kind behind another one of which a scope is ready. */
    private Optional<String> nextKind(@Nullable String after) {
        Selector<Scope> first = Selector.found(Index.READY_KINDS, after, null, 1);
        return commits.read(Operation.reading(rows -> rows.add(first),
                unit -> Optional.ofNullable(unit.first(first)).map(Scope::kind)));
    }

    /** Since when the oldest scope waits that {@link #ready} would take; empty if there is none. */
    public Optional<Instant> readySince() {
        Set<String> kinds = kinds(pauses());
        List<Selector<Scope>> looks = ready(byKind(kinds), 1);
        List<Own> own = own(Set.of());
        return commits.read(Operation.reading(rows -> rows.addAll(looks),
                unit -> Stream.concat(
                        own.stream()
                                .filter(turn -> turn.isOf(kinds))
                                .flatMap(turn -> Stream.ofNullable(turn.scope)),
                        looks.stream().flatMap(look -> unit.list(look).stream()))
                        .map(Scope::since)
                        .min(Comparator.naturalOrder())));
    }

    /**
     * A turn of a session that this runtime is limited to.
     *
     * @param id its scope
     * @param scope how it stands; null if that cannot be read, and the write that takes it makes it stuck
     */
    private record Own(String id, @Nullable Scope scope) {

        static Own of(Unit unit, String id) {
            try {
                return new Own(id, unit.get(SCOPES, id));
            } catch (JournalException damaged) {
                return new Own(id, null);
            }
        }

        boolean isFree(Set<String> dead) {
            return scope == null || scope.status() == Status.READY
                    || (scope.owner() != null && dead.contains(scope.owner()));
        }

        boolean isOf(@Nullable Set<String> kinds) {
            return kinds == null || scope == null || kinds.contains(scope.kind());
        }
    }

    /**
     * The turns of sessions that this runtime is limited to, and of those below them, that are ready or whose owner is dead. They are found
     * by their sessions, so that work of other sessions is not read.
     */
    private List<Own> own(Set<String> dead) {
        Map<String, Long> sessions = rules.served().sessions();
        if (sessions.isEmpty()) {
            return List.of();
        }
        return commits.read(new Operation<>(null, 0, rows -> sessions.keySet().forEach(name -> {
            rows.add(Selector.one(SESSIONS, name));
            rows.add(Selector.of(HELD, TurnScope.below(name)));
        }), (unit, rows) -> turns(unit, sessions).forEach(turn -> rows.add(Selector.one(SCOPES, turn))),
                unit -> turns(unit, sessions).stream()
                        .map(turn -> Own.of(unit, turn))
                        .filter(turn -> turn.isFree(dead))
                        .toList()));
    }

    private static Set<String> turns(Unit unit, Map<String, Long> sessions) {
        Set<String> turns = new LinkedHashSet<>();
        for (String name : sessions.keySet()) {
            try {
                Session head = unit.get(SESSIONS, name);
                if (head != null && head.active() != null && head.active() <= sessions.get(name)) {
                    turns.add(TurnScope.id(head.incarnation(), head.active()).value());
                }
            } catch (JournalException damaged) {
                LOG.debug("the session {} cannot be read", name, damaged);
            }
            unit.list(Selector.of(HELD, TurnScope.below(name))).forEach(held -> turns.add(held.scope()));
        }
        return turns;
    }

    /** The kinds that are looked for in an index: no turns, if their sessions name them. */
    private @Nullable Set<String> byKind(@Nullable Set<String> kinds) {
        if (kinds == null || rules.served().sessions().isEmpty()) {
            return kinds;
        }
        return kinds.stream().filter(kind -> !TurnScope.isTurn(kind)).collect(Collectors.toSet());
    }

    /** Housekeeping: if it fails, the next look does it, and what was taken is not lost. */
    private void forget(String owner) {
        try {
            commits.apply(KeepRules.forget(owner));
        } catch (JournalException e) {
            LOG.debug("the dead owner {} could not be forgotten", owner, e);
        }
    }

    private List<String> takeable(Set<String> dead, int most) {
        Set<String> kinds = kinds(pauses());
        List<List<String>> lists = new ArrayList<>();
        lists.add(own(dead).stream().filter(turn -> turn.isOf(kinds)).map(Own::id).toList());
        List<Selector<Scope>> looks = new ArrayList<>();
        Set<String> byKind = byKind(kinds);
        dead.forEach(owner -> looks.add(new Selector.Found<>(Index.OWNED, owner, null, null, byKind, most)));
        looks.addAll(ready(byKind, most));
        lists.addAll(commits.read(Operation.reading(rows -> rows.addAll(looks),
                unit -> looks.stream().map(look -> parents(unit.keys(look))).toList())));
        return inTurn(lists, most);
    }

    private static List<String> parents(List<Key> keys) {
        return keys.stream().map(Key::parent).toList();
    }

    /** The pauses that hold kinds, as they stand now. */
    private Pauses pauses() {
        List<Selector<Pause>> all = PauseRules.ofKinds();
        return commits.read(Operation.reading(rows -> rows.addAll(all), unit -> {
            Set<String> keys = new HashSet<>();
            all.forEach(some -> unit.list(some).forEach(pause -> keys.add(pause.target().key())));
            return new Pauses(0, keys);
        }));
    }

    /** The kinds that are served and not paused; null for all. */
    private @Nullable Set<String> kinds(Pauses pauses) {
        Set<String> kinds = rules.served().get();
        if (pauses.keys().isEmpty()) {
            return kinds;
        }
        if (kinds == null) {
            return pauses.holdsKind("") ? Set.of() : null;
        }
        Set<String> left = new HashSet<>(kinds);
        left.removeIf(pauses::holdsKind);
        return left;
    }

    private static List<Selector<Scope>> ready(@Nullable Set<String> kinds, int most) {
        List<Selector<Scope>> looks = new ArrayList<>();
        if (kinds == null) {
            looks.add(Selector.found(Index.READY, null, null, most));
        } else {
            kinds.forEach(kind -> looks
                    .add(new Selector.Found<>(Index.READY_OF_KIND, kind, null, null, null, most)));
        }
        return looks;
    }

    /** One of each list, then the next of each, so that no kind waits for the end of another. */
    private static List<String> inTurn(List<List<String>> lists, int most) {
        List<String> found = new ArrayList<>();
        int longest = lists.stream().mapToInt(List::size).max().orElse(0);
        for (int at = 0; at < longest; at++) {
            for (List<String> list : lists) {
                if (at < list.size() && found.size() < most) {
                    found.add(list.get(at));
                }
            }
        }
        return found;
    }

    /**
     * Settles waits whose deadline has come, as timed out, and takes the parked scopes that go on because of that or because their own time
     * has come.
     *
     * @param most at most this many scopes are taken
     */
    public List<Claim> due(int most, Instant now) {
        return take(most, count -> commits.read(dueScopes(now, count)), scope -> rules.due(scope, now));
    }

    private static Operation<List<String>> dueScopes(Instant now, int most) {
        Selector<Wait> waits = Selector.found(Index.DUE, null, now, most);
        Selector<Scope> waking = Selector.found(Index.WAKING, null, now, most);
        return Operation.reading(rows -> select(rows, waits, waking), unit -> {
            Set<String> found = new LinkedHashSet<>();
            unit.keys(waits).forEach(wait -> found.add(wait.parent()));
            unit.keys(waking).forEach(scope -> found.add(scope.parent()));
            return found.stream().limit(most).toList();
        });
    }

    private static void select(Collection<Selector<?>> rows, Selector<?>... selectors) {
        rows.addAll(List.of(selectors));
    }

    /** The next moment at which something comes due; a long past one if what comes due is damaged, so that it is looked at. */
    public Optional<Instant> nextDue() {
        Selector<Wait> wait = Selector.found(Index.DUE, null, null, 1);
        Selector<Scope> waking = Selector.found(Index.WAKING, null, null, 1);
        return commits.read(Operation.reading(rows -> select(rows, wait, waking), unit -> {
            try {
                return Stream.concat(unit.list(wait).stream().map(Wait::deadline),
                        unit.list(waking).stream().map(Scope::wakeAt)).min(Comparator.naturalOrder());
            } catch (JournalException damaged) {
                return Optional.of(Instant.EPOCH);
            }
        }));
    }

    private List<Claim> take(int most, IntFunction<List<String>> find,
            Function<String, Operation<Optional<Claim>>> take) {
        List<Claim> claims = new ArrayList<>();
        List<String> found = List.of();
        while (claims.size() < most) {
            List<String> before = found;
            found = find.apply(Math.min(CHUNK, most - claims.size()));
            // what is found twice was neither taken nor changed, and would be found for ever
            if (found.isEmpty() || found.equals(before)
                    || !gather(commits.submit(found.stream().map(take).toList()), claims)) {
                break;
            }
        }
        return claims;
    }

    /**
     * Waits for all of them. What was taken before one failed is returned, otherwise it would not be run; the failure is thrown
     * only if nothing was taken, and shows again at the next look.
     *
     * @return whether all went well
     */
    private static boolean gather(List<Pending<Optional<Claim>>> taking, List<Claim> claims) {
        RuntimeException failure = null;
        for (Pending<Optional<Claim>> one : taking) {
            try {
                one.await().ifPresent(claims::add);
            } catch (RuntimeException e) {
                failure = e;
            }
        }
        if (failure != null && claims.isEmpty()) {
            throw failure;
        }
        return failure == null;
    }
}

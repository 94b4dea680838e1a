package dev.belay.runtime.store.law;

import static dev.belay.runtime.store.rows.OperatorRows.HELD;
import static dev.belay.runtime.store.rows.ScopeRows.AWAITED;
import static dev.belay.runtime.store.rows.ScopeRows.INPUTS;
import static dev.belay.runtime.store.rows.ScopeRows.KEYS;
import static dev.belay.runtime.store.rows.ScopeRows.RESULTS;
import static dev.belay.runtime.store.rows.ScopeRows.SCOPES;
import static dev.belay.runtime.store.rows.ScopeRows.WAITS;

import dev.belay.json.Json;
import dev.belay.runtime.effect.CancelReceipt;
import dev.belay.runtime.effect.Effect.OpenDoubt;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Awaiting;
import dev.belay.runtime.store.journal.Cancelling;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.runtime.store.journal.Parking;
import dev.belay.runtime.store.journal.ServedKinds;
import dev.belay.runtime.store.journal.Settlement;
import dev.belay.runtime.store.journal.Submission;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.OperatorRows.DoubtRow;
import dev.belay.runtime.store.rows.OperatorRows.Held;
import dev.belay.runtime.store.rows.ScopeRows.Awaited;
import dev.belay.runtime.store.rows.ScopeRows.Input;
import dev.belay.runtime.store.rows.ScopeRows.Result;
import dev.belay.runtime.store.rows.ScopeRows.Scope;
import dev.belay.runtime.store.rows.ScopeRows.Wait;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.Unit;
import dev.belay.tool.context.Incarnation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What writes decide about scopes and their waits; their records are in {@link RecordRules}. A write that carries a {@link Claim} is
 * refused unless the scope is running, owned by this opening of the store, with exactly that fence. What it applies resets the entries of
 * its scope, and so do settling a wait and cancelling; not those of {@link #park}, {@link #reenter} and {@link #giveBack}.
 *
 * @param owners tells whose writes these are; the name changes after a node has lost its lease
 * @param served kinds of scopes that are taken when they wake
 * @param forgets whether the records of a scope go with its end
 * @param incarnations draws those of new scopes
 */
public record ScopeRules(Supplier<String> owners, ServedKinds served, boolean forgets,
        Supplier<Incarnation> incarnations) {

    private static final Json TIMED_OUT = OutcomeJson.of(new Resolution.TimedOut());
    private static final Json ENDED = cancelled("the scope has ended");
    private static final Json ABANDONED = cancelled("the scope was abandoned");
    /** Scopes are found under it that a dead owner left and that no other owner has taken since. */
    static final String LEFT = "left";
    /** Beyond the fence of any claim. */
    private static final long FENCE_OF_DAMAGED = 1L << 62;
    /** No secret has this number, so that no key of a damaged scope is known, whatever its incarnation. */
    private static final long NO_SECRET = 0;

    /** Whose writes these are. */
    String owner() {
        return owners.get();
    }

    private static Json cancelled(String reason) {
        return OutcomeJson.of(new Resolution.Cancelled(reason));
    }

    /**
     * Accepts a scope.
     *
     * @param take whether to own it at once, if its kind is served
     */
    public Operation<Submission> submit(ScopeId scope, ScopeInput input, boolean take, Instant at) {
        String id = scope.value();
        Incarnation incarnation = incarnations.get();
        return Operation.of("submit " + scope, input.value().text().length(), rows -> {
            selectWhole(rows, id);
            Secrets.select(rows);
        }, unit -> {
            Scope known = unit.get(SCOPES, id);
            if (known != null) {
                ScopeInput recorded = input(unit, known);
                return recorded.equals(input) ? new Submission.Known() : new Submission.Conflict(recorded);
            }
            return new Submission.Created(begin(unit, scope, input, take, incarnation, at));
        });
    }

    /** Makes a scope; the right to run it, if that is wanted and its kind is served here, or a program begins its own loop. */
    @Nullable
    Claim begin(Unit unit, ScopeId scope, ScopeInput input, boolean take, Incarnation incarnation,
            Instant at) {
        Scope made = Scope.submitted(scope.value(), input.kind(), incarnation, Secrets.current(unit), at);
        boolean here = take && (served.takes(input) || TurnScope.isOpen(input.kind()));
        Scope row = here ? made.taken(owner(), at) : made;
        unit.put(SCOPES, row);
        unit.put(INPUTS, new Input(scope.value(), input.value()));
        return here ? claim(row, input, false) : null;
    }

    /** Names the head of a scope, what it started from, and whether a dead owner left it. */
    static void selectWhole(Collection<Selector<?>> rows, String scope) {
        rows.add(Selector.one(SCOPES, scope));
        rows.add(Selector.one(INPUTS, scope));
        rows.add(Selector.one(HELD, LEFT, scope));
    }

    /** A scope that is given up was left by a dead owner: the claim that takes it says so, however long that takes. */
    static void left(Unit unit, String scope, boolean left, Instant at) {
        if (left) {
            unit.put(HELD, new Held(LEFT, scope, at));
        }
    }

    static ScopeInput input(Unit unit, Scope scope) {
        Input input = unit.get(INPUTS, scope.id());
        if (input == null) {
            throw JournalException.corrupt("the scope " + scope.id() + " lacks what it started from", null);
        }
        return new ScopeInput(scope.kind(), input.value());
    }

    private static Claim claim(Scope row, ScopeInput input, boolean left) {
        return new Claim(new ScopeId(row.id()), input, row.fence(), row.incarnation(), row.secret(),
                row.entries(), row.cancelReason(), left);
    }

    /** Puts a scope into the hands of this owner. */
    private Claim take(Unit unit, Scope row, Instant at) {
        Scope taken = row.taken(owner(), at);
        unit.put(SCOPES, taken);
        boolean left = unit.get(HELD, LEFT, row.id()) != null;
        if (left) {
            unit.delete(HELD, LEFT, row.id());
        }
        return claim(taken, input(unit, row), left || row.status() == Status.RUNNING);
    }

    /**
     * Takes one scope, of whatever kind, unless it runs under an owner that lives, is stuck or has ended. Its entries begin anew: a caller
     * wished it, it is no recovery.
     */
    public Operation<Optional<Claim>> claim(ScopeId scope, Instant at) {
        String id = scope.value();
        return Operation.of("take " + scope, 0, rows -> selectWhole(rows, id), unit -> {
            Scope row = unit.get(SCOPES, id);
            return row != null && isFree(unit, row)
                    ? Optional.of(take(unit, row.entries(0), at))
                    : Optional.empty();
        });
    }

    /**
     * Takes a scope that is ready or belongs to the dead. One that a pause holds is parked instead, unless it is to end; a damaged one
     * is stuck.
     */
    Operation<Optional<Claim>> take(String id, Set<String> dead, int limit, Instant at) {
        return new Operation<>("take " + new ScopeId(id), 0, rows -> selectWhole(rows, id), (unit, rows) -> {
            try {
                Scope row = unit.get(SCOPES, id);
                if (row != null) {
                    PauseRules.select(rows, input(unit, row));
                }
            } catch (JournalException damaged) {
                // it is stuck when it is decided about
            }
        }, unit -> {
            try {
                Scope row = unit.get(SCOPES, id);
                boolean free = row != null && (row.status() == Status.READY
                        || (row.owner() != null && dead.contains(row.owner())));
                if (row == null || !free) {
                    return Optional.empty();
                }
                if (!served.serves(input(unit, row))) {
                    return Optional.empty();
                }
                List<String> held = PauseRules.holding(unit, input(unit, row));
                if (!held.isEmpty() && row.cancelReason() == null) {
                    left(unit, id, row.status() == Status.RUNNING, at);
                    PauseRules.hold(unit, row, held, null, at);
                    return Optional.empty();
                }
                if (mayEnter(unit, row, limit, "", at)) {
                    return Optional.of(take(unit, row, at));
                }
                left(unit, id, row.status() == Status.RUNNING, at);
                return Optional.empty();
            } catch (JournalException damaged) {
                unit.drop();
                stickDamaged(unit, id, damaged, at);
                return Optional.empty();
            }
        });
    }

    /** A scope with a damaged head or input is stuck. Of a head that is missing or cannot be read, only the name is left. */
    private static void stickDamaged(Unit unit, String id, JournalException damaged, Instant at) {
        String because = damaged.code() + ": " + damaged.getMessage();
        Scope row;
        try {
            row = unit.get(SCOPES, id);
        } catch (JournalException unreadable) {
            row = null;
        }
        if (row == null) {
            row = Scope.submitted(id, "damaged", new Incarnation(0, 0), NO_SECRET, at)
                    .fenced(FENCE_OF_DAMAGED);
        }
        unit.put(SCOPES, row.entries(0).stuck(because, at));
    }

    private static boolean mayEnter(Unit unit, Scope row, int limit, String fault, Instant at) {
        if (row.entries() < limit) {
            return true;
        }
        unit.put(SCOPES, row.stuck(ScopeState.enteredTooOften(row.entries(), fault), at));
        return false;
    }

    /**
     * Counts one more entry of a claimed scope; its fence stays. Empty if it was fenced or is stuck now.
     *
     * @param limit entries allowed
     * @param fault what the last entry ended by, for the reason if the scope is stuck now; empty if it is not known
     */
    public Operation<Optional<Claim>> reenter(Claim claim, int limit, String fault, Instant at) {
        return Operation.of("reenter " + claim.scope(), 0, rows -> selectWhole(rows, claim.scope().value()),
                unit -> {
                    Scope row = held(unit, claim);
                    if (row == null || !mayEnter(unit, row, limit, fault, at)) {
                        return Optional.empty();
                    }
                    Scope entered = row.entries(row.entries() + 1);
                    unit.put(SCOPES, entered);
                    return Optional.of(claim(entered, input(unit, row), false));
                });
    }

    /** Gives a claimed scope back as ready. Its last entry is not counted, unless a record has started the count anew since. */
    public Operation<Boolean> giveBack(Claim claim, Instant at) {
        return change("give-back ", claim, at, row -> row.entries(Math.max(0, row.entries() - 1)).ready(at));
    }

    /** Marks a claimed scope as stuck; false if it was fenced. */
    public Operation<Boolean> stick(Claim claim, String reason, Instant at) {
        return change("stick ", claim.recorded(), at, row -> row.entries(0).stuck(reason, at));
    }

    private Operation<Boolean> change(String name, Claim claim, Instant at, UnaryOperator<Scope> change) {
        return Operation.of(name + claim.scope(), 0, rows -> selectHead(rows, claim), unit -> {
            Scope row = held(unit, claim);
            if (row != null) {
                left(unit, row.id(), claim.left(), at);
                unit.put(SCOPES, change.apply(row));
            }
            return row != null;
        });
    }

    static void selectHead(Collection<Selector<?>> rows, Claim claim) {
        rows.add(Selector.one(SCOPES, claim.scope().value()));
    }

    /** The scope of a claim that holds, or null. */
    @Nullable
    Scope held(Unit unit, Claim claim) {
        Scope row = unit.get(SCOPES, claim.scope().value());
        return row != null && row.isHeldBy(owner(), claim.fence()) ? row : null;
    }

    /**
     * Parks a scope unless something it waits for has happened: one of the waits is settled, it was cancelled, or one of the pauses is not in
     * force. One that rests until a moment, or that pauses hold, is not counted as entered.
     *
     * @param by the keys of the pauses that hold it; empty for a scope that waits
     * @param waits to open now, if they are not open yet; what was recorded when one was opened first holds for good
     * @param known names of all the waits that the scope waits for
     * @param cancelSeen whether the runner knows of a cancellation already
     * @param wakeAt when it goes on by itself, or null
     */
    public Operation<Parking> park(Claim claim, Set<String> by, List<OpenWait> waits, Set<WaitName> known,
            boolean cancelSeen, @Nullable Instant wakeAt, Instant at) {
        String scope = claim.scope().value();
        List<String> names = new ArrayList<>();
        known.forEach(name -> names.add(name.value()));
        waits.forEach(wait -> names.add(wait.name().value()));
        return Operation.of("park " + claim.scope(), 0, rows -> {
            selectHead(rows, claim);
            names.forEach(name -> rows.add(Selector.one(WAITS, scope, name)));
            Waits.select(rows, scope, waits);
            by.forEach(key -> PauseRules.select(rows, key));
        }, unit -> {
            Scope row = held(unit, claim);
            if (row == null) {
                return new Parking.Fenced();
            }
            boolean cancelled = row.cancelReason() != null && !cancelSeen;
            if (cancelled || names.stream().anyMatch(name -> Waits.isSettled(unit, row, name))
                    || by.stream().anyMatch(key -> PauseRules.find(unit, key) == null)) {
                return new Parking.Again();
            }
            boolean rests = wakeAt != null && names.isEmpty(); // in good order, so that is no failed entry
            Scope counted = by.isEmpty() && !rests ? row : row.entries(Math.max(0, row.entries() - 1));
            left(unit, scope, claim.left() && !by.isEmpty(), at);
            PauseRules.hold(unit, Waits.open(unit, counted, waits, at), by, wakeAt, at);
            return new Parking.Parked();
        });
    }

    /**
     * Says for lists what a claimed scope waits for, or that it waits for nothing more; false if it was fenced. A scope that goes on waiting
     * for the same thing keeps the moment since when.
     */
    public Operation<Boolean> awaits(Claim claim, @Nullable Awaiting why) {
        String scope = claim.scope().value();
        return Operation.of("awaits " + claim.scope(), 0, rows -> {
            selectHead(rows, claim);
            rows.add(Selector.one(AWAITED, scope));
        }, unit -> {
            if (held(unit, claim) == null) {
                return false;
            }
            Awaited before = unit.get(AWAITED, scope);
            if (why == null) {
                unit.delete(AWAITED, scope, null);
            } else {
                boolean same = before != null && before.why().what() == why.what()
                        && before.why().name().equals(why.name());
                unit.put(AWAITED, new Awaited(scope, claim.fence(),
                        before != null && same ? before.why() : why));
            }
            return true;
        });
    }

    /** Ends a scope; its open waits are settled as cancelled. False if it was fenced. */
    public Operation<Boolean> end(Claim claim, Json result, Instant at) {
        Payload payload = Payload.of(result);
        return Operation.of("end " + claim.scope(), payload.size(), rows -> {
            selectHead(rows, claim);
            selectEnd(rows, claim.scope().value(), payload);
        }, unit -> end(unit, claim, payload, List.of(), at));
    }

    /** Names what the end of a scope needs beside its head. */
    void selectEnd(Collection<Selector<?>> rows, String scope, Payload result) {
        rows.add(Waits.open(scope));
        if (forgets) {
            KeepRules.selectForgotten(rows, scope);
        }
        result.select(rows);
    }

    /** Ends a scope, and opens doubts about it; false if the claim does not hold. */
    boolean end(Unit unit, Claim claim, Payload result, List<OpenDoubt.Of> doubts, Instant at) {
        Scope row = held(unit, claim);
        if (row != null) {
            end(unit, row, result, ENDED, doubts, at);
        }
        return row != null;
    }

    /**
     * Ends a stuck scope; its open waits are settled as cancelled. False if it is not stuck.
     *
     * @param doubts about work of the scope that was started and has no answer
     */
    public Operation<Boolean> abandon(ScopeId scope, Json result, List<OpenDoubt.Of> doubts, Instant at) {
        Payload payload = Payload.of(result);
        return Operation.of("abandon " + scope, payload.size(), rows -> {
            rows.add(Selector.one(SCOPES, scope.value()));
            selectEnd(rows, scope.value(), payload);
            DoubtRules.select(rows, scope.value(), doubts);
        }, unit -> abandon(unit, scope, payload, doubts, at));
    }

    /** Ends a scope that is stuck, and opens doubts about it; false if it is not stuck. */
    boolean abandon(Unit unit, ScopeId scope, Payload result, List<OpenDoubt.Of> doubts, Instant at) {
        Scope row = unit.get(SCOPES, scope.value());
        boolean stuck = row != null && row.status() == Status.STUCK;
        if (row != null && stuck) {
            end(unit, row, result, ABANDONED, doubts, at);
            unit.delete(HELD, LEFT, row.id());
        }
        return stuck;
    }

    private void end(Unit unit, Scope row, Payload result, Json settlement, List<OpenDoubt.Of> doubts,
            Instant at) {
        new DoubtRules(this).abandoned(unit, row.id(), doubts, at);
        Scope settled = Waits.settleAll(unit, row, settlement, at).ended(at);
        unit.clear(KEYS, row.id());
        result.keep(unit, at);
        unit.put(RESULTS, new Result(row.id(), result.inline(), result.hash()));
        if (forgets && settled.effects() > 0 && unit.first(DoubtRules.ofScope(row.id())) == null) {
            KeepRules.forget(unit, settled);
        } else {
            unit.put(SCOPES, settled);
        }
    }

    /**
     * Settles a wait; if a doubt about its call is open, that too, however the wait was settled before. A parked scope becomes ready in the
     * same write if an {@code EVENT} was settled, or if no {@code COMPLETION} is left open. A scope that is taken then begins with one entry.
     *
     * @param incarnation the scope's, as the key says
     * @param take whether to own the scope at once if it becomes ready
     */
    public Operation<Settlement> resolve(ScopeId scope, Incarnation incarnation, WaitName name,
            Resolution value,
            boolean take, Instant at) {
        String id = scope.value();
        Json resolution = OutcomeJson.of(value);
        Selector<DoubtRow> doubts = DoubtRules.answeredBy(id, name.value());
        return new Operation<>("resolve " + name, resolution.text().length(), rows -> {
            selectWhole(rows, id);
            rows.add(Selector.one(WAITS, id, name.value()));
            rows.add(doubts);
        }, (unit, rows) -> new DoubtRules(this).selectSettled(unit.first(doubts), rows), unit -> {
            Scope row = unit.get(SCOPES, id);
            if (row == null || !row.incarnation().equals(incarnation)) {
                return new Settlement.Unknown();
            }
            Wait wait = Waits.find(unit, row, name.value());
            DoubtRow doubt = unit.first(doubts);
            Settlement settling = doubt == null
                    ? null
                    : new DoubtRules(this).resolve(unit, doubt, row, name, value, take, at);
            if (settling != null) {
                return settling;
            }
            if (wait != null && wait.resolution() != null) {
                return new Settlement.Lost(OutcomeJson.resolution(wait.resolution()));
            }
            if (row.status() == Status.ENDED) {
                return new Settlement.Unknown();
            }
            Scope settled = Waits.settle(unit, row, wait, name.value(), resolution, at);
            boolean wakes = Waits.wakes(settled, wait == null ? OpenWait.Kind.COMPLETION : wait.kind());
            return new Settlement.Accepted(goOn(unit, settled, wakes, take, at));
        });
    }

    /** Settles a wait that is not settled; the right to run the scope, if it was parked at this wait and is taken. */
    @Nullable
    Claim settle(Unit unit, Scope row, String name, Json resolution, boolean take, Instant at) {
        Wait wait = Waits.find(unit, row, name);
        return goOn(unit, Waits.settle(unit, row, wait, name, resolution, at), wait != null, take, at);
    }

    /** What settling and cancelling lead to: the entries begin anew, and a scope that wakes is taken or ready. */
    private @Nullable Claim goOn(Unit unit, Scope changed, boolean wakes, boolean take, Instant at) {
        Scope row = changed.entries(0);
        if (wakes && row.status() == Status.PARKED) {
            return wake(unit, row, take, at);
        }
        unit.put(SCOPES, row);
        return null;
    }

    /** A parked scope goes on: here, or wherever its kind is served. */
    private @Nullable Claim wake(Unit unit, Scope row, boolean take, Instant at) {
        if (take && served.takes(input(unit, row))) {
            return take(unit, row, at);
        }
        unit.put(SCOPES, row.ready(at));
        return null;
    }

    /** Settles what has come due in a scope; the right to run it, if it goes on because of that. */
    Operation<Optional<Claim>> due(String id, Instant now) {
        Selector<Wait> open = Waits.open(id);
        return Operation.of("due " + new ScopeId(id), 0, rows -> {
            selectWhole(rows, id);
            rows.add(open);
        }, unit -> {
            try {
                return Optional.ofNullable(due(unit, unit.get(SCOPES, id), open, now));
            } catch (JournalException damaged) {
                unit.drop();
                stickDamaged(unit, id, damaged, now);
                Json because = cancelled(damaged.code());
                // otherwise they would come due for ever
                unit.clear(KEYS, id);
                unit.keys(open)
                        .forEach(key -> unit.put(WAITS, new Wait(id, String.valueOf(key.child()),
                                OpenWait.Kind.COMPLETION, true, null, null, because, now)));
                return Optional.empty();
            }
        });
    }

    private @Nullable Claim due(Unit unit, @Nullable Scope row, Selector<Wait> open, Instant now) {
        if (row == null) {
            if (unit.keys(open).isEmpty()) {
                return null;
            }
            throw JournalException.corrupt("the scope of a wait is missing: " + unit.keys(open).getFirst(),
                    null);
        }
        List<Wait> late = unit.list(open)
                .stream()
                .filter(wait -> wait.deadline() != null && !wait.deadline().isAfter(now))
                .toList();
        Scope settled = row;
        for (Wait wait : late) {
            settled = Waits.settle(unit, settled, wait, wait.name(), TIMED_OUT, now);
        }
        Scope head = late.isEmpty() ? settled : settled.entries(0);
        boolean wakes = (row.wakeAt() != null && !row.wakeAt().isAfter(now))
                || late.stream().anyMatch(wait -> Waits.wakes(head, wait.kind()));
        if (wakes && row.status() == Status.PARKED) {
            return wake(unit, head, true, now);
        }
        if (!head.equals(row)) {
            unit.put(SCOPES, head);
        }
        return null;
    }

    /**
     * Asks a scope to end; its open waits are settled as cancelled and it becomes ready in the same write if it was parked.
     *
     * @param take whether to own the scope at once if it becomes ready
     */
    public Operation<Cancelling> cancel(ScopeId scope, String reason, boolean take, Instant at) {
        String id = scope.value();
        Json resolution = cancelled(reason);
        return new Operation<>("cancel " + scope, reason.length(), rows -> {
            selectWhole(rows, id);
            StoredResults.select(rows, id);
            rows.add(Waits.open(id));
        }, (unit, rows) -> StoredResults.selectContentOf(unit, rows, id), unit -> {
            Scope row = unit.get(SCOPES, id);
            if (row == null) {
                return new Cancelling(new CancelReceipt.Unknown(), null);
            }
            if (row.status() == Status.ENDED) {
                return new Cancelling(new CancelReceipt.AlreadyEnded(StoredResults.required(unit, id)), null);
            }
            if (row.cancelReason() != null) {
                return new Cancelling(new CancelReceipt.AlreadyRequested(row.cancelReason()), null);
            }
            Scope settled = Waits.settleAll(unit, row, resolution, at).cancelled(reason);
            return new Cancelling(new CancelReceipt.Requested(), goOn(unit, settled, true, take, at));
        });
    }

    /**
     * Makes a scope stuck that no owner runs: a ready or parked one, or one whose owner has died. False if it is none of these.
     *
     * @param because what the list of stuck scopes says
     */
    public Operation<Boolean> stop(ScopeId scope, String because, Instant at) {
        return Operation.of("stop " + scope, because.length(),
                rows -> rows.add(Selector.one(SCOPES, scope.value())), unit -> {
                    Scope row = unit.get(SCOPES, scope.value());
                    boolean free = isFree(unit, row);
                    if (row != null && free) {
                        left(unit, row.id(), row.status() == Status.RUNNING, at);
                        unit.put(SCOPES, row.stuck(because, at));
                    }
                    return free;
                });
    }

    /** Whether no owner runs a scope that could go on. */
    private static boolean isFree(Unit unit, @Nullable Scope row) {
        return row != null && switch (row.status()) {
            case READY, PARKED -> true;
            case RUNNING -> !unit.isAlive(String.valueOf(row.owner()));
            case STUCK, ENDED -> false;
        };
    }

    /** Makes a stuck scope ready again, with its entries at zero; false if it is not stuck. */
    public Operation<Boolean> retry(ScopeId scope, Instant at) {
        return Operation.of("retry " + scope, 0, rows -> rows.add(Selector.one(SCOPES, scope.value())),
                unit -> {
                    Scope row = unit.get(SCOPES, scope.value());
                    boolean stuck = row != null && row.status() == Status.STUCK;
                    if (row != null && stuck) {
                        unit.put(SCOPES, row.entries(0).ready(at));
                    }
                    return stuck;
                });
    }
}

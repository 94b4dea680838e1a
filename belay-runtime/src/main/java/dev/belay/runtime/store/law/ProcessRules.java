package dev.belay.runtime.store.law;

import static dev.belay.runtime.store.rows.ProcessRows.EVENTS;
import static dev.belay.runtime.store.rows.ProcessRows.GRANTS;
import static dev.belay.runtime.store.rows.ProcessRows.PROCESSES;
import static dev.belay.runtime.store.rows.ProcessRows.WATCHERS;
import static dev.belay.runtime.store.rows.ScopeRows.SCOPES;
import static dev.belay.runtime.store.rows.ScopeRows.WAITS;
import static dev.belay.runtime.store.rows.SessionRows.ARRIVALS;
import static dev.belay.runtime.store.rows.SessionRows.SESSIONS;
import static dev.belay.runtime.store.rows.StoreRows.COUNTERS;

import dev.belay.json.Json;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.store.NewProcess;
import dev.belay.runtime.store.NewSignal;
import dev.belay.runtime.store.ProcessEnding;
import dev.belay.runtime.store.ProcessEvent;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.ProcessScope;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.runtime.store.law.ProcessRules.Ended;
import dev.belay.runtime.store.law.ProcessRules.Signalling;
import dev.belay.runtime.store.law.ProcessRules.Starting;
import dev.belay.runtime.store.law.ProcessRules.Telling;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.ProcessRows.Event;
import dev.belay.runtime.store.rows.ProcessRows.Grant;
import dev.belay.runtime.store.rows.ProcessRows.ProcessHead;
import dev.belay.runtime.store.rows.ProcessRows.Watcher;
import dev.belay.runtime.store.rows.ScopeRows.Scope;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.SessionRows.Arrived;
import dev.belay.runtime.store.rows.SessionRows.Session;
import dev.belay.runtime.store.rows.StoreRows.Counter;
import dev.belay.runtime.store.rows.Unit;
import dev.belay.tool.context.Incarnation;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What writes decide about processes, together with their scopes and the sessions that may handle them.
 *
 * @param scopes what they decide about scopes
 */
public record ProcessRules(ScopeRules scopes) {

    /** What became of a start. */
    public sealed interface Starting {

        /**
         * The process is new.
         *
         * @param claim the right to run it, or null if that was not asked for
         */
        record Started(@Nullable Claim claim) implements Starting {}

        /** It is known, with the same content; sessions that were not granted it before are now. */
        record Known() implements Starting {}

        /**
         * It is known with another content. Nothing was written.
         *
         * @param recorded what its scope started from
         */
        record Conflict(ScopeInput recorded) implements Starting {}
    }

    /** What became of an event. */
    public enum Telling {
        /** It was added. */
        ADDED,
        /** It was there. */
        KNOWN,
        /** Another one has its key. Nothing was written. */
        CONFLICT,
        /** The claim does not hold; nothing was written. */
        FENCED,
        /** The process has ended; nothing was written. */
        ENDED,
        /** There is no such process. */
        UNKNOWN
    }

    /** What became of a signal. */
    public sealed interface Signalling {

        /**
         * It is kept.
         *
         * @param settled the wait that it has settled
         * @param woken the right to run the process, if this made it ready and it was asked for
         */
        record Kept(WaitName settled, @Nullable Claim woken) implements Signalling {}

        /** It was sent before. Nothing was written. */
        record Known() implements Signalling {}

        /** The process has ended, or there is none. Nothing was written. */
        record Ended() implements Signalling {}
    }

    /** What became of an end. */
    public enum Ended {
        /** The process has ended, and its sessions have their notice. */
        DONE,
        /** The claim does not hold, or the scope is not stuck; nothing was written. */
        FENCED,
        /** There are other watchers than those that were told; nothing was written. */
        WATCHED
    }

    /** Counts the processes that were ever started. */
    private static final String STARTED = "process";
    /** So many waits of a signal are looked at in one commit; a signal that finds them all settled is sent again. */
    private static final int LOOKED_AT = 4;

    private static String scope(ProcessId process) {
        return ProcessScope.id(process).value();
    }

    private static void select(Collection<Selector<?>> rows, ProcessId process) {
        rows.add(Selector.one(PROCESSES, process.value()));
        ScopeRules.selectWhole(rows, scope(process));
    }

    /**
     * Starts a process durably: its row, its grants, and its scope, named and described by {@link ProcessScope}.
     *
     * @param grants sessions that may handle it
     * @param take whether to own its scope at once
     */
    public Operation<Starting> start(NewProcess process, List<NewProcess.Grant> grants, boolean take,
            Instant at) {
        String id = process.id().value();
        Incarnation ofScope = scopes.incarnations().get();
        ScopeInput input = ProcessScope.input(process);
        return Operation.of("start-process " + process.id(), input.value().text().length(), rows -> {
            select(rows, process.id());
            rows.add(Selector.one(COUNTERS, STARTED, ""));
            grants.forEach(grant -> selectGrant(rows, process.id(), grant));
            Secrets.select(rows);
        }, unit -> {
            ProcessHead known = unit.get(PROCESSES, id);
            Scope scope = unit.get(SCOPES, scope(process.id()));
            if (known != null && scope != null && !known.hash().equals(process.hash())) {
                return new Starting.Conflict(ScopeRules.input(unit, scope));
            }
            if (known != null) {
                grants.forEach(grant -> grant(unit, known, grant, at));
                return new Starting.Known();
            }
            if (scope != null) {
                throw new IllegalStateException("there is a scope " + scope.id()
                        + " already, which no process has made");
            }
            long place = next(unit, STARTED, "");
            var made = new ProcessHead(id, place, process.hash(), at, null, null, 0, 0);
            unit.put(PROCESSES, made);
            grants.forEach(grant -> grant(unit, made, grant, at));
            return new Starting.Started(
                    scopes.begin(unit, ProcessScope.id(process.id()), input, take, ofScope, at));
        });
    }

    private static long next(Unit unit, String parent, String name) {
        Counter counter = unit.get(COUNTERS, parent, name);
        long next = counter == null ? 1 : counter.value() + 1;
        unit.put(COUNTERS, new Counter(parent, name, next));
        return next;
    }

    private static void selectGrant(Collection<Selector<?>> rows, ProcessId process, NewProcess.Grant grant) {
        SessionRules.selectOrMake(rows, grant.session(), grant.ifNew());
        rows.add(Selector.one(GRANTS, process.value(), grant.session().value()));
    }

    private static void grant(Unit unit, ProcessHead process, NewProcess.Grant grant, Instant at) {
        Session session = SessionRules.found(unit, grant.session(), grant.ifNew(), at);
        if (unit.get(GRANTS, process.id(), session.id()) == null) {
            unit.put(GRANTS, new Grant(process.id(), session.id(), process.place()));
        }
    }

    /** Lets a session handle a process; false if there is no such process. One that has ended is not told to the session. */
    public Operation<Boolean> grant(ProcessId process, NewProcess.Grant grant, Instant at) {
        return Operation.of("grant-process " + process + " " + grant.session(), 0, rows -> {
            rows.add(Selector.one(PROCESSES, process.value()));
            selectGrant(rows, process, grant);
        }, unit -> {
            ProcessHead known = unit.get(PROCESSES, process.value());
            if (known != null) {
                grant(unit, known, grant, at);
            }
            return known != null;
        });
    }

    /** Adds an event by the right to run the process, and resets its entries as a record does. */
    public Operation<Telling> tell(Claim claim, ProcessId process, ProcessEvent.Draft event, Instant at) {
        return telling(process, event, unit -> {
            ProcessHead known = unit.get(PROCESSES, process.value());
            Scope held = held(unit, claim, process);
            if (known == null || held == null) {
                return Telling.FENCED;
            }
            Telling told = tell(unit, known, event, at);
            if (told == Telling.ADDED && held.entries() != 0) {
                unit.put(SCOPES, held.entries(0));
            }
            return told;
        });
    }

    /** Adds an event from outside. One that is known is told so, also after the end. */
    public Operation<Telling> tell(ProcessId process, ProcessEvent.Draft event, Instant at) {
        return telling(process, event, unit -> {
            ProcessHead known = unit.get(PROCESSES, process.value());
            if (known == null) {
                return Telling.UNKNOWN;
            }
            return known.endedAt() != null && unit.get(EVENTS, known.id(), event.key()) == null
                    ? Telling.ENDED
                    : tell(unit, known, event, at);
        });
    }

    private static Operation<Telling> telling(ProcessId process, ProcessEvent.Draft event,
            java.util.function.Function<Unit, Telling> decide) {
        return Operation.of("event " + process + " " + event.key(), event.payload().text().length(), rows -> {
            rows.add(Selector.one(PROCESSES, process.value()));
            rows.add(Selector.one(SCOPES, scope(process)));
            rows.add(Selector.one(EVENTS, process.value(), event.key()));
        }, decide);
    }

    private @Nullable Scope held(Unit unit, Claim claim, ProcessId process) {
        return claim.scope().value().equals(scope(process)) ? scopes.held(unit, claim) : null;
    }

    private static Telling tell(Unit unit, ProcessHead process, ProcessEvent.Draft event, Instant at) {
        Event known = unit.get(EVENTS, process.id(), event.key());
        if (known != null) {
            return event.isSameAs(known.event()) ? Telling.KNOWN : Telling.CONFLICT;
        }
        long place = process.events() + 1;
        unit.put(EVENTS, new Event(process.id(),
                new ProcessEvent(place, event.key(), event.type(), event.payload(), at)));
        unit.put(PROCESSES, process.counted(place, process.watchers()));
        return Telling.ADDED;
    }

    /**
     * Settles the first wait for such signals that is not settled, whether or not the process has come to it. A process that is parked at it
     * becomes ready in the same write, as with {@link ScopeRules#resolve}; one that waits for something else is left alone. Empty if all the
     * waits that it looked at are settled: it looks at the next ones when it is applied again, so its cost does not grow with their number.
     *
     * @param take whether to own the scope at once if it becomes ready
     */
    public Operation<Optional<Signalling>> signal(ProcessId process, NewSignal signal, boolean take,
            Instant at) {
        String scope = scope(process);
        String series = signal.before() + "#" + signal.after();
        WaitName once = signal.once();
        Json sent = OutcomeJson.of(signal.resolution());
        return new Operation<>("signal " + process, sent.text().length(), rows -> {
            select(rows, process);
            rows.add(Selector.one(COUNTERS, scope, series));
            if (once != null) {
                rows.add(Selector.one(WAITS, scope, once.value()));
            }
        }, (unit, rows) -> {
            for (int number : numbers(unit, scope, series)) {
                rows.add(Selector.one(WAITS, scope, signal.wait(number).value()));
            }
        }, unit -> {
            ProcessHead known = unit.get(PROCESSES, process.value());
            Scope row = unit.get(SCOPES, scope);
            if (known == null || row == null || known.endedAt() != null) {
                return Optional.of(new Signalling.Ended());
            }
            if (once != null && Waits.isSettled(unit, row, once.value())) {
                return Optional.of(new Signalling.Known());
            }
            for (int number : numbers(unit, scope, series)) {
                unit.put(COUNTERS, new Counter(scope, series, number));
                String wait = signal.wait(number).value();
                if (!Waits.isSettled(unit, row, wait)) {
                    Scope settled = once == null
                            ? row
                            : Waits.settle(unit, row, null, once.value(),
                                    OutcomeJson.of(NewSignal.got(number)), at);
                    return Optional.of(new Signalling.Kept(signal.wait(number),
                            scopes.settle(unit, settled, wait, sent, take, at)));
                }
            }
            return Optional.empty();
        });
    }

    /** Numbers of waits behind the last one that a signal is known to have settled or passed over. */
    private static int[] numbers(Unit unit, String scope, String series) {
        Counter counter = unit.get(COUNTERS, scope, series);
        int last = counter == null ? 0 : Math.toIntExact(counter.value());
        int[] numbers = new int[LOOKED_AT];
        for (int i = 0; i < LOOKED_AT; i++) {
            numbers[i] = Math.addExact(last, i + 1);
        }
        return numbers;
    }

    /**
     * Keeps the key of a wait that is to be settled with the result before the process ends; the same one twice is kept once. False if the
     * process has ended, or there is none.
     */
    public Operation<Boolean> watch(ProcessId process, String token) {
        return Operation.of("watch " + process, token.length(), rows -> {
            rows.add(Selector.one(PROCESSES, process.value()));
            rows.add(Selector.one(WATCHERS, process.value(), token));
        }, unit -> {
            ProcessHead known = unit.get(PROCESSES, process.value());
            boolean open = known != null && known.endedAt() == null;
            if (known != null && open && unit.get(WATCHERS, known.id(), token) == null) {
                unit.put(WATCHERS, new Watcher(known.id(), token));
                unit.put(PROCESSES, known.counted(known.events(), known.watchers() + 1));
            }
            return open;
        });
    }

    /**
     * Ends a process: its scope, as {@link ScopeRules#end} does, its row, and a notice for every session that may handle it. A session that
     * has an arrival of the notice's id is not told again. Refused as fenced or watched, in this order.
     */
    public Operation<Ended> end(Claim claim, ProcessEnding ending, Instant at) {
        Payload result = Payload.of(ending.result());
        return ending("end-process ", ending, result, at, unit -> held(unit, claim, ending.process()) != null,
                unit -> scopes.end(unit, claim, result, List.of(), at));
    }

    /** Ends a process whose scope is stuck. Otherwise like {@link #end}. */
    public Operation<Ended> abandon(ProcessEnding ending, Instant at) {
        Payload result = Payload.of(ending.result());
        ScopeId scope = ProcessScope.id(ending.process());
        return ending("abandon-process ", ending, result, at, unit -> {
            Scope row = unit.get(SCOPES, scope.value());
            return row != null && row.status() == Status.STUCK;
        }, unit -> scopes.abandon(unit, scope, result, ending.doubts(), at));
    }

    private Operation<Ended> ending(String name, ProcessEnding ending, Payload result, Instant at,
            Predicate<Unit> mayEnd, Predicate<Unit> endScope) {
        String id = ending.process().value();
        Selector<Grant> grants = Selector.of(GRANTS, id);
        return new Operation<>(name + ending.process(), result.size(), rows -> {
            rows.add(Selector.one(PROCESSES, id));
            rows.add(Selector.one(SCOPES, scope(ending.process())));
            scopes.selectEnd(rows, scope(ending.process()), result);
            DoubtRules.select(rows, scope(ending.process()), ending.doubts());
            rows.add(grants);
        }, (unit, rows) -> unit.list(grants).forEach(grant -> {
            rows.add(Selector.one(SESSIONS, grant.session()));
            rows.add(Selector.one(ARRIVALS, grant.session(), ending.notice().id()));
        }), unit -> {
            ProcessHead known = unit.get(PROCESSES, id);
            if (known == null || !mayEnd.test(unit)) {
                return Ended.FENCED;
            }
            if (known.watchers() != ending.watchers()) {
                return Ended.WATCHED;
            }
            if (!endScope.test(unit)) {
                return Ended.FENCED;
            }
            unit.put(PROCESSES, known.ended(result.hash(), at));
            unit.clear(WATCHERS, id);
            unit.list(grants).forEach(grant -> tellSession(unit, grant.session(), ending, at));
            return Ended.DONE;
        });
    }

    /** Tells a session of the end, unless it was told. */
    private static void tellSession(Unit unit, String session, ProcessEnding ending, Instant at) {
        Session head = unit.get(SESSIONS, session);
        if (head != null && unit.get(ARRIVALS, session, ending.notice().id()) == null) {
            Session arrived = head.arrived(at);
            unit.put(SESSIONS, arrived);
            unit.put(ARRIVALS, new Arrived(session, ending.notice(), arrived.lastPlace(), null, at));
        }
    }
}

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
import dev.belay.runtime.store.ProcessStore.Ended;
import dev.belay.runtime.store.ProcessStore.Signalling;
import dev.belay.runtime.store.ProcessStore.Starting;
import dev.belay.runtime.store.ProcessStore.Telling;
import dev.belay.runtime.store.journal.Journal.Claim;
import dev.belay.runtime.store.journal.OutcomeJson;
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
record ProcessRules(ScopeRules scopes) {

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

    Operation<Starting> start(NewProcess process, List<NewProcess.Grant> grants, boolean take,
            Incarnation ofScope, Instant at) {
        String id = process.id().value();
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

    Operation<Boolean> grant(ProcessId process, NewProcess.Grant grant, Instant at) {
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

    Operation<Telling> tell(Claim claim, ProcessId process, ProcessEvent.Draft event, Instant at) {
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

    Operation<Telling> tell(ProcessId process, ProcessEvent.Draft event, Instant at) {
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

    /** A signal; empty if all the waits that it looked at are settled, and it has to look at the next ones. */
    Operation<Optional<Signalling>> signal(ProcessId process, NewSignal signal, boolean take, Instant at) {
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

    Operation<Boolean> watch(ProcessId process, String token) {
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

    Operation<Ended> end(Claim claim, ProcessEnding ending, Instant at) {
        Payload result = Payload.of(ending.result());
        return ending("end-process ", ending, result, at, unit -> held(unit, claim, ending.process()) != null,
                unit -> scopes.end(unit, claim, result, List.of(), at));
    }

    Operation<Ended> abandon(ProcessEnding ending, Instant at) {
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

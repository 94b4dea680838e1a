package dev.belay.runtime.session.inbox;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.dispatch.body.Carriers;
import dev.belay.runtime.dispatch.record.AskedAnswer;
import dev.belay.runtime.dispatch.record.Preparation;
import dev.belay.runtime.effect.CancelReceipt;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeOperations;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.operate.RestingScopes;
import dev.belay.runtime.store.Acceptance;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.Arrived;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.Committed;
import dev.belay.runtime.store.NewSession;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.SessionProfile;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.TurnCommit;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.JournalHost;
import dev.belay.runtime.store.law.ScopeReads;
import dev.belay.runtime.store.law.SessionReads;
import dev.belay.runtime.store.law.SessionRules.Withdrawing;
import dev.belay.runtime.store.law.TurnEndRules;
import dev.belay.tool.context.Incarnation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Accepts what arrives at sessions and commits their turns. Thread-safe.
 *
 * <p><b>Concurrency.</b> The store decides which of two writes is first. Within this process the lock of a session orders an
 * input that is withdrawn against a round that shows it to a model. <b>Durability.</b> A write that may claim a turn goes through
 * {@link JournalHost#claiming}: if its reply is lost, the host finds the claim all the same.
 */
public final class Inbox {

    final Store store;
    final JournalHost host;
    final SessionImages images;
    final TimeSource time;
    final RestingScopes rests;
    private final RandomGenerator random;
    private final Supplier<Set<String>> agents;
    private final Carriers carriers;
    private final SessionLocks locks = new SessionLocks();
    /** Turns that were accepted here and not entered yet: their first entry need not decode what was just encoded. */
    private final Map<ScopeId, TurnStart> begun = new ConcurrentHashMap<>();
    /** What the turns that run here have shown to a model. */
    private final Map<ScopeId, ShownInputs> shown = new ConcurrentHashMap<>();

    /**
     * The inbox of all sessions of a store.
     *
     * @param random for ids and incarnations; thread-safe
     * @param remembered about how many bytes of sessions may be remembered
     * @param agents which the runtime defines; without one it accepts no inputs
     * @param carriers take the context of callers
     */
    public Inbox(Store store, JournalHost host, TimeSource time, RandomGenerator random,
            long remembered, Supplier<Set<String>> agents, Carriers carriers) {
        this.store = store;
        this.host = host;
        this.time = time;
        this.random = random;
        this.agents = agents;
        this.carriers = carriers;
        images = new SessionImages(store, remembered);
        rests = new RestingScopes(store, host, time, AskedAnswer::request,
                prepared -> Preparation.of(prepared).arguments(), agents);
    }

    /** Whether turns rest. */
    public RestingScopes rests() {
        return rests;
    }

    /** Accepts an input, and runs the turn if the input started one. */
    public Acceptance accept(SessionId session, String id, TurnInput input) {
        return accept(store, session, id, input, -1);
    }

    /**
     * The same, if the session has no turn that is not committed and no input that waits for one; else {@code session_busy}, and nothing is
     * kept. An id that is known is answered in any case.
     */
    public Acceptance acceptAlone(SessionId session, String id, TurnInput input) {
        Acceptance acceptance;
        do {
            acceptance = accept(store, session, id, input, idlePlace(session, id));
        } while (acceptance instanceof Acceptance.Overtaken);
        return acceptance;
    }

    /**
     * The place of the last arrival of a session without an active turn: only another arrival can start one there.
     *
     * @param id of an input; if it is known, its session may have a turn
     * @throws BelayException {@code session_busy} if there is an active turn
     */
    public long idlePlace(SessionId session, String id) {
        SessionHead head = store.read(SessionReads.head(session)).orElse(null);
        if (head != null && head.active() != null
                && store.read(SessionReads.arrival(session, id)).isEmpty()) {
            throw new BelayException("session_busy", "turn " + head.active() + " of session " + session
                    + " is not committed yet, and a session has one turn at a time; wait for it, cancel it, or"
                    + " abandon it");
        }
        return head == null ? 0 : head.lastPlace();
    }

    /**
     * The same, if the session's last arrival has the expected place, or that is -1; else {@link Acceptance.Overtaken}.
     *
     * @param by the store, perhaps one that leaves a note
     */
    Acceptance accept(Store by, SessionId session, String id, TurnInput given, long expectedPlace) {
        host.requireOpen();
        TurnInput input = given.within(carriers.accepted());
        Incarnation ifNew = newIncarnation();
        Acceptance acceptance = offer(by, session, ifNew, input.arrival(id), expectedPlace);
        if (acceptance instanceof Acceptance.Started(long turn, Claim claim) && claim != null) {
            boolean isNew = TurnScope.isOf(claim.scope(), ifNew);
            Incarnation incarnation = isNew ? ifNew : TurnScope.session(claim.scope());
            if (isNew) {
                images.put(session, SessionImage.empty(incarnation));
            }
            if (input.loop() == null && input.isReadAsIs()) {
                begun.put(claim.scope(), new TurnStart(session, incarnation, turn, id, input,
                        TurnScope.agent(claim.input().kind()).orElseThrow()));
            }
            host.adopt(claim);
        }
        return acceptance;
    }

    /**
     * Accepts an arrival; {@code input_conflict} if its id is known with another content.
     *
     * @param expectedPlace the place of the session's last arrival, or -1 for any: if another one has come, the answer is
     *        {@link Acceptance.Overtaken}
     */
    public Acceptance offer(SessionId session, Arrival arrival, long expectedPlace) {
        return offer(store, session, newIncarnation(), arrival, expectedPlace);
    }

    Acceptance offer(Store by, SessionId session, Incarnation ifNew, Arrival arrival,
            long expectedPlace) {
        if (!agents.get().contains(SessionProfile.DEFAULT_AGENT)) {
            requireAgent(session, arrival.kind());
        }
        Acceptance acceptance = host.claiming(session, () -> activeScope(session),
                () -> by.apply(by.sessions()
                        .accept(session,
                                ifNew, arrival, expectedPlace, host.hasRoom(), now())));
        if (acceptance instanceof Acceptance.Closed) {
            throw new BelayException("session_closed", "session " + session
                    + " is closed and takes no inputs; open it again with session(…).open() or 'belay sessions open', or use another");
        }
        if (acceptance instanceof Acceptance.Conflict(Arrived known)) {
            throw new BelayException("input_conflict", "input " + arrival.id() + " of session " + session
                    + " was given before with another content; use another id, or the same content. Recorded: "
                    + known.arrival().content() + ", given: " + arrival.content());
        }
        return acceptance;
    }

    /** A session that is not there yet would be of the default agent, which this runtime does not define. */
    private void requireAgent(SessionId session, Arrival.Kind kind) {
        if (agents.get().isEmpty() && kind == Arrival.Kind.INPUT) {
            throw new BelayException("model_missing",
                    "this runtime has no model, so it runs no turns: call model(…) of the"
                            + " builder, for example model(OpenAiModel.fromEnvironment())");
        }
        if (!agents.get().isEmpty() && store.read(SessionReads.head(session)).isEmpty()) {
            throw new BelayException("unknown_agent", "session " + session + " is new, and this runtime"
                    + " defines no agent \"default\"; make it with agent(…).session(…), where the agent is one of "
                    + agents.get());
        }
    }

    /** Makes a session of an agent, unless there is one; {@code agent_mismatch} if it is of another agent. */
    public void require(SessionId session, String agent) {
        if (store.read(SessionReads.head(session)).isEmpty()) {
            store.apply(store.sessions()
                    .create(new NewSession(session, newIncarnation(), Json.NULL, List.of(), List.of(),
                            Json.NULL)
                            .of(agent), now()));
        }
        requireNoOther(session, agent);
    }

    /** Throws {@code unknown_agent} if an agent cannot answer turns here. */
    public void requireAnswers(String agent) {
        if (!agents.get().contains(agent)) {
            throw new BelayException("unknown_agent",
                    "there is no agent \"" + agent + "\" here; there are " + agents.get());
        }
    }

    /** Throws {@code agent_mismatch} if a session is of another agent. */
    public void requireNoOther(SessionId session, String agent) {
        store.read(SessionReads.head(session))
                .map(head -> head.profile().agent())
                .filter(other -> !other.equals(agent))
                .ifPresent(other -> {
                    throw new BelayException("agent_mismatch",
                            "session " + session + " is of the agent \"" + other
                                    + "\", not of \"" + agent
                                    + "\"; open it with session(…), or give it away with config().agent(…)");
                });
    }

    /** Accepts a notice, unless its session is gone or has a notice of the same id. */
    public void inform(SessionId session, Incarnation incarnation, Arrival notice) {
        Acceptance acceptance;
        do {
            SessionHead head = store.read(SessionReads.head(session)).orElse(null);
            if (head == null || !head.incarnation().equals(incarnation)) {
                return;
            }
            acceptance = store.apply(
                    store.sessions().accept(session, incarnation, notice, head.lastPlace(), false, now()));
        } while (acceptance instanceof Acceptance.Overtaken);
    }

    /** Takes the context of callers, and gives it back to their turns. */
    public Carriers carriers() {
        return carriers;
    }

    /** What the turn of a scope starts from. */
    public TurnStart start(ScopeId scope, ScopeInput input) {
        TurnStart known = begun.remove(scope);
        return known == null ? TurnStart.of(input) : known;
    }

    /**
     * Commits a turn as the last write of its scope.
     *
     * @param done told after the commit, before the next turn runs
     * @return false if another process has claimed the scope
     */
    public boolean commit(Claim claim, TurnCommit commit, Instant at, Runnable done) {
        return switch (write(commit,
                () -> store
                        .apply(TurnEndRules.of(store.sessions(), commit, host.hasRoom(), at).commit(claim)),
                done)) {
            case Committed.Done ignored -> true;
            case Committed.Already already -> true;
            case Committed.Fenced fenced -> false;
            case Committed.Diverged(var head) -> throw new BelayException("session_diverged",
                    "turn " + commit.turn() + " of session " + commit.session() + " cannot be committed: the"
                            + " session is at turn " + head.revision() + " with another past");
        };
    }

    /**
     * Commits a stuck turn without running it; false if it is not stuck any more.
     *
     * @param by the store, perhaps one that leaves a note
     */
    public boolean abandon(TurnCommit commit, Store by, Runnable done) {
        return write(commit,
                () -> by.apply(TurnEndRules.of(by.sessions(), commit, host.hasRoom(), now()).abandon()),
                done) instanceof Committed.Done;
    }

    private Committed write(TurnCommit commit, Supplier<Committed> write, Runnable done) {
        Committed committed = host.claiming(commit.session(), () -> activeScope(commit.session()), write);
        if (committed instanceof Committed.Done(long started, Claim next)) {
            done.run();
            if (next != null) {
                host.adopt(next);
            }
        }
        return committed;
    }

    /** What has arrived and is in no turn. */
    public List<Arrived> waiting(SessionId session) {
        return store.read(SessionReads.waiting(session));
    }

    /** What has arrived and is in no committed turn. */
    public List<Arrived> open(SessionHead head) {
        List<Arrived> open = new ArrayList<>(waiting(head.id()));
        Optional.ofNullable(head.active())
                .flatMap(active -> store.read(SessionReads.turn(head.id(), active)))
                .flatMap(turn -> store.read(SessionReads.arrival(head.id(), turn.input())))
                .ifPresent(open::add);
        return open;
    }

    /** The scope of a turn; empty if there is no such session. */
    public Optional<ScopeId> scope(SessionId session, long turn) {
        return store.read(SessionReads.head(session)).map(head -> TurnScope.id(head.incarnation(), turn));
    }

    /** The scope of the turn that is active in a session. */
    public Optional<ScopeId> activeScope(SessionId session) {
        return store.read(SessionReads.head(session))
                .flatMap(head -> Optional.ofNullable(head.active())
                        .map(turn -> TurnScope.id(head.incarnation(), turn)));
    }

    /** The verbs of an operator that leave a note, or none for null. */
    ScopeOperations by(AuditEntry.@Nullable Note note) {
        return note == null ? host : host.by(store.noting(note, now()));
    }

    /** Asks the turn that is active in a session to end. */
    public CancelReceipt cancelActive(SessionId session, String reason) {
        return activeScope(session).map(scope -> host.cancel(scope, reason))
                .orElseGet(CancelReceipt.Unknown::new);
    }

    /** A list of the inputs that one turn shows to a model; counts for {@link #withdraw} while it is {@link #opened}. */
    public ShownInputs newList(SessionId session) {
        return new ShownInputs(locks, session);
    }

    /** The turn of a scope runs here from now on, and shows inputs. */
    public void opened(ScopeId turn, ShownInputs list) {
        shown.put(turn, list);
    }

    /** The turn runs here no more. */
    public void closed(ScopeId turn, ShownInputs list) {
        shown.remove(turn, list);
    }

    /**
     * Takes back an input that waits. While a turn of its session runs in another process it is asked back: no later round takes it.
     *
     * @param note for the audit log; null if no operator asks
     */
    public Withdrawing withdraw(SessionId session, Arrival arrival, AuditEntry.@Nullable Note note) {
        Withdrawing answer = locks.alone(session,
                () -> activeScope(session).filter(turn -> isShown(turn, arrival.id())).isPresent()
                        ? Withdrawing.IN_TURN
                        : (note == null ? store : store.noting(note, now()))
                                .apply(store.sessions().withdrawAlone(session, arrival.id(), now())));
        if (answer == Withdrawing.DONE || answer == Withdrawing.ASKED) {
            withdrawn(arrival);
        }
        return answer;
    }

    private boolean isShown(ScopeId turn, String inputId) {
        ShownInputs here = shown.get(turn);
        return (here != null && here.has(inputId)) || store.read(ScopeReads.effects(turn))
                .stream()
                .filter(row -> row.kind().equals("round") && row.result() != null)
                .flatMap(row -> JoinedArrivals.of(Objects.requireNonNull(row.result())).stream())
                .anyMatch(joined -> joined.id().equals(inputId));
    }

    /** An input was taken back: settles the wait for its result. */
    public void withdrawn(Arrival arrival) {
        String token = arrival.kind() == Arrival.Kind.INPUT
                ? TurnInput.of(arrival.content()).settles()
                : null;
        if (token != null) {
            host.settle(token, new Resolution.Cancelled("the input was taken back"));
        }
    }

    /** Sessions as turns have left them. */
    public SessionImages images() {
        return images;
    }

    public Incarnation newIncarnation() {
        return Incarnation.random(random);
    }

    public String newId() {
        return newIncarnation().toString();
    }

    public Instant now() {
        return time.now();
    }
}

package dev.belay.runtime;

import dev.belay.runtime.dispatch.DurableCalls;
import dev.belay.runtime.dispatch.record.AskedAnswer;
import dev.belay.runtime.dispatch.record.Preparation;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.operate.Approvals;
import dev.belay.runtime.operate.Doubts;
import dev.belay.runtime.operate.MisconfiguredTurn;
import dev.belay.runtime.operate.Page;
import dev.belay.runtime.operate.PendingWait;
import dev.belay.runtime.operate.PendingWaits;
import dev.belay.runtime.operate.SessionEntry;
import dev.belay.runtime.operate.SessionFilter;
import dev.belay.runtime.operate.SessionList;
import dev.belay.runtime.operate.UnrestoredPlugin;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.process.Processes;
import dev.belay.runtime.session.OpenTurnState;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.StuckTurn;
import dev.belay.runtime.session.inbox.SessionCommands;
import dev.belay.runtime.session.turn.TurnServices;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.SessionProfile;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.AgentKinds;
import dev.belay.runtime.store.journal.Pause;
import dev.belay.runtime.store.law.AuditRules;
import dev.belay.runtime.store.law.OperatorReads;
import dev.belay.runtime.store.law.PauseRules;
import dev.belay.tool.context.CompletionKey;
import java.io.IOException;
import java.io.Reader;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Sees everything in a store, and does what it is told: submits, resolves, cancels, retries, abandons, forks, imports, exports, closes,
 * deletes. It has no model and no tools, and runs nothing: an input that it submits is answered by a runtime on the same store. Reading
 * changes nothing, also beside a process that died.
 *
 * <p>Verbs of operators say what they did ({@link VerbResult}) and leave a row in the audit log, in the commit that does it. Thread-safe.
 */
public sealed class BelayClient implements AutoCloseable permits Belay {

    private static final int MOST_WAITING = 1_000;

    final Assembly parts;
    final Actor actor;

    BelayClient(Assembly parts, Actor actor) {
        this.parts = parts;
        this.actor = actor;
    }

    /** The same for another actor: what is done through it stands in the audit log under that name. Closing it closes this one. */
    public BelayClient as(Actor other) {
        return new BelayClient(parts, Objects.requireNonNull(other, "actor"));
    }

    final TurnServices turns() {
        return parts.agents().shared();
    }

    private Store store() {
        return turns().store();
    }

    /** A session by its name: an old one goes on with its agent, a new one begins with its first turn, as {@code default}. */
    public Session session(String id) {
        return session(new SessionId(id));
    }

    /** A session by its name: an old one goes on with its agent, a new one begins with its first turn, as {@code default}. */
    public Session session(SessionId id) {
        return parts.session(id, null, actor);
    }

    /** All sessions; see {@link #sessions(SessionFilter, String, int)}. */
    public Page<SessionEntry> sessions(@Nullable String after, int most) {
        return sessions(SessionFilter.ALL, after, most);
    }

    /**
     * Sessions in the order of their names, each with what its turn waits for.
     *
     * @param filter which
     * @param after begins behind this name, such as {@link Page#next}; null begins with the first
     * @param most at most this many
     */
    public Page<SessionEntry> sessions(SessionFilter filter, @Nullable String after, int most) {
        return new SessionList(store(), parts.agents().names()).page(filter, after,
                Page.size(most));
    }

    /**
     * What waits for an answer from outside, in all sessions, processes and batches, the longest first.
     *
     * @param after begins behind {@link Page#next} of another page; null begins with the first
     * @param most at most this many
     */
    public Page<PendingWait> pending(@Nullable String after, int most) {
        return waits().list(after, Page.size(most));
    }

    private PendingWaits waits() {
        return new PendingWaits(store(), turns().host(), prepared -> Preparation.of(prepared).arguments());
    }

    /**
     * The whole key of a wait that is open, the same that was handed out first: for an answer whose key was lost. Noted in the audit
     * log.
     *
     * @param keyId of an entry of {@link #pending}
     * @throws dev.belay.BelayException {@code unknown_wait} if no open wait has such a key, {@code secret_unavailable} if this program
     *         does not have the secret that signs keys
     */
    public CompletionKey reissue(String keyId) {
        return waits().reissue(keyId, actor, turns().inbox().now());
    }

    /**
     * Reads a session that {@link Session#export} has written, under a name of its own. It gets keys of its own.
     *
     * @throws dev.belay.BelayException {@code invalid_export} with the number of the line if it is damaged, cut or newer;
     *         {@code session_exists} if the name is taken
     */
    public Session importSession(Reader lines, String as) throws IOException {
        var name = new SessionId(as);
        parts.archive().importSession(lines, name, null, actor);
        return session(name);
    }

    /** Durable work outside any turn. */
    public Processes processes() {
        return parts.processes().processes(store(), actor);
    }

    /**
     * Agents whose turns, processes or batches wait, or were left by a program that died, and that this program does not define; each with the
     * time since which the oldest of them waits. They go on where a runtime defines the agent. A runtime that is limited to some sessions
     * also lists agents that it defines, if their turns wait in other sessions. A runtime lists {@code plugin} and the id of a plugin, if
     * turns wait for another build of that; see {@link #waitingForPlugins}. It lists {@code configuration} and the code of a fault, if turns
     * wait for a program without that fault; see {@link #misconfigured}.
     */
    public Map<String, Instant> waitingFor() {
        Set<String> served = parts.agents().names();
        Map<String, Instant> oldest = new TreeMap<>();
        store().work()
                .waiting()
                .forEach((kind, since) -> AgentKinds.agent(kind)
                        .filter(agent -> !served.contains(agent)
                                || (!parts.sessions().isEmpty() && TurnScope.isTurn(kind)))
                        .ifPresent(agent -> since(oldest, agent, since)));
        waitingForPlugins().forEach(one -> since(oldest, "plugin " + one.plugin(), one.since()));
        misconfigured().forEach(one -> since(oldest, "configuration " + one.code(), one.since()));
        return oldest;
    }

    private static void since(Map<String, Instant> oldest, String what, Instant since) {
        oldest.merge(what, since, (one, other) -> one.isBefore(other) ? one : other);
    }

    /**
     * Turns that this runtime could not enter because a plugin cannot read what is kept for it, each with plugin and versions; the longest
     * first. They go on where a build of the plugin can, or after {@link #resetPlugin}. A client lists none.
     */
    public List<UnrestoredPlugin> waitingForPlugins() {
        return parts.agents().waitingForPlugins();
    }

    /**
     * Turns that this runtime could not enter because it is configured wrongly, a tool that stands twice for example; the longest first. They
     * go on by themselves where a program has not that fault. A client lists none.
     */
    public List<MisconfiguredTurn> misconfigured() {
        return parts.agents().misconfigured();
    }

    /**
     * Drops what a session keeps for a plugin, which begins anew with the session's next turn, or with the one that waits for it.
     *
     * @return {@code Already} if nothing is kept, or the same was asked for before; {@code NotPossible} if there is no such session
     */
    public VerbResult resetPlugin(SessionId session, String plugin) {
        return new SessionCommands(turns().inbox(), session, null)
                .reset(Objects.requireNonNull(plugin, "plugin"), actor);
    }

    /**
     * The first thousand turns that cannot go on by themselves; their sessions wait until an operator retries or abandons them. Processes
     * have a list of their own: {@link Processes#stuck}.
     */
    public List<StuckTurn> stuck() {
        return stuck(null, MOST_WAITING).items();
    }

    /**
     * Turns that cannot go on by themselves, in pages.
     *
     * @param after begins behind {@link Page#next} of another page; null begins with the first
     * @param most at most this many
     */
    public Page<StuckTurn> stuck(@Nullable String after, int most) {
        return parts.stuck().list(after, Page.size(most));
    }

    /** Lets a stuck turn go on. */
    public VerbResult retry(StuckTurn turn) {
        return parts.stuck().retry(turn.session(), turn.turn(), actor);
    }

    /** Commits a stuck turn as far as it came, so that its session can go on. */
    public VerbResult abandon(StuckTurn turn, String reason) {
        return abandon(turn.session(), turn.turn(), reason);
    }

    /** Commits an open turn as given up, so that its session can go on. */
    public VerbResult abandon(OpenTurnState turn, String reason) {
        return abandon(turn.session(), turn.turn(), reason);
    }

    /**
     * Commits a turn as far as it came, so that its session can go on: a stuck, ready or parked one, or one that a dead process has left.
     * One that runs is {@link VerbResult.NotPossible}.
     */
    public VerbResult abandon(SessionId session, long turn, String reason) {
        return parts.stuck().abandon(session, turn, Objects.requireNonNull(reason, "reason"), actor);
    }

    /**
     * Tool calls that your program asks for itself, outside any session, by the tools of the agent {@code default}; internal tools are
     * among them. A batch of a client waits for a runtime. Closed with this.
     *
     * @throws dev.belay.BelayException {@code unknown_agent} if this runtime defines other agents only; see {@link Agent#calls}
     */
    public DurableCalls calls() {
        return parts.calls(SessionProfile.DEFAULT_AGENT).as(actor);
    }

    /**
     * Batches of calls, of any agent, that cannot go on by themselves, in the order of their names; {@link #calls} retries and abandons
     * them. A page may have fewer than asked for while {@link Page#next} is not null.
     *
     * @param after begins behind {@link Page#next} of another page; null begins with the first
     * @param most at most this many
     */
    public Page<ScopeState> stuckCalls(@Nullable String after, int most) {
        List<ScopeState> found = store()
                .read(OperatorReads.stuck(after == null ? null : new ScopeId(after), Page.size(most)))
                .stream()
                .map(OperatorReads.StuckScope::state)
                .toList();
        return new Page<>(found.stream().filter(state -> AgentKinds.isCalls(state.input().kind())).toList(),
                found.size() < most ? null : found.getLast().id().value());
    }

    /**
     * Turns whose loops programs own and that are not committed, in the order of their sessions.
     *
     * @param after begins behind this session; null begins with the first
     * @param most at most this many
     */
    public List<OpenTurnState> openTurns(@Nullable SessionId after, int most) {
        return parts.loops().list(after, Page.size(most));
    }

    /**
     * Completes a parked call by the whole string of its key. The first resolution wins. A value that does not fit the output schema of
     * the tool is {@link Delivery.Refused}, and the call goes on waiting.
     *
     * @throws IllegalArgumentException if the key is empty
     * @throws dev.belay.BelayException {@code secret_unavailable} if this program does not have the secret that signs keys
     */
    public Delivery resolve(String token, Resolution resolution) {
        return turns().host().resolve(token, resolution);
    }

    /**
     * Pauses everything, an agent, a tool or a session, in all programs on the store: at once here, elsewhere at their next look (200 ms).
     * Inputs are accepted and wait, what runs goes on, and no turn, round or call of it begins until it is unpaused.
     *
     * @param reason why; kept with the pause and in the audit log
     * @return {@code NotPossible} if the session does not exist
     */
    public VerbResult pause(Pause.Target target, String reason) {
        return told(store().apply(PauseRules.pause(target, actor, reason, turns().time().now())), target);
    }

    /** Ends a pause: what waited goes on, in all programs on the store. */
    public VerbResult unpause(Pause.Target target, String reason) {
        return told(store().apply(PauseRules.unpause(target, actor, reason, turns().time().now())), target);
    }

    private VerbResult told(PauseRules.Verb did, Pause.Target target) {
        turns().host().pausesChanged();
        return switch (did) {
            case DONE -> VerbResult.DONE;
            case ALREADY -> VerbResult.ALREADY;
            case NOT_POSSIBLE -> new VerbResult.NotPossible(
                    "there is no " + target + "; a session is made by its first input");
        };
    }

    /** The pauses that are in force. */
    public List<Pause> pauses() {
        return store().read(PauseRules.reading());
    }

    /** Calls that may have happened, across all sessions, and how they are settled. */
    public Doubts doubts() {
        return new Doubts(store(), turns().host(), turns().time()::now, actor)
                .asking(new DoubtReconcilers(parts.agents()));
    }

    /** Calls that wait for a person's word, across all sessions, and how they are answered. */
    public Approvals approvals() {
        return new Approvals(store(), AskedAnswer::request, turns().host(), turns().time()::now,
                actor);
    }

    /**
     * The audit log: what operators did, in its order.
     *
     * @param after the place of the last known entry; 0 begins with the first
     * @param most at most this many
     */
    public List<AuditEntry> audit(long after, int most) {
        return store().read(AuditRules.reading(after, most));
    }

    /**
     * Adds a row to the audit log for something that is decided outside the store, such as the approval of a tool.
     *
     * @param verb what is done
     * @param target to what
     * @param reason why, or null
     */
    public void note(String verb, String target, @Nullable String reason) {
        store().apply(AuditRules.only(AuditEntry.Note.of(actor, verb, target, reason), turns().time().now()));
    }

    /** Closes the store; of a runtime, as {@link Belay#close()} does. */
    @Override
    public void close() {
        parts.closing().close();
    }
}

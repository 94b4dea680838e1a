package dev.belay.runtime.session;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.Message.UserMessage;
import dev.belay.runtime.effect.WaitState;
import dev.belay.runtime.history.Compaction;
import dev.belay.runtime.history.SentRequest;
import dev.belay.runtime.operate.SessionGrants;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.output.engine.KeptOutput;
import dev.belay.runtime.session.action.SessionActions;
import dev.belay.runtime.session.archive.SentRequests;
import dev.belay.runtime.session.archive.StuckTurns;
import dev.belay.runtime.session.archive.WholeSessions;
import dev.belay.runtime.session.hosted.HostedLoops;
import dev.belay.runtime.session.inbox.AcceptedInput;
import dev.belay.runtime.session.inbox.LastTurn;
import dev.belay.runtime.session.inbox.SessionCommand;
import dev.belay.runtime.session.inbox.SessionCommands;
import dev.belay.runtime.session.inbox.SessionImage;
import dev.belay.runtime.session.turn.Agents;
import dev.belay.runtime.session.turn.TurnCalls;
import dev.belay.runtime.session.turn.TurnServices;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.SessionProfile;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.law.KeepRules;
import dev.belay.runtime.store.law.SessionReads;
import dev.belay.tool.context.Attachments;
import dev.belay.tool.context.PluginBinding;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A durable conversation. This object is only its name: it holds nothing, may be thrown away and made again, and any number of
 * them may be used at once, in any number of processes on the same store. Thread-safe.
 */
public final class Session {

    private final Agents agents;
    private final TurnServices services;
    private final HostedLoops loops;
    private final WholeSessions archive;
    private final SessionId id;
    private final @Nullable String demanded;
    private final Actor actor;

    /**
     * Made by the runtime.
     *
     * @param demanded the agent that it must have; null for any
     * @param actor who asks for operators' verbs
     */
    public Session(Agents agents, HostedLoops loops, WholeSessions archive, SessionId id,
            @Nullable String demanded, Actor actor) {
        this.actor = actor;
        this.agents = agents;
        services = agents.shared();
        this.loops = loops;
        this.archive = archive;
        this.id = id;
        this.demanded = demanded;
    }

    /** Its name. */
    public SessionId id() {
        return id;
    }

    /** The agent that answers it, or will answer it once it has an input. */
    public String agent() {
        return agents.nameOf(id)
                .orElse(demanded == null ? SessionProfile.DEFAULT_AGENT : demanded);
    }

    /** Starts an input; nothing happens until it is run or submitted. */
    public TurnRequest turn(String text) {
        return turn(Message.user(Objects.requireNonNull(text, "text")));
    }

    /** Starts an input; nothing happens until it is run or submitted. */
    public TurnRequest turn(UserMessage message) {
        return new TurnRequest(agents, id, demanded, actor, Objects.requireNonNull(message, "message"));
    }

    /** What came of {@link #again}. */
    public sealed interface Again {

        /**
         * The last turn is tried once more.
         *
         * @param input which was given for that
         */
        record Done(InputHandle input) implements Again {}

        /**
         * That was asked for before, and the turn is not committed yet; nothing was written.
         *
         * @param input which was given then
         */
        record Already(InputHandle input) implements Again {}

        /**
         * There is nothing to try again; nothing was written.
         *
         * @param reason why, and what can be done instead
         */
        record NotPossible(String reason) implements Again {}
    }

    /**
     * Tries the last turn once more if it was stopped, without a new message: the model is asked with the conversation as the turn has left
     * it, with the settings of that turn. The input has the id {@code again/n}, where n is the turn that was stopped. Leaves a row in the audit
     * log.
     *
     * @throws BelayException {@code agent_mismatch} if this session must be of another agent; {@code plugin_failed} or
     *         {@code plugin_conflict} if its plugins do not come about here
     */
    public Again again() {
        if (demanded != null) {
            services.inbox().requireNoOther(id, demanded);
        }
        agents.requirePlugins(id, demanded);
        return switch (LastTurn.again(services.inbox(), id, actor)) {
            case LastTurn.Accepted(AcceptedInput input, boolean before) -> before
                    ? new Again.Already(new InputHandle(input, actor))
                    : new Again.Done(new InputHandle(input, actor));
            case LastTurn.Refused(String reason) -> new Again.NotPossible(reason);
        };
    }

    /** Begins a turn whose loop is yours; an id for its input is drawn. */
    public OpenTurn begin(String text) {
        return begin(text, services.inbox().newId());
    }

    /**
     * Begins a turn whose loop is yours, or goes on with it: the same id with the same text and loop is the same turn. Close it.
     *
     * @throws BelayException {@code input_conflict} if the id is known with another content, {@code session_busy} if another turn
     *         is not committed yet, {@code turn_busy} if another thread or process runs this one, {@code session_stuck} if it cannot go on
     */
    public OpenTurn begin(String text, String inputId) {
        return begin(Message.user(Objects.requireNonNull(text, "text")), inputId, "");
    }

    /**
     * The same with the name of a loop, which goes on with the turn when calls that it waits for are settled, and after a crash,
     * wherever a loop of that name is registered with {@code onReady}; and with values for providers and plugins, which are part of
     * the input as in {@link TurnRequest#with}.
     */
    public OpenTurn begin(String text, String inputId, String loop, PluginBinding.Given... given) {
        return begin(Message.user(Objects.requireNonNull(text, "text")), inputId, loop, given);
    }

    /** The same for a message; an empty name of a loop is none. */
    public OpenTurn begin(UserMessage message, String inputId, String loop, PluginBinding.Given... given) {
        if (demanded != null) {
            services.inbox().require(id, demanded);
        }
        agents.requirePlugins(id, demanded);
        Map<String, Json> with = new TreeMap<>();
        for (PluginBinding.Given one : given) {
            with.put(one.id(), one.value());
        }
        return new OpenTurn(loops.begin(id, Objects.requireNonNull(message, "message"), inputId, loop,
                Json.object(with)));
    }

    /** An input that was given before, by its id; empty if there is none. */
    public Optional<InputHandle> input(String inputId) {
        return AcceptedInput.find(services.inbox(), id, inputId).map(found -> new InputHandle(found, actor));
    }

    /** The conversation as it was committed; empty if there is none yet. */
    public List<Message> messages() {
        SessionImage image = services.inbox().images().read(id);
        return image == null ? List.of() : image.instructed("").messages();
    }

    /** What was decided about what of the conversation the model is sent, from the oldest on, as it was committed. */
    public List<Compaction> history() {
        return new SentRequests(services, id).decided();
    }

    /**
     * What the model was sent in a round; empty if none was asked there, or its record is gone. Rebuilt from the messages and the records of
     * the turn, and checked against the hash of what was sent.
     *
     * @throws BelayException {@code request_not_kept} if it cannot be rebuilt
     */
    public Optional<SentRequest> request(long turn, int round) {
        return new SentRequests(agents.find(agent()).orElse(services), id).find(turn, round);
    }

    /**
     * Has the conversation made shorter for the model before the next round of the running turn, or of the next one. The conversation itself
     * stays as it is.
     */
    public void compact() {
        commands().give(new SessionCommand.Compact());
    }

    /** How it stands; empty if it was not made yet. */
    public Optional<SessionHead> head() {
        return services.store().read(SessionReads.head(id));
    }

    /** A turn; empty if there is none of that number. */
    public Optional<TurnInfo> turn(long number) {
        return services.store().read(SessionReads.turn(id, number)).map(TurnInfo::new);
    }

    /** Its tools. */
    public SessionTools tools() {
        return new SessionTools(commands(), agents.of(agent()));
    }

    /** Its settings: which model answers, and how it is asked. */
    public SessionConfig config() {
        return new SessionConfig(commands(), agents, archive, actor);
    }

    /** What its plugins do when a program asks. */
    public SessionActions actions() {
        return new SessionActions(agents, id, demanded);
    }

    private SessionCommands commands() {
        return new SessionCommands(services.inbox(), id, demanded);
    }

    /** The whole state of its parts. */
    public SessionAdmin admin() {
        return new SessionAdmin(tools());
    }

    /** Events from now on. */
    public SessionEvents events() {
        return new SessionEvents(services.streams(), id, services.streams().of(id).now());
    }

    /** Events from a place on; what is missing there is told as a {@link TurnEvent.Gap}. */
    public SessionEvents events(EventCursor from) {
        return new SessionEvents(services.streams(), id, from);
    }

    /** Turns from a number on. */
    public List<TurnInfo> turns(long from, int most) {
        return services.store().read(SessionReads.turns(id, from, most)).stream().map(TurnInfo::new).toList();
    }

    /** The calls of a turn, in their order. Those of a committed turn stay with the session. */
    public List<TurnCall> calls(long turn) {
        return head().map(head -> TurnCalls.of(services, id, TurnScope.id(head.incarnation(), turn), turn))
                .orElse(List.of());
    }

    /** The bytes of what a call of this session has put; empty if the reference is not, unchanged, one of this session's. */
    public Optional<byte[]> attachment(Attachments.Reference reference) {
        return head().flatMap(head -> services.store()
                .read(KeepRules.kept(TurnScope.prefix(head.incarnation()), reference)));
    }

    /** The whole text of an output that was cut, by the handle in what is shown of it; empty if this session keeps no such output. */
    public Optional<String> output(String handle) {
        return KeptOutput.of(handle).flatMap(this::attachment).map(KeptOutput::text);
    }

    /** Waits of the turn that is active, settled ones too: what its parked calls wait for. */
    public List<WaitState> waits() {
        return head().filter(head -> head.active() != null)
                .map(head -> services.host().waits(TurnScope.id(head.incarnation(), head.revision() + 1)))
                .orElse(List.of());
    }

    /** Approvals that hold for further calls of it. */
    public SessionGrants grants() {
        return new SessionGrants(services.store(), id, services.time()::now, actor);
    }

    /** Short words about it, for lists; up to 16. */
    public Map<String, String> labels() {
        return head().map(head -> head.profile().labels()).orElse(Map.of());
    }

    /**
     * Replaces its labels.
     *
     * @throws IllegalArgumentException if they are too many, or too long
     */
    public VerbResult labels(Map<String, String> labels) {
        return archive.change(id, actor, "labels", before -> before.withLabels(labels));
    }

    /**
     * Closes it: it takes no new inputs ({@code session_closed}) until it is opened again, and can be read. A turn that runs goes on,
     * and inputs that were accepted before are answered.
     */
    public VerbResult close() {
        Instant now = services.inbox().now();
        return archive.change(id, actor, "close",
                before -> before.closedAt() == null ? before.closed(now) : before);
    }

    /** Opens it again. */
    public VerbResult open() {
        return archive.change(id, actor, "open", before -> before.closed(null));
    }

    /**
     * Takes back an input that waits, as if it had never come; not possible once it is in a turn. While a turn of the session runs in another
     * process, it is asked back: no later round of that turn takes it, and no turn begins with it. If the model was being asked with it in
     * that moment, the turn keeps it, and {@code input(id).turn()} says so.
     */
    public VerbResult withdraw(String inputId) {
        return archive.withdraw(id, Objects.requireNonNull(inputId, "inputId"), actor);
    }

    /** Asks the active turn to end; not possible if there is none. */
    public VerbResult cancel(String reason) {
        return new StuckTurns(services).cancel(id, Objects.requireNonNull(reason, "reason"), actor);
    }

    /**
     * The sessions above it that this store does not have, although their policies decide about its calls: the calls are denied. Only a session
     * that was imported, and one whose sessions above were deleted, lacks some.
     */
    public List<String> missingAbove() {
        return archive.missingAbove(id);
    }

    /** A new session that has the same past and goes its own way, below the same sessions; {@code session_exists} if the name is taken. */
    public Session fork(String name) {
        return fork(name, head().map(SessionHead::revision).orElse(0L));
    }

    /**
     * A new session that has this one's past up to a turn.
     *
     * @throws dev.belay.BelayException {@code session_exists} if the name is taken, {@code unknown_turn} if there is no such
     *         committed turn
     */
    public Session fork(String name, long turn) {
        var to = new SessionId(name);
        archive.fork(id, turn, to, actor);
        return new Session(agents, loops, archive, to, null, actor);
    }

    /**
     * Writes everything that was committed, one JSON value in each line. {@code Belay.importSession} reads it again.
     *
     * @throws dev.belay.BelayException {@code unknown_session} if there is none
     */
    public void export(Appendable out) throws IOException {
        archive.export(id, out);
    }

    /**
     * Deletes the session with everything in it. A turn that runs writes nothing more; keys that were handed out are unknown for
     * good. {@link VerbResult.NotPossible} while one of its calls may have happened.
     */
    public VerbResult delete() {
        return archive.delete(id, false, actor);
    }

    /** The same, even if calls of it may have happened; their doubts stay listed. */
    public VerbResult deleteEvenInDoubt() {
        return archive.delete(id, true, actor);
    }

    @Override
    public String toString() {
        return "session " + id;
    }
}

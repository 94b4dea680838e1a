package dev.belay.runtime.session;

import dev.belay.json.Json;
import dev.belay.model.Generation;
import dev.belay.model.Message.UserMessage;
import dev.belay.model.OutputSpec;
import dev.belay.runtime.session.inbox.AcceptedInput;
import dev.belay.runtime.session.inbox.Inbox;
import dev.belay.runtime.session.inbox.TurnInput;
import dev.belay.runtime.session.stream.Hearing;
import dev.belay.runtime.session.turn.Agents;
import dev.belay.runtime.session.turn.TurnServices;
import dev.belay.runtime.store.Acceptance;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.tool.context.PluginBinding;
import dev.belay.toolset.Answer;
import dev.belay.toolset.StructuredOutput;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** An input for a session that is not given yet. Confined to one thread. */
public final class TurnRequest {

    private final Agents agents;
    private final TurnServices services;
    private final SessionId session;
    private final @Nullable String agent;
    private final Actor by;
    private final UserMessage message;
    private @Nullable String inputId;
    private TurnSettings settings = TurnSettings.NONE;
    private Map<String, Json> with = Map.of();
    private boolean queues;
    private boolean isAlone;
    private OutputSpec.@Nullable Schema answer;

    TurnRequest(Agents agents, SessionId session, @Nullable String agent, Actor by, UserMessage message) {
        this.agents = agents;
        services = agents.shared();
        this.session = session;
        this.agent = agent;
        this.by = by;
        this.message = message;
    }

    /**
     * The id of this input, so that giving it again, after a crash or a lost answer, is giving it once. An id is drawn if
     * this is not called.
     */
    public TurnRequest id(String newId) {
        inputId = Objects.requireNonNull(newId, "id");
        return this;
    }

    /**
     * Which of the runtime's models answers, by its name. Like every setting here it stands over what the session says, and counts
     * for the turn that this input starts: an input that joins a turn does not change its settings.
     *
     * @throws dev.belay.BelayException {@code unknown_model} if there is none of that name
     */
    public TurnRequest model(String name) {
        return settings(settings.withModel(name));
    }

    /**
     * In which of the runtime's ways the model is asked, by its name; {@code default} for none.
     *
     * @throws dev.belay.BelayException {@code unknown_variant} if there is none of that name
     */
    public TurnRequest variant(String name) {
        return settings(settings.withVariant(name));
    }

    /** How answers are to be made; what it does not set is as the session says. */
    public TurnRequest generation(Generation generation) {
        return settings(settings.withGeneration(generation));
    }

    /** How much the model can read and write in one request; a longer one is not sent, and the turn is stopped. */
    public TurnRequest maxContextTokens(long tokens) {
        return settings(settings.withMaxContextTokens(tokens));
    }

    /** What stands before the conversation in this turn, in place of the instructions of session and agent. */
    public TurnRequest instructions(String text) {
        return settings(settings.withInstructions(text));
    }

    /** For how long a model that fails in a way that may pass is asked again in this turn; zero ends it with the first failure. */
    public TurnRequest modelPatience(Duration patience) {
        return settings(settings.withModelPatience(patience));
    }

    /**
     * Gives this input a turn of its own. Without this, an input joins the turn that is under way: the model reads it before its next
     * answer. No input joins past one that waits for its own turn.
     */
    public TurnRequest queue() {
        queues = true;
        return this;
    }

    /**
     * Gives this input only if it starts a turn at once: a session with a turn that is not committed refuses it with
     * {@code session_busy}. So the turn of this input begins in this runtime or, if that has no room for it or is not started, is left for one
     * that is.
     */
    public TurnRequest unlessBusy() {
        isAlone = true;
        return queue();
    }

    /**
     * Asks for an answer of a form instead of free text, in a turn of its own; {@link TurnResult#answer(StructuredOutput)} reads it. The
     * form is kept with the input. An answer of another form is told to the model once; then the turn stops with
     * {@code invalid_structured_output}.
     */
    public TurnRequest as(StructuredOutput<?> form) {
        answer = form.spec();
        return queue();
    }

    /**
     * Gives the input, waits, and gives the answer as a value of a type, or the model's refusal; see {@link #as}.
     *
     * @param type a record or a sealed interface of records
     * @throws dev.belay.BelayException as {@link #run} and {@link TurnResult#answer(Class)}
     */
    public <T> Answer<T> answer(Class<T> type) throws InterruptedException {
        StructuredOutput<T> form = StructuredOutput.of(type);
        return as(form).run().answer(form);
    }

    private TurnRequest settings(TurnSettings newSettings) {
        settings = agents.known(session, agent, newSettings);
        return this;
    }

    /**
     * Adds a value for providers and plugins that know the binding; they read it when they prepare calls. It is kept with
     * the input and counts for the turn that this input starts. Giving another value for the same id replaces it.
     */
    public <T> TurnRequest with(PluginBinding<T> binding, T value) {
        with = new TreeMap<>(with);
        with.put(binding.id(), binding.encode(value));
        return this;
    }

    /**
     * Gives the input, and waits until its turn has ended or rests: then the result says what it waits for, and what answers that.
     *
     * @throws dev.belay.BelayException {@code input_conflict} if the id is known with another content; {@code plugin_failed} if a plugin
     *         does not come about in the session, {@code plugin_conflict} if the session would have a tool twice; {@code session_stuck} if the turn cannot go on by itself
     */
    public TurnResult run() throws InterruptedException {
        return submit().await();
    }

    /** The same, telling a listener what happens in the session meanwhile. */
    public TurnResult stream(TurnListener listener) throws InterruptedException {
        return Hearing.during(services.streams(), session, services.streams().of(session).now(), listener,
                () -> submit().await());
    }

    private Json given() {
        return with.isEmpty() ? Json.EMPTY_OBJECT : Json.object(with);
    }

    /** Gives the input durably and returns. The turn runs, in this process or another, whether or not a thread waits for it. */
    public InputHandle submit() {
        Inbox inbox = services.inbox();
        if (agent != null) {
            inbox.require(session, agent);
        }
        agents.requirePlugins(session, agent);
        String id = inputId == null ? inbox.newId() : inputId;
        TurnInput input = new TurnInput(message, settings, null, given(), inbox.now())
                .in(new TurnInput.Manner(queues, answer, Map.of()));
        Acceptance accepted = isAlone
                ? inbox.acceptAlone(session, id, input)
                : inbox.accept(session, id, input);
        return new InputHandle(new AcceptedInput(inbox, session, id,
                accepted instanceof Acceptance.Started(long turn, Claim claim) && claim != null
                        ? claim.scope()
                        : null),
                by);
    }
}

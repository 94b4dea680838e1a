package dev.belay.testkit;

import dev.belay.model.FinishReason;
import dev.belay.model.Message;
import dev.belay.model.Message.UserMessage;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Usage;
import dev.belay.model.script.ScriptStep;
import dev.belay.model.script.ScriptedModel;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.dispatch.CallEvent;
import dev.belay.runtime.effect.CancelReceipt;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.law.ScopeReads;
import dev.belay.runtime.store.law.SessionReads;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Calls tools as a model would, in a runtime in memory, on a {@link FakeTime}: each call is that of a turn in a session of its own, so that
 * policies, plugins and contexts of sessions take part. Shows the outcome, the events and the records. A {@link ScriptedPerson} answers what asks.
 * The runtime is opened with the first call. Thread-safe once it is open.
 */
public final class ToolHarness implements AutoCloseable {

    /** A test whose call neither ends nor waits fails after this time instead of hanging. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int MOST = 100;

    private final FakeTime time = new FakeTime();
    private final ScriptedModel model = new ScriptedModel();
    private final SharedMemory memory = new SharedMemory();
    private final Store reader = memory.existing();
    private final List<TurnEvent.Call> events = new ArrayList<>();
    private BelayBuilder builder = Belay.builder()
            .model(model)
            .time(time)
            .parkAfter(Duration.ZERO)
            .drain(Duration.ZERO)
            .listener(this::heard)
            .store(memory.open(this::written));
    private @Nullable ScriptedPerson person;
    private @Nullable Belay belay;
    private int started;
    private int changes;

    ToolHarness() {}

    /** Calls the tools of a provider, internal ones included. */
    public static ToolHarness of(ToolProvider tools) {
        return new ToolHarness().with(builder -> builder.tools(new ShownTools(tools)));
    }

    /** Changes the runtime before it is opened: its policy, plugins, agents, values from the host, more tools. */
    public ToolHarness with(UnaryOperator<BelayBuilder> change) {
        builder = change.apply(builder());
        return this;
    }

    /**
     * Lets a person answer.
     *
     * @throws IllegalStateException if there is a person already
     */
    public ToolHarness person(ScriptedPerson who) {
        if (person != null) {
            throw new IllegalStateException("this harness has a person already; one answers for all tools,"
                    + " by approve(tool), deny(tool, words) and so on");
        }
        person = who;
        return this;
    }

    /** The person who answers; one with an empty script if none was given. */
    public ScriptedPerson person() {
        ScriptedPerson known = person == null ? new ScriptedPerson() : person;
        person = known;
        return known;
    }

    /** The time, to be moved by the test. */
    public FakeTime time() {
        return time;
    }

    /** The model of turns, to be scripted by the test; calls by {@link #call} take nothing from its queue. */
    public ScriptedModel model() {
        return model;
    }

    BelayBuilder builder() {
        if (belay != null) {
            throw new IllegalStateException("the runtime is open: change it before the first call");
        }
        return builder;
    }

    /** The runtime; opened by the first call of this method. */
    public synchronized Belay belay() {
        Belay open = belay == null ? builder.build() : belay;
        belay = open;
        return open;
    }

    /**
     * Calls a tool and waits for its end.
     *
     * @param tool its name
     * @param arguments as a model would write them
     * @throws IllegalStateException if it waits for something outside that no person answers; use {@link #start} then
     */
    public ToolOutcome call(String tool, String arguments) throws InterruptedException {
        return start(tool, arguments).rest()
                .orElseThrow(() -> new IllegalStateException("tool " + tool
                        + " waits for something outside; call it with start, let it happen, and ask for the outcome"));
    }

    /** Starts a call; see {@link Call#outcome}. */
    public Call start(String tool, String arguments) {
        String name;
        synchronized (this) {
            name = "call-" + ++started;
        }
        model.when(request -> asked(request).equals(name),
                ScriptStep.respond(request -> answer(request, tool, arguments)));
        return new Call(name, belay().session(name).turn(name).submit());
    }

    private static String asked(ModelRequest request) {
        return request.messages()
                .stream()
                .filter(UserMessage.class::isInstance)
                .map(message -> ((UserMessage) message).text())
                .findFirst()
                .orElse("");
    }

    private static ModelResponse answer(ModelRequest request, String tool, String arguments) {
        boolean called = request.messages().stream().anyMatch(Message.ToolMessage.class::isInstance);
        return new ModelResponse(called
                ? Message.assistant("called")
                : Message.assistant(new CallPart("call", tool, arguments)),
                called ? FinishReason.STOP : FinishReason.TOOL_CALLS, Usage.NONE, "harness", "");
    }

    /** Runs a turn of a session until it has ended, or rests because the person does not answer; script {@link #model} first. */
    public TurnResult say(String session, String text) throws InterruptedException {
        InputHandle input = belay().session(session).turn(text).submit();
        while (true) {
            int seen = changes();
            Optional<TurnResult.Ended> ended = rest(new SessionId(session), input);
            if (ended.isPresent()) {
                return ended.get();
            }
            if (belay().pending(null, MOST)
                    .items()
                    .stream()
                    .anyMatch(wait -> new SessionId(session).equals(wait.session()))) {
                return input.await();
            }
            awaitChange(seen);
        }
    }

    /** Waits until a turn has ended; empty if it waits for time, or for something outside that the person does not answer. */
    private Optional<TurnResult.Ended> rest(SessionId session, InputHandle input)
            throws InterruptedException {
        while (true) {
            int seen = changes();
            Optional<TurnResult.Ended> result = input.result();
            if (result.isPresent()) {
                return result;
            }
            boolean parked = isParked(session);
            if (!person().look(belay(), time) && parked) {
                return Optional.empty();
            }
            awaitChange(seen);
        }
    }

    private boolean isParked(SessionId session) {
        return reader.read(SessionReads.head(session))
                .flatMap(head -> Optional.ofNullable(head.active())
                        .flatMap(turn -> reader
                                .read(ScopeReads.state(TurnScope.id(head.incarnation(), turn)))))
                .filter(state -> state.status() == ScopeState.Status.PARKED)
                .isPresent();
    }

    /** Completes a wait, by the whole string of the key that the tool handed out. */
    public Delivery resolve(String token, Resolution resolution) {
        return belay().resolve(token, resolution);
    }

    /**
     * Closes the runtime.
     *
     * @throws AssertionError if the script of the person has an answer for which no request came
     */
    @Override
    public void close() {
        reader.close();
        if (belay != null) {
            time.passUntilEnd(Thread.ofPlatform().name("tool-harness-closer").daemon().start(belay::close));
        }
        person().requireAsked();
    }

    private synchronized void written(JournalProbe.Moment moment, String write) {
        changes++;
        notifyAll();
    }

    private synchronized void heard(SessionId session, TurnEvent event) {
        if (event instanceof TurnEvent.Call call) {
            events.add(call);
            notifyAll();
        }
    }

    private synchronized int changes() {
        return changes;
    }

    private synchronized void awaitChange(int seen) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (changes == seen) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                throw new AssertionError("nothing happened for " + PATIENCE.toSeconds()
                        + " s; if the call waits for time, move harness.time(). What waits: "
                        + belay().pending(null, 9).items());
            }
            wait(left / 1_000_000 + 1);
        }
    }

    /** A call under way. */
    public final class Call {

        private final SessionId session;
        private final InputHandle input;

        private Call(String name, InputHandle input) {
            this.session = new SessionId(name);
            this.input = input;
        }

        /** Waits until the call has ended. */
        public ToolOutcome outcome() throws InterruptedException {
            while (true) {
                int seen = changes();
                Optional<ToolOutcome> ended = rest();
                if (ended.isPresent()) {
                    return ended.get();
                }
                awaitChange(seen);
            }
        }

        /** Waits until the call has ended; empty if it waits for time, or for something outside that the person does not answer. */
        public Optional<ToolOutcome> rest() throws InterruptedException {
            return ToolHarness.this.rest(session, input).map(this::outcome);
        }

        private ToolOutcome outcome(TurnResult.Ended turn) {
            return belay().session(session)
                    .calls(turn.turn())
                    .stream()
                    .flatMap(call -> call.outcome().stream())
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("the turn ended without the call: "
                            + turn.summary()
                            + "; a runtime with another model than harness.model() cannot call for the harness"));
        }

        /** Asks the call to end. */
        public CancelReceipt cancel(String reason) {
            return input.cancel(reason);
        }

        /** Its events so far; the last one arrives a moment after the outcome. */
        public List<CallEvent> events() {
            synchronized (ToolHarness.this) {
                return events.stream()
                        .filter(event -> event.session().equals(session))
                        .map(TurnEvent.Call::event)
                        .toList();
            }
        }

        /** Waits for the event of its end, and returns all its events. */
        public List<CallEvent> eventsToTheEnd() throws InterruptedException {
            outcome();
            synchronized (ToolHarness.this) {
                while (events().stream().noneMatch(CallEvent.Finished.class::isInstance)) {
                    ToolHarness.this.wait();
                }
                return events();
            }
        }

        /** Its records. */
        public List<EffectRow> records() {
            return reader.read(SessionReads.head(session))
                    .stream()
                    .flatMap(head -> reader.read(ScopeReads.effects(TurnScope.id(head.incarnation(), 1)))
                            .stream())
                    .filter(row -> row.key().contains("call/"))
                    .toList();
        }
    }
}

package dev.belay.runtime.session.turn;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.MessageLog;
import dev.belay.model.ModelException;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part.CallPart;
import dev.belay.model.ReplyMeaning;
import dev.belay.model.Usage;
import dev.belay.runtime.catalog.ToolCatalog;
import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.dispatch.ToolBatch;
import dev.belay.runtime.dispatch.ToolDispatcher;
import dev.belay.runtime.dispatch.record.Aftermath;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.output.ToolOutput;
import dev.belay.runtime.plugin.engine.Prompt;
import dev.belay.runtime.plugin.engine.TurnHooked;
import dev.belay.runtime.session.TurnEnd;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.session.TurnSettings;
import dev.belay.runtime.session.asking.AnswerForm;
import dev.belay.runtime.session.asking.ModelChoice;
import dev.belay.runtime.session.asking.Outage;
import dev.belay.runtime.session.inbox.TurnStart;
import dev.belay.runtime.session.state.Question;
import dev.belay.runtime.session.state.RoundRecord;
import dev.belay.runtime.session.state.TurnOutputs;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.Arrived;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.CallId;
import dev.belay.tool.context.TurnControl;
import dev.belay.tool.option.OutputBudget;
import dev.belay.toolset.loop.OutputForm.Reading;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The loop that the runtime owns: asks the model, runs the calls, and again, until something ends the turn.
 *
 * <p><b>Concurrency.</b> One object for each entry into the turn's scope, confined to its thread; calls have their own.
 * <b>Recovery.</b> The whole loop is entered again from the top; what is recorded is answered, so that the same messages come
 * about, and the first thing that is not recorded is done now.
 */
final class TurnLoop extends SessionTurn {

    private final EffectScope scope;
    private @Nullable Json previous;
    private int round;
    private RoundRecord.@Nullable Before before;
    /** The last round whose commands were carried out. */
    private int applied;
    private final AnswerForm form;
    private volatile ToolCatalog offered;
    private volatile ToolDispatcher dispatcher;

    TurnLoop(TurnServices services, EffectScope scope, TurnStart start) {
        super(services, start, scope.fence().value());
        this.scope = scope;
        form = new AnswerForm(start.input().manner().answer());
        offered = tools().catalog();
        dispatcher = owning(services.dispatchers().of(offered));
    }

    @Override
    public MessageLog log() {
        return state().messages();
    }

    /** Lets the calls that follow be of these tools. */
    private void offer(ToolCatalog catalog) {
        if (!catalog.equals(offered)) {
            offered = catalog;
            dispatcher = owning(services().dispatchers().of(catalog));
        }
    }

    /** Runs the turn; what it returns is the scope's result and was committed with it. */
    public Json run() {
        if (start().input().manner().action() != null) {
            return withoutModel();
        }
        while (true) {
            round++;
            RoundRecord record = new RoundTries(this, round,
                    previous == null ? "" : RoundRecord.hash(previous)).run();
            before = null;
            state().apply(record);
            actionsRecorded(record);
            if (applied == round) {
                tell(new TurnEvent.RoundEnded(start().turn(), round, record.usage()));
                sent(record);
            } else {
                commands().carryOut(record.joined());
                Set<String> left = sent(record);
                offer(tools().catalog().without(left));
            }
            plugins().apply(record.hooks());
            TurnEnd end = record.end();
            if (end != null) {
                return ending().commit(end);
            }
            if (form.isToldNext(record.reply(), record.wrong()) || record.goesOn()) {
                continue;
            }
            TurnEnd ended = calls(Objects.requireNonNull(record.reply(), "a round has a reply or an end"));
            if (ended != null) {
                return ending().commit(ended);
            }
        }
    }

    /** A turn that asks no model: carries out the action that started it, and the commands that wait; the commit is its only record. */
    private Json withoutModel() {
        List<Arrival> waiting = services().inbox()
                .waiting(start().session())
                .stream()
                .map(Arrived::arrival)
                .filter(arrival -> arrival.kind() == Arrival.Kind.COMMAND)
                .toList();
        commands().carryOut(waiting);
        waiting.forEach(state()::took);
        commands().act(start().inputId(), start().input());
        return ending().commit(
                new TurnEnd.Finished("", commands().actions().unrecorded().getLast().result().output()));
    }

    /** Runs the calls of the last message; how one of them ends the turn, or null. */
    private @Nullable TurnEnd calls(ModelResponse reply) {
        List<CallPart> asked = ((Message.AssistantMessage) state().messages().getLast()).calls();
        var requests = new ArrayList<CallRequest>(asked.size());
        asked.forEach(call -> requests.add(
                new CallRequest(new CallId(call.id()), call.name(), call.arguments(), reply.isCut(call))));
        List<ToolOutcome> outcomes = dispatcher.dispatch(scope,
                new ToolBatch(start().incarnation(), start().turn(), round, requests));
        before = outputs().show(scope.peek(new EffectKey("round/" + (round + 1))).orElse(null),
                outputs(asked, outcomes), scope::attachments);
        state().apply(outcomes, before);
        TurnEnd end = null;
        for (int i = 0; i < outcomes.size(); i++) { // the first in the model's order that wants to end the turn does
            Aftermath aftermath = applyLeft(round, i);
            if (end == null && aftermath.control() != TurnControl.GO_ON) {
                end = TurnStops.tool(aftermath.control(), asked.get(i).name(), outcomes.get(i));
            }
        }
        return end;
    }

    @Override
    protected @Nullable OutputBudget declaredBudget(CallReference call) {
        return budget(call.tool());
    }

    private @Nullable OutputBudget budget(String tool) {
        return offered.find(tool).map(found -> found.manifest().budget()).orElse(null);
    }

    private List<ToolOutput> outputs(List<CallPart> asked, List<ToolOutcome> outcomes) {
        var batch = new ArrayList<ToolOutput>(asked.size());
        for (CallPart call : asked) {
            batch.add(ToolOutput.of(call.name(), outcomes.get(batch.size()), budget(call.name())));
        }
        return batch;
    }

    @Override
    public EffectScope scope() {
        return scope;
    }

    /** This loop asks for each round once. */
    @Override
    boolean replays() {
        return scope.hasEarlierRecords();
    }

    @Override
    public ToolDispatcher dispatcher(ScopeInput call) {
        return dispatcher;
    }

    @Override
    public void recorded(Json record) {
        previous = record;
    }

    @Override
    public RoundRecord.@Nullable Before before() {
        return before; // null if the records of the calls say everything
    }

    /** The tools of today, after the commands that the round takes. Calls of this round are run with these. */
    @Override
    public Question question(List<Arrival> joined) {
        commands().carryOut(joined);
        applied = round;
        ModelChoice choice = config().choice(TurnSettings.NONE, plugins().config());
        Set<String> left = search().leaveOut(choice.maxContextTokens(),
                services().settings().models().family(choice.model()), state().messages(),
                () -> history().calledBefore());
        ToolCatalog all = tools().catalog().without(left);
        Set<String> hidden = plugins().hidden(() -> all.names()
                .stream()
                .flatMap(name -> all.find(name).stream())
                .map(ToolDefinition::manifest)
                .toList());
        ToolCatalog catalog = all.without(hidden);
        offer(catalog);
        Prompt prompt = plugins().prompt(image().instructions(), name -> catalog.find(name).isPresent());
        MessageLog messages = shown(state().messages()).append(plugins().said(joined));
        ModelRequest request = ModelRequest.builder(prompt == null ? messages : prompt.around(messages))
                .tools(catalog.specs())
                .output(form.spec())
                .generation(choice.generation())
                .pictures(TurnOutputs.pictures(scope()::attachments))
                .build();
        return asking(form.corrected(request), choice, catalog.generation(), catalog.fingerprint(),
                recorded(prompt, hidden, search().recorded(catalog)));
    }

    @Override
    protected MessageLog conversation() {
        return state().messages();
    }

    @Override
    TurnHooked completing(int number, List<Arrival> joined, @Nullable ModelResponse reply,
            @Nullable TurnEnd end) {
        return reply != null && end instanceof TurnEnd.Finished
                ? plugins().completing(number, joined, conversation(), reply)
                : TurnHooked.NONE;
    }

    @Override
    public @Nullable String wrongForm(ModelResponse reply) {
        return form.toCorrect(reply);
    }

    @Override
    public Optional<TurnEnd> stop(int number) {
        Optional<String> cancelled = scope.cancellation().reason();
        return cancelled.isPresent()
                ? cancelled.map(TurnStops::cancelled)
                : new TurnLimits(services().settings().bounds(), services().settings().models()).reached(
                        state(), number,
                        Duration.between(start().input().at(), services().time().now()));
    }

    @Override
    @Nullable
    public TurnEnd meaning(ModelResponse reply) {
        return switch (ReplyMeaning.of(reply)) {
            case ReplyMeaning.Calls() -> null;
            case ReplyMeaning.Refusal(String reason) -> new TurnEnd.Refused(reason);
            case ReplyMeaning.Unusable(String code, String message, String partial) ->
                TurnStops.provider(code, message, partial);
            case ReplyMeaning.Text(String text) -> switch (form.read(text)) {
                case null -> new TurnEnd.Finished(text, null);
                case Reading.Right<Json>(Json value) -> new TurnEnd.Finished(text, value);
                case Reading.Wrong<Json>(String problem) -> TurnStops.provider(TurnResult.INVALID_FORM,
                        "the answer does not have the form that was asked for: " + problem, text);
            };
        };
    }

    /** Parks until then: no thread is held, and any process may go on. */
    @Override
    public void waitForModel(int round, Outage outage, Instant due, @Nullable ModelException failure) {
        scope.restUntil(due, "round " + round);
    }

    @Override
    public TurnEnd unanswered(ModelException failure, Usage lost) {
        return TurnStops.provider(failure.code(), "the model did not answer: " + failure.getMessage(),
                failure.partial().map(ModelResponse::text).orElse(""));
    }
}

package dev.belay.toolset.loop;

import dev.belay.json.Json;
import dev.belay.model.FinishReason;
import dev.belay.model.Message;
import dev.belay.model.MessageLog;
import dev.belay.model.ModelEvent;
import dev.belay.model.ModelException;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part.CallPart;
import dev.belay.model.ReplyMeaning;
import dev.belay.model.ResponseReducer;
import dev.belay.model.ToolChoice;
import dev.belay.model.Usage;
import dev.belay.schema.Wording;
import dev.belay.tool.Dynamic;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.call.Arguments;
import dev.belay.tool.context.Suspended;
import dev.belay.toolset.Answer;
import dev.belay.toolset.Round;
import dev.belay.toolset.Step;
import dev.belay.toolset.StepEvent;
import dev.belay.toolset.StepException;
import dev.belay.toolset.StepListener;
import dev.belay.toolset.budget.BudgetPool;
import dev.belay.toolset.budget.SpendLimit;
import dev.belay.toolset.budget.Spending;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs one step: asks the model, settles budgets and reads the answer. There is one path for text and structured answers, with
 * and without tools, with and without a listener.
 *
 * <p>Order: everything that can be refused is refused before a budget is touched; a lease is taken last before the model is
 * asked and settled with the real usage, however the request ends.
 */
public final class StepEngine<R> {

    /** Calls of one message beyond this many are answered and not run. */
    static final int MOST_CALLS = 1_024;
    private static final Usage NOTHING = Usage.of(0, 0);

    private final StepSettings options;
    private final OutputForm<R> output;
    /** Of the transcript before the model is asked; a change meanwhile makes the step stale. */
    private final long version;
    private Usage spent = NOTHING;

    /**
     * One step.
     *
     * @param options of the request
     * @param output the form of the answer
     */
    public StepEngine(StepSettings options, OutputForm<R> output) {
        this.options = options;
        this.output = output;
        this.version = options.transcript().version();
    }

    /**
     * A round that was asked for.
     *
     * @param state the round
     * @param calls the calls that can be run
     * @param issues what is wrong with the others, by their places in the message
     * @param ended calls that were ended before the loop has them
     */
    public record Opened<T>(RoundState state, List<AdmittedCall<T>> calls,
            Map<Integer, ToolFailure> issues, List<CallReply> ended) {}

    /** What a whole message means. */
    private sealed interface Meaning<R> {}

    /** A message that needs no correction. */
    private sealed interface Accepted<R> extends Meaning<R> {}

    private record Value<R>(R value) implements Accepted<R> {}

    private record Refusal<R>(String reason) implements Accepted<R> {}

    private record Calls<R>(ModelResponse response) implements Accepted<R> {}

    private record Wrong<R>(String problem) implements Meaning<R> {}

    /** Asks without tools. */
    public Answer<R> answer() {
        return switch (exchange(null)) {
            case Value<R>(R value) -> new Answer.Given<>(value);
            case Refusal<R>(String reason) -> new Answer.Refused<>(reason);
            case Calls<R>(ModelResponse response) -> throw unexpectedCall(response);
        };
    }

    /**
     * Asks with tools.
     *
     * @param offer the tools
     * @param round gives the caller the round that was asked for
     */
    public <T> Step<T, R> run(Offer.Resolved<T> offer, Function<Opened<T>, Round<T>> round) {
        return switch (exchange(offer)) {
            case Value<R>(R value) -> new Step.Finished<>(value);
            case Refusal<R>(String reason) -> new Step.Refused<>(reason);
            case Calls<R>(ModelResponse response) ->
                new Step.NeedsTools<>(round.apply(open(offer, response)));
        };
    }

    /**
     * Asks, and appends an answer without calls. One of the wrong shape is told to the model once.
     *
     * @param offer null if there must be no calls
     */
    private Accepted<R> exchange(Offer.@Nullable Resolved<?> offer) {
        ModelRequest request = request(offer);
        ModelResponse response = ask(request, offer);
        Meaning<R> meaning = meaning(response, offer);
        if (meaning instanceof Wrong<R>(String problem)) {
            tellBetween(new StepEvent.AskedAgain(problem), response);
            try {
                response = ask(correction(request, response, problem), offer);
            } catch (StepException e) {
                throw e.partial().isPresent()
                        ? e
                        : new StepException(e.code(), String.valueOf(e.getMessage()), response, e.getCause());
            } catch (ModelException e) {
                throw e.partial().isPresent() ? e : e.withPartial(response);
            }
            meaning = meaning(response, offer);
        }
        return switch (meaning) {
            case Wrong<R>(String problem) -> throw failed("invalid_structured_output",
                    "the answer does not have the form that was asked for: " + problem, response);
            case Calls<R> calls -> calls;
            case Value<R> value -> {
                append(response.message(), response);
                yield value;
            }
            case Refusal<R> refusal -> {
                append(response.message().declining(refusal.reason()), response);
                yield refusal;
            }
        };
    }

    private ModelRequest request(Offer.@Nullable Resolved<?> offer) {
        var builder = ModelRequest.builder(options.transcript().messages())
                .generation(options.generation())
                .output(output.spec());
        return offer == null
                ? builder.build()
                : builder.tools(offer.specs()).toolChoice(offer.choice()).build();
    }

    /** Asks once more after an answer of the wrong form, and says what was wrong; no tools may be called. */
    public static ModelRequest correction(ModelRequest request, ModelResponse response, String problem) {
        MessageLog messages = MessageLog.of(request.messages())
                .append(response.message())
                .append(Message.user("Your answer does not have the form that was asked for: " + problem
                        + "\nAnswer again, with the JSON alone."));
        ToolChoice choice = request.tools().isEmpty() ? ToolChoice.auto() : ToolChoice.none();
        return new ModelRequest(messages, request.tools(), choice, request.output(), request.generation(),
                request.pictures());
    }

    private void append(Message.AssistantMessage message, ModelResponse response) {
        if (!options.transcript().commit(version, List.of(message))) {
            throw stale(response);
        }
    }

    private Meaning<R> meaning(ModelResponse response, Offer.@Nullable Resolved<?> offer) {
        if (offer == null && response.finish() == FinishReason.TOOL_CALLS) {
            throw unexpectedCall(response);
        }
        return switch (ReplyMeaning.of(response)) {
            case ReplyMeaning.Calls() -> new Calls<>(response);
            case ReplyMeaning.Refusal(String reason) -> new Refusal<>(reason);
            case ReplyMeaning.Unusable(String code, String message, String partial) ->
                throw failed(code, message, response);
            case ReplyMeaning.Text(String text) -> switch (output.reader().apply(text)) {
                case OutputForm.Reading.Right<R>(R value) -> new Value<>(value);
                case OutputForm.Reading.Wrong<R>(String problem) -> new Wrong<>(problem);
            };
        };
    }

    private <T> Opened<T> open(Offer.Resolved<T> offer, ModelResponse response) {
        if (options.transcript().version() != version) {
            throw stale(response);
        }
        int number = options.transcript().nextRound();
        var state = new RoundState(options.transcript(), version, number,
                response.message().withCallIds(number), options.host());
        List<AdmittedCall<T>> calls = new ArrayList<>();
        Map<Integer, ToolFailure> issues = new LinkedHashMap<>();
        List<CallReply> ended = new ArrayList<>(0);
        List<CallPart> parts = state.message().calls();
        for (int i = 0; i < parts.size(); i++) {
            CallPart part = parts.get(i);
            LoopHost.Decided decided = options.transcript().backend().decided(i);
            if (decided != null && decided.outcome() != null) {
                ended.add(CallReply.of(state, i, decided.outcome()));
            } else if (i >= MOST_CALLS) {
                issues.put(i, ToolFailure.ofRuntime(ToolFailure.Kind.RESOURCE_LIMIT, "too_many_calls",
                        "a message may have at most " + MOST_CALLS + " calls; this one was not run"));
            } else if (!isOpen(offer, part.name())) {
                issues.put(i, refusal(offer, part.name()));
            } else {
                ToolEntry<T> entry = Objects.requireNonNull(offer.entries().get(part.name()));
                Json edited = decided == null ? null : decided.arguments();
                Arguments read = edited != null
                        ? Arguments.of(entry.definition(), edited)
                        : response.isCut(part)
                                ? Arguments.cut(part.name())
                                : entry.definition().arguments(part.arguments());
                switch (read) {
                    case Arguments.Malformed(ToolFailure failure) -> issues.put(i, failure);
                    case Arguments.Invalid(ToolFailure failure) -> issues.put(i, failure);
                    case Arguments.Valid valid -> {
                        if (edited == null) {
                            state.decoded(i, valid);
                        }
                        try {
                            calls.add(AdmittedCall.of(state, i, entry, leaf(entry, valid)));
                        } catch (RuntimeException refused) { // by a nested record; the other calls are not lost
                            issues.put(i, ToolFailure.ofRuntime(ToolFailure.Kind.INVALID_REQUEST,
                                    "invalid_arguments", "the arguments of " + entry.name()
                                            + " are refused: " + Wording.of(refused)));
                        }
                    }
                }
            }
        }
        return new Opened<>(state, calls, issues, ended);
    }

    private static Object leaf(ToolEntry<?> entry, Arguments.Valid valid) {
        return entry.leaf() == Dynamic.class ? Dynamic.of(entry.own(), valid) : valid.input();
    }

    /** Asks the model once, under every budget. */
    private ModelResponse ask(ModelRequest request, Offer.@Nullable Resolved<?> offer) {
        options.transcript()
                .backend()
                .offers(offer == null ? List.of() : offer.entries().values());
        Usage estimate = options.estimator().estimate(request);
        requireLimit(spent.plus(estimate), null);
        List<BudgetPool.Lease> leases = reserve(estimate);
        var reducer = new ResponseReducer();
        ModelResponse arrived = null;
        Usage unheard = Spending.unheard(estimate);
        boolean paid = false;
        try {
            arrived = answered(options.model().complete(request, event -> {
                reducer.accept(event);
                gate(offer, event);
                tell(new StepEvent.Streamed(event));
            }));
            options.transcript().responded(arrived);
            paid = options.transcript().backend().isReplay();
            spent = spent.plus(paid ? NOTHING : Spending.of(estimate, arrived));
            requireLimit(spent, arrived);
            return arrived;
        } catch (ListenerFailure failure) {
            throw failure.described(reducer.partial().orElse(null));
        } catch (ModelException failure) {
            arrived = failure.partial().orElse(null);
            unheard = Spending.unheard(estimate, failure.kind());
            throw failure;
        } finally {
            ModelResponse known = arrived != null ? arrived : reducer.partial().orElse(null);
            Usage settled = paid ? NOTHING : known == null ? unheard : Spending.of(estimate, known);
            leases.forEach(lease -> lease.settle(settled));
            options.transcript().spent(settled);
        }
    }

    private static ModelResponse answered(@Nullable ModelResponse response) {
        if (response == null) {
            throw new ModelException(ModelException.Kind.PROTOCOL,
                    "the model returned null instead of an answer");
        }
        return response;
    }

    private List<BudgetPool.Lease> reserve(Usage estimate) {
        List<BudgetPool.Lease> leases = new ArrayList<>();
        try {
            options.pools().forEach(pool -> leases.add(pool.reserve(estimate)));
            return leases;
        } catch (RuntimeException refused) {
            leases.forEach(lease -> lease.settle(NOTHING));
            throw refused;
        }
    }

    private void requireLimit(Usage usage, @Nullable ModelResponse response) {
        SpendLimit limit = options.limit();
        String beyond = limit == null ? null : limit.exceededBy(usage);
        if (beyond != null) {
            throw new StepException("resource_limit", "the limit of this step does not allow " + beyond,
                    response,
                    null);
        }
    }

    private void gate(Offer.@Nullable Resolved<?> offer, ModelEvent event) {
        if (offer != null && event instanceof ModelEvent.CallStarted started
                && !isOpen(offer, started.name())) {
            tell(new StepEvent.NotOffered(started.index(), started.name(), refusal(offer, started.name())));
        }
    }

    private boolean isOpen(Offer.Resolved<?> offer, String name) {
        return offer.entries().containsKey(name) && options.transcript().backend().allows(name);
    }

    private static ToolFailure refusal(Offer.Resolved<?> offer, String name) {
        return offer.entries().containsKey(name)
                ? ToolFailure.ofRuntime(ToolFailure.Kind.UNAVAILABLE, "tool_unavailable",
                        "tool " + name + " exists but is not a member of this session")
                : offer.admission().refusal(name);
    }

    private void tellBetween(StepEvent event, ModelResponse response) {
        try {
            tell(event);
        } catch (ListenerFailure failure) {
            throw failure.described(response);
        }
    }

    private void tell(StepEvent event) {
        try {
            options.listener().on(event);
        } catch (Suspended waiting) {
            throw waiting;
        } catch (Throwable e) {
            if (e instanceof VirtualMachineError fatal && !(e instanceof StackOverflowError)) {
                throw fatal;
            }
            throw new ListenerFailure(e);
        }
    }

    private static StepException failed(String code, String message, ModelResponse response) {
        return new StepException(code, message, response, null);
    }

    private static StepException stale(ModelResponse response) {
        return failed("stale_round", "the transcript has changed while the model was asked; ask again",
                response);
    }

    private static StepException unexpectedCall(ModelResponse response) {
        String what = response.calls().isEmpty() ? "a tool" : response.calls().getFirst().name();
        return failed("unexpected_tool_call", "the model called " + what + " although no tools were offered",
                response);
    }

    /** Carries an exception of a listener out of the model. */
    private static final class ListenerFailure extends RuntimeException {

        private static final long serialVersionUID = 1L;

        ListenerFailure(Throwable cause) {
            super(cause);
        }

        StepException described(@Nullable ModelResponse partial) {
            Throwable cause = Objects.requireNonNull(getCause());
            return cause instanceof StepListener.Stop
                    ? new StepException("step_stopped", "the listener stopped the step", partial, null)
                    : new StepException("listener_failed", "the listener threw: " + Wording.of(cause),
                            partial, cause);
        }
    }
}

package dev.belay.toolset;

import dev.belay.model.FinishReason;
import dev.belay.model.Message;
import dev.belay.model.ModelEvent;
import dev.belay.model.ModelException;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.OutputSpec;
import dev.belay.model.Part.CallPart;
import dev.belay.model.ResponseReducer;
import dev.belay.model.ToolChoice;
import dev.belay.model.ToolSpec;
import dev.belay.model.Usage;
import dev.belay.tool.Arguments;
import dev.belay.tool.Dynamic;
import dev.belay.tool.ToolFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs one step: asks, pays, and says what the answer means. There is one path for text and structured answers, with and
 * without tools, heard and unheard.
 *
 * <p>Order: everything that can be refused is refused before a budget is touched; a lease is taken last before the model is
 * asked and settled with what was really spent however the asking ends.
 */
final class StepEngine<R> {

    /** Calls of one message beyond this many are answered and not run. */
    static final int MOST_CALLS = 1_024;

    private final StepOptions<?> options;
    private final @Nullable StructuredOutput<R> output;
    private Usage spent = Usage.of(0, 0);

    StepEngine(StepOptions<?> options, @Nullable StructuredOutput<R> output) {
        this.options = options;
        this.output = output;
    }

    /** What a whole message without calls means. */
    private sealed interface Meaning<R> {
        record Value<R>(R value) implements Meaning<R> {}

        record Refusal<R>(String reason) implements Meaning<R> {}

        record Wrong<R>(String problem) implements Meaning<R> {}
    }

    Answer<R> answer() {
        ModelRequest request = request(List.of(), null);
        ModelResponse response = ask(request, event -> {});
        if (!response.calls().isEmpty()) {
            throw failed("unexpected_tool_call",
                    "the model called " + response.calls().getFirst().name()
                            + " although no tools were offered",
                    response);
        }
        return switch (settle(request, response)) {
            case Meaning.Value<R>(R value) -> new Answer.Given<>(value);
            case Meaning.Refusal<R>(String reason) -> new Answer.Refused<>(reason);
            case Meaning.Wrong<R>(String problem) -> throw wrongShape(problem, response);
        };
    }

    <T> Step<T, R> run(Offer.Resolved<T> offer) {
        ModelRequest request = request(offer.specs(), offer);
        ModelResponse response = ask(request, event -> gate(offer, event));
        if (!response.calls().isEmpty()) {
            return new Step.NeedsTools<>(round(offer, response));
        }
        return switch (settle(request, response)) {
            case Meaning.Value<R>(R value) -> new Step.Finished<>(value);
            case Meaning.Refusal<R>(String reason) -> new Step.Refused<>(reason);
            case Meaning.Wrong<R>(String problem) -> throw wrongShape(problem, response);
        };
    }

    private ModelRequest request(List<ToolSpec> specs, Offer.@Nullable Resolved<?> offer) {
        var builder = ModelRequest.builder(options.transcript.messages())
                .tools(specs)
                .generation(options.generation)
                .output(output == null ? OutputSpec.text() : output.spec());
        return offer == null ? builder.build() : builder.toolChoice(offer.choice()).build();
    }

    /** Says what a message without calls means and appends it; one of the wrong shape is told to the model once. */
    private Meaning<R> settle(ModelRequest request, ModelResponse response) {
        Meaning<R> meaning = meaning(response);
        if (!(meaning instanceof Meaning.Wrong<R>(String problem))) {
            options.transcript.commit(List.of(response.message()));
            return meaning;
        }
        tellBetween(new StepEvent.AskedAgain(problem), response);
        List<Message> messages = new ArrayList<>(request.messages());
        messages.add(new Message.AssistantMessage(response.message().parts()));
        messages.add(Message.user("Your answer does not have the form that was asked for: " + problem
                + "\nAnswer again, with the JSON alone."));
        ToolChoice choice = request.tools().isEmpty() ? ToolChoice.auto() : ToolChoice.none();
        ModelRequest again = new ModelRequest(messages, request.tools(), choice, request.output(),
                request.generation());
        ModelResponse second = ask(again, event -> {});
        if (!second.calls().isEmpty()) {
            throw failed("unexpected_tool_call", "the model called a tool when asked to correct its answer",
                    second);
        }
        Meaning<R> corrected = meaning(second);
        if (corrected instanceof Meaning.Wrong<R>(String still)) {
            throw wrongShape(still, second);
        }
        options.transcript.commit(List.of(second.message()));
        return corrected;
    }

    @SuppressWarnings("unchecked")
    private Meaning<R> meaning(ModelResponse response) {
        if (response.refusal().isPresent()) {
            return new Meaning.Refusal<>(response.refusal().get());
        }
        if (response.finish() == FinishReason.LENGTH) {
            throw failed("output_limit", "the answer was cut at the limit of output tokens", response);
        }
        if (response.finish() == FinishReason.CONTENT_FILTER || response.finish() == FinishReason.REFUSAL) {
            return new Meaning.Refusal<>(
                    response.text().isEmpty() ? "the answer was filtered" : response.text());
        }
        if (response.text().isBlank()) {
            throw failed("empty_reply", "the model answered with neither text nor calls", response);
        }
        if (output == null) {
            return new Meaning.Value<>((R) response.text());
        }
        return switch (output.read(response.text())) {
            case StructuredOutput.Reading.Right<R>(R value) -> new Meaning.Value<>(value);
            case StructuredOutput.Reading.Wrong<R>(String problem) -> new Meaning.Wrong<>(problem);
        };
    }

    private <T> Round<T> round(Offer.Resolved<T> offer, ModelResponse response) {
        int number = options.transcript.nextRound();
        var state = new RoundState(options.transcript, number, response.message().withCallIds(number),
                options.host);
        List<ToolCall<T>> calls = new ArrayList<>();
        List<CallIssue> issues = new ArrayList<>();
        List<CallPart> parts = state.message().calls();
        for (int i = 0; i < parts.size(); i++) {
            CallPart part = parts.get(i);
            ToolEntry<T> entry = offer.entries().get(part.name());
            if (i >= MOST_CALLS) {
                issues.add(new CallIssue(state, i, ToolFailure.ofRuntime(ToolFailure.Kind.RESOURCE_LIMIT,
                        "too_many_calls",
                        "a message may have at most " + MOST_CALLS + " calls; this one was not run")));
            } else if (entry == null) {
                issues.add(new CallIssue(state, i, offer.admission().refusal(part.name())));
            } else {
                switch (entry.definition().arguments(part.arguments())) {
                    case Arguments.Valid valid ->
                        calls.add(new ToolCall<>(state, i, entry, leaf(entry, valid)));
                    case Arguments.Malformed(ToolFailure failure) ->
                        issues.add(new CallIssue(state, i, failure));
                    case Arguments.Invalid(ToolFailure failure) ->
                        issues.add(new CallIssue(state, i, failure));
                }
            }
        }
        return new Round<>(state, calls, issues);
    }

    private static Object leaf(ToolEntry<?> entry, Arguments.Valid valid) {
        return entry.leaf() == Dynamic.class ? Dynamic.of(entry.own(), valid) : valid.input();
    }

    /** Asks the model once, under every budget. */
    private ModelResponse ask(ModelRequest request, Consumer<ModelEvent> gate) {
        Usage estimate = options.estimator.estimate(request);
        requireLimit(spent.plus(estimate), null);
        List<BudgetPool.Lease> leases = reserve(estimate);
        var reducer = new ResponseReducer();
        Usage actual = Usage.of(0, 0);
        try {
            ModelResponse response = options.model.complete(request, event -> {
                reducer.accept(event);
                gate.accept(event);
                tell(new StepEvent.Streamed(event));
            });
            actual = response.usage().total().isPresent() ? response.usage() : guess(estimate, response);
            options.transcript.responded(response);
            return withinLimit(response, actual);
        } catch (ListenerFailure failure) {
            actual = spentBy(reducer, estimate);
            throw failure.described(reducer.partial().orElse(null));
        } catch (ModelException failure) {
            actual = failure.usage().total().isPresent() ? failure.usage() : spentBy(reducer, estimate);
            throw failure;
        } catch (StepException beyond) {
            throw beyond;
        } catch (RuntimeException broken) {
            actual = spentBy(reducer, estimate);
            throw broken;
        } finally {
            Usage settled = actual;
            leases.forEach(lease -> lease.settle(settled));
            options.transcript.spent(settled);
        }
    }

    private List<BudgetPool.Lease> reserve(Usage estimate) {
        List<BudgetPool.Lease> leases = new ArrayList<>();
        try {
            options.pools.forEach(pool -> leases.add(pool.reserve(estimate)));
            return leases;
        } catch (StepException refused) {
            leases.forEach(lease -> lease.settle(Usage.of(0, 0)));
            throw refused;
        }
    }

    private ModelResponse withinLimit(ModelResponse response, Usage actual) {
        spent = spent.plus(actual);
        requireLimit(spent, response);
        return response;
    }

    private void requireLimit(Usage usage, @Nullable ModelResponse response) {
        SpendLimit limit = options.limit;
        String beyond = limit == null ? null : limit.exceededBy(usage);
        if (beyond != null) {
            throw new StepException("resource_limit",
                    "the limit of this step does not allow " + beyond, response, null);
        }
    }

    /** What an asking that was cut off has spent: what was reported, else a guess if anything arrived at all. */
    private static Usage spentBy(ResponseReducer reducer, Usage estimate) {
        return reducer.partial()
                .map(partial -> partial.usage().total().isPresent()
                        ? partial.usage()
                        : guess(estimate, partial))
                .orElse(Usage.of(0, 0));
    }

    private static Usage guess(Usage estimate, ModelResponse arrived) {
        long characters = arrived.text().length() + arrived.message().reasoning().length()
                + arrived.calls().stream().mapToLong(call -> call.arguments().length()).sum();
        return Usage.of(estimate.input().orElse(0), UsageEstimator.tokens(characters));
    }

    private <T> void gate(Offer.Resolved<T> offer, ModelEvent event) {
        if (event instanceof ModelEvent.CallStarted started && !offer.entries().containsKey(started.name())) {
            tell(new StepEvent.NotOffered(started.index(), started.name(),
                    offer.admission().refusal(started.name())));
        }
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
            options.listener.on(event);
        } catch (RuntimeException e) {
            throw new ListenerFailure(e);
        }
    }

    /** What a listener threw, on its way out of the model. */
    private static final class ListenerFailure extends RuntimeException {

        private static final long serialVersionUID = 1L;

        ListenerFailure(RuntimeException cause) {
            super(cause);
        }

        StepException described(@Nullable ModelResponse partial) {
            Throwable cause = Objects.requireNonNull(getCause());
            return cause instanceof StepListener.Stop
                    ? new StepException("step_stopped", "the listener stopped the step", partial, null)
                    : new StepException("listener_failed", "the listener threw: " + cause, partial, cause);
        }
    }

    private static StepException failed(String code, String message, ModelResponse response) {
        return new StepException(code, message, response, null);
    }

    private StepException wrongShape(String problem, ModelResponse response) {
        return failed("invalid_structured_output",
                "the answer does not have the form that was asked for: " + problem,
                response);
    }
}

package dev.belay.model.envelope;

import dev.belay.model.FinishReason;
import dev.belay.model.Message;
import dev.belay.model.Message.AssistantMessage;
import dev.belay.model.Model;
import dev.belay.model.ModelEvent;
import dev.belay.model.ModelEvent.CallArguments;
import dev.belay.model.ModelEvent.CallStarted;
import dev.belay.model.ModelEvent.Finished;
import dev.belay.model.ModelEvent.ReasoningDelta;
import dev.belay.model.ModelEvent.RefusalDelta;
import dev.belay.model.ModelEvent.Started;
import dev.belay.model.ModelEvent.TextDelta;
import dev.belay.model.ModelEvent.UsageReported;
import dev.belay.model.ModelException;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.NativePayload;
import dev.belay.model.OutputSpec;
import dev.belay.model.Part.AssistantPart;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.ReasoningPart;
import dev.belay.model.Part.RefusalPart;
import dev.belay.model.Part.TextPart;
import dev.belay.model.ResponseReducer;
import dev.belay.model.Usage;
import dev.belay.schema.Wording;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One request through envelopes: asks, reads, and asks again about what cannot be read. Reasoning and usage are told while
 * they arrive; text is held back until its meaning is known, because an event cannot be taken back. All events pass through one
 * reducer, which makes the response. Confined to one call.
 */
final class EnvelopeExchange {

    /** Enough of a wrong answer for a log. */
    private static final int SHOWN = 200;

    private final Model model;
    private final ModelRequest request;
    private final ModelListener listener;
    private final boolean enforced;
    private final ResponseReducer told = new ResponseReducer();
    /** The usage of the answers before this one. */
    private Usage before = Usage.NONE;
    private Usage reported = Usage.NONE;
    private Usage current = Usage.NONE;
    private boolean started;

    EnvelopeExchange(Model model, ModelRequest request, ModelListener listener, boolean enforced) {
        this.model = model;
        this.request = request;
        this.listener = listener;
        this.enforced = enforced;
    }

    ModelResponse run(int corrections) {
        List<Message> messages = EnvelopeHistory.render(request);
        for (int left = corrections;; left--) {
            ModelResponse answer = ask(messages);
            if (isNoEnvelope(answer)) {
                return passOn(answer);
            }
            EnvelopeReader.Reading reading = EnvelopeReader.read(answer.text(), request.output());
            switch (reading.envelope()) {
                case Envelope.Call call -> {
                    return call(call, reading.thoughts(), answer);
                }
                case Envelope.Final(String content) -> {
                    return finish(content, reading.thoughts(), answer);
                }
                case Envelope.Wrong(String problem) -> {
                    if (answer.finish() == FinishReason.LENGTH) {
                        return passOn(answer); // asked again it would be cut again
                    }
                    if (left == 0) {
                        throw unreadable(problem, corrections + 1, answer);
                    }
                    messages = EnvelopeHistory.corrected(messages, answer.message(),
                            EnvelopePrompt.correction(request, problem));
                }
            }
        }
    }

    private ModelResponse ask(List<Message> messages) {
        current = Usage.NONE;
        ModelRequest asked = ModelRequest.builder(messages)
                .output(enforced ? EnvelopePrompt.schema(request) : OutputSpec.text())
                .generation(request.generation())
                .build();
        ModelResponse answer;
        try {
            answer = model.complete(asked, this::hear);
        } catch (ModelException e) {
            throw failed(e);
        }
        start(new Started(answer.model(), answer.responseId()));
        report(answer.usage());
        before = before.plus(answer.usage());
        return answer;
    }

    private void hear(ModelEvent event) {
        switch (event) {
            case Started start -> start(start);
            case ReasoningDelta reasoning -> tell(reasoning);
            case UsageReported(Usage usage) -> report(current.merge(usage));
            case TextDelta text -> {
            }
            case RefusalDelta refusal -> {
            }
            case CallStarted call -> {
            }
            case CallArguments arguments -> {
            }
            case Finished finished -> {
            }
        }
    }

    private void start(Started start) {
        if (!started) {
            started = true;
            tell(start);
        }
    }

    private void report(Usage usage) {
        current = usage;
        Usage total = before.plus(usage);
        if (!total.equals(reported)) {
            reported = total;
            tell(new UsageReported(total));
        }
    }

    private void tell(ModelEvent event) {
        told.accept(event);
        listener.on(event);
    }

    /** A refusal, a filter and a native call mean what they say. */
    private static boolean isNoEnvelope(ModelResponse answer) {
        return !answer.calls().isEmpty() || answer.refusal().isPresent()
                || answer.finish() == FinishReason.REFUSAL || answer.finish() == FinishReason.CONTENT_FILTER;
    }

    private ModelResponse passOn(ModelResponse answer) {
        int index = 0;
        for (AssistantPart part : answer.message().parts()) {
            switch (part) {
                case TextPart(String text) -> tell(new TextDelta(text));
                case RefusalPart(String text) -> tell(new RefusalDelta(text));
                case ReasoningPart heard -> {
                }
                case CallPart(String id, String name, String arguments) -> {
                    tell(new CallStarted(index, id, name));
                    tell(new CallArguments(index++, arguments));
                }
            }
        }
        return end(answer.finish(), answer.message().nativePayload());
    }

    private ModelResponse call(Envelope.Call call, String thoughts, ModelResponse answer) {
        tell(new ReasoningDelta(thoughts));
        tell(new TextDelta(call.note()));
        tell(new CallStarted(0, "", call.toolName()));
        tell(new CallArguments(0, call.arguments().text()));
        return end(FinishReason.TOOL_CALLS, EnvelopeHistory.payload(answer));
    }

    private ModelResponse finish(String content, String thoughts, ModelResponse answer) {
        tell(new ReasoningDelta(thoughts));
        tell(new TextDelta(content));
        return end(FinishReason.STOP, EnvelopeHistory.payload(answer));
    }

    private ModelResponse end(FinishReason reason, @Nullable NativePayload payload) {
        tell(new Finished(reason, payload));
        return told.finish();
    }

    private ModelException unreadable(String problem, int answers, ModelResponse answer) {
        String which = answers == 1 ? "gave an answer that" : "gave " + answers + " answers, and the last";
        var unreadable = new ModelException(ModelException.Kind.PROTOCOL,
                "the model " + model.id() + " " + which + " cannot be read as an envelope: " + problem
                        + ". It began with: " + Wording.shown(answer.text(), SHOWN)
                        + ". Allow more corrections, or choose a model that calls tools")
                .withPartial(arrived(answer, before));
        return answers == 1 ? unreadable : unreadable.asSettled(); // it was asked again, with what was wrong
    }

    private ModelException failed(ModelException e) {
        if (e.partial().isPresent()) {
            return e.withPartial(arrived(e.partial().get(), before.plus(current.merge(e.usage()))));
        }
        return told.partial().map(e::withPartial).orElse(e);
    }

    /** This answer so far, with the usage of all answers. */
    private ModelResponse arrived(ModelResponse answer, Usage spent) {
        List<AssistantPart> parts = new ArrayList<>();
        told.partial().ifPresent(known -> parts.addAll(known.message().parts()));
        answer.message()
                .parts()
                .stream()
                .filter(part -> !(part instanceof ReasoningPart))
                .forEach(parts::add);
        return new ModelResponse(new AssistantMessage(parts), answer.finish(), spent, answer.model(),
                answer.responseId());
    }
}

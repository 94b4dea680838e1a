package dev.belay.model.script;

import dev.belay.model.FinishReason;
import dev.belay.model.Message.AssistantMessage;
import dev.belay.model.ModelEvent;
import dev.belay.model.ModelEvents;
import dev.belay.model.ModelException;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.NativePayload;
import dev.belay.model.Part.AssistantPart;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.ReasoningPart;
import dev.belay.model.Part.RefusalPart;
import dev.belay.model.Part.TextPart;
import dev.belay.model.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One answer of a {@link ScriptedModel}: what is said, in which pieces, and how it ends. Every method gives a new step;
 * immutable.
 *
 * <pre>{@code
 * ScriptStep.text("Let me look.").andCall("find_orders", "{\"customer\":\"42\"}").chunks(3)
 * }</pre>
 */
public final class ScriptStep {

    private final List<AssistantPart> parts;
    private final @Nullable Function<ModelRequest, ModelResponse> response;
    private Function<String, List<String>> cut = text -> ModelEvents.cut(text, Integer.MAX_VALUE);
    private @Nullable FinishReason finish;
    private Usage usage = Usage.NONE;
    private @Nullable NativePayload nativePayload;
    private @Nullable ModelException error;
    private @Nullable Predicate<? super ModelRequest> condition;
    private boolean once;

    private ScriptStep(List<AssistantPart> parts, @Nullable Function<ModelRequest, ModelResponse> response) {
        this.parts = List.copyOf(parts);
        this.response = response;
    }

    private ScriptStep(ScriptStep like, List<AssistantPart> parts) {
        this(parts, like.response);
        cut = like.cut;
        finish = like.finish;
        usage = like.usage;
        nativePayload = like.nativePayload;
        error = like.error;
        condition = like.condition;
        once = like.once;
    }

    /** Says a text; an empty one makes an answer without any part. */
    public static ScriptStep text(String text) {
        return nothing().andText(text);
    }

    /** Calls a tool, with the id {@code scripted_1}. */
    public static ScriptStep call(String tool, String arguments) {
        return nothing().andCall(tool, arguments);
    }

    /** Refuses to answer. */
    public static ScriptStep refusal(String text) {
        return nothing().with(new RefusalPart(text));
    }

    /** Thinks; go on with {@link #andText} or {@link #andCall}. */
    public static ScriptStep reasoning(String text) {
        return nothing().with(new ReasoningPart(text));
    }

    /** Fails before anything is said. */
    public static ScriptStep error(ModelException error) {
        return nothing().thenError(error);
    }

    /** Computes the answer from the request; the response is streamed and returned as it is, so nothing can be added here. */
    public static ScriptStep respond(Function<ModelRequest, ModelResponse> response) {
        return new ScriptStep(List.of(), Objects.requireNonNull(response, "response"));
    }

    static ScriptStep nothing() {
        return new ScriptStep(List.of(), null);
    }

    /** Says this too. */
    public ScriptStep andText(String text) {
        return text.isEmpty() ? this : with(new TextPart(text));
    }

    /** Calls this tool too, in the same answer, with the id {@code scripted_<n>}, n counting the calls from 1. */
    public ScriptStep andCall(String tool, String arguments) {
        return andCall("scripted_" + (message().calls().size() + 1), tool, arguments);
    }

    /** Calls this tool too, with an id of your choice, also none ({@code ""}) or one that is taken. */
    public ScriptStep andCall(String id, String tool, String arguments) {
        return with(new CallPart(id, tool, arguments));
    }

    /** Refuses too. */
    public ScriptStep andRefusal(String text) {
        return with(new RefusalPart(text));
    }

    /** Streams texts and arguments in pieces of at most so many code points; by default each is one piece. */
    public ScriptStep chunks(int codePoints) {
        if (codePoints < 1) {
            throw new IllegalArgumentException("chunks must have at least 1 code point, not " + codePoints);
        }
        ScriptStep step = copy();
        step.cut = text -> ModelEvents.cut(text, codePoints);
        return step;
    }

    /** Streams the text said so far in exactly these pieces. */
    public ScriptStep chunks(String... pieces) {
        List<String> exact = List.of(pieces);
        String whole = String.join("", exact);
        if (!whole.equals(message().text())) {
            throw new IllegalArgumentException(
                    "the chunks must make up the text \"" + message().text() + "\", not \"" + whole + "\"");
        }
        ScriptStep step = copy();
        step.cut = text -> text.equals(whole) ? exact : List.of(text);
        return step;
    }

    /** Ends for this reason; by default what follows from the parts: tool calls, refusal or stop. */
    public ScriptStep finish(FinishReason reason) {
        ScriptStep step = scripted(reason);
        step.finish = Objects.requireNonNull(reason, "reason");
        return step;
    }

    /** Reports this usage; by default none. */
    public ScriptStep usage(Usage spent) {
        ScriptStep step = scripted(spent);
        step.usage = Objects.requireNonNull(spent, "spent");
        return step;
    }

    /** Carries this native payload; by default none. */
    public ScriptStep nativePayload(NativePayload payload) {
        ScriptStep step = scripted(payload);
        step.nativePayload = Objects.requireNonNull(payload, "payload");
        return step;
    }

    /** Fails after all this was streamed, instead of finishing; what was streamed is the exception's partial response. */
    public ScriptStep thenError(ModelException failure) {
        ScriptStep step = copy();
        step.error = Objects.requireNonNull(failure, "failure");
        return step;
    }

    /** Makes this a rule: it answers every request that meets the condition, ahead of the steps that have none. */
    public ScriptStep when(Predicate<? super ModelRequest> test) {
        ScriptStep step = copy();
        step.condition = Objects.requireNonNull(test, "test");
        return step;
    }

    /** Makes a rule answer only the first request that meets its condition. */
    public ScriptStep once() {
        ScriptStep step = copy();
        step.once = true;
        return step;
    }

    /** What it says, how it ends, and when. */
    @Override
    public String toString() {
        List<String> said = new ArrayList<>();
        for (AssistantPart part : message().parts()) {
            said.add(switch (part) {
                case TextPart(String text) -> "text \"" + text + "\"";
                case ReasoningPart(String text) -> "reasoning \"" + text + "\"";
                case RefusalPart(String text) -> "refusal \"" + text + "\"";
                case CallPart(String id, String name, String arguments) -> "call " + name + " " + arguments;
            });
        }
        if (response != null) {
            said.add("a computed response");
        }
        if (error != null) {
            said.add("error " + error.code());
        }
        String answer = said.isEmpty() ? "an empty answer" : String.join(", ", said);
        return condition == null ? answer : answer + " when " + RequestMatcher.describe(condition);
    }

    /** A step equal to no other, so that a script may hold the same step twice. */
    ScriptStep own() {
        return copy();
    }

    boolean isRule() {
        return condition != null;
    }

    boolean matches(ModelRequest request) {
        return condition == null || condition.test(request);
    }

    boolean isOnce() {
        return once;
    }

    Optional<ModelException> failure() {
        return Optional.ofNullable(error);
    }

    /** What is heard before the error, or all of it if there is none. */
    List<ModelEvent> events(ModelRequest request, String model, String responseId) {
        if (error != null && response == null && parts.isEmpty() && usage.equals(Usage.NONE)) {
            return List.of();
        }
        ModelResponse answer = response != null
                ? response.apply(request)
                : new ModelResponse(message(), reason(), usage, model, responseId);
        List<ModelEvent> events = ModelEvents.of(answer, cut);
        return error == null ? events : events.subList(0, events.size() - 1);
    }

    private FinishReason reason() {
        if (finish != null) {
            return finish;
        }
        if (!message().calls().isEmpty()) {
            return FinishReason.TOOL_CALLS;
        }
        return message().refusal().isPresent() ? FinishReason.REFUSAL : FinishReason.STOP;
    }

    private AssistantMessage message() {
        return new AssistantMessage(parts, nativePayload);
    }

    private ScriptStep with(AssistantPart part) {
        List<AssistantPart> more = new ArrayList<>(parts);
        more.add(part);
        return new ScriptStep(scripted(part), more);
    }

    private ScriptStep scripted(Object addition) {
        if (response != null) {
            throw new IllegalStateException(
                    "a computed response is sent as it is; it cannot have " + addition);
        }
        return copy();
    }

    private ScriptStep copy() {
        return new ScriptStep(this, parts);
    }
}

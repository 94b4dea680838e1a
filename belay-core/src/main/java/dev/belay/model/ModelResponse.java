package dev.belay.model;

import dev.belay.model.Message.AssistantMessage;
import dev.belay.model.Part.CallPart;
import dev.belay.model.form.WholeCharacters;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The answer of a model. Whatever a model returns is well-formed: half a character, which no record can hold, is replaced by
 * {@code U+FFFD}, and in arguments by {@code U+0001}, which JSON refuses as it refuses the half.
 *
 * @param message what it said
 * @param finish why it stopped
 * @param usage what it cost
 * @param model the model that answered, as the provider names it
 * @param responseId the provider's id of the answer; empty if it has none
 */
public record ModelResponse(AssistantMessage message, FinishReason finish, Usage usage, String model,
        String responseId) {

    /** Refuses null; replaces halves of characters. */
    public ModelResponse {
        message = WholeCharacters.of(message);
        Objects.requireNonNull(finish, "finish");
        Objects.requireNonNull(usage, "usage");
        model = WholeCharacters.of(model);
        responseId = WholeCharacters.of(responseId);
    }

    /** All its text; empty if there is none. */
    public String text() {
        return message.text();
    }

    /** Its calls in the model's order. */
    public List<CallPart> calls() {
        return message.calls();
    }

    /**
     * Whether a call was cut at the limit of output tokens before its arguments. Empty arguments otherwise stand for none. A call
     * that was cut within its arguments has text that is not JSON.
     *
     * @param call one of this answer, also after its id was changed
     */
    public boolean isCut(CallPart call) {
        return finish == FinishReason.LENGTH && call.arguments().isBlank();
    }

    /** Why there is no answer: the model's own words, or that a filter stopped it; empty if neither declined. */
    public Optional<String> declined() {
        if (refusal().isPresent()) {
            return refusal();
        }
        return finish == FinishReason.CONTENT_FILTER || finish == FinishReason.REFUSAL
                ? Optional.of(text().isEmpty() ? "the answer was filtered" : text())
                : Optional.empty();
    }

    /** Why it did not answer, if it said so. */
    public Optional<String> refusal() {
        return message.refusal();
    }
}

package dev.belay.model.langchain4j;

import dev.belay.model.Usage;
import dev.langchain4j.model.output.TokenUsage;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Reads the tokens of a call. LangChain4j passes on a provider's numbers, and providers count differently: Claude's leave cached
 * tokens out of the input, Gemini leaves thoughts out of the output. These separate counts are only in classes of LangChain4j's
 * provider modules, so they are read by reflection; a count whose method is missing is not reported. Stateless.
 */
final class ChatUsage {

    private ChatUsage() {}

    static Usage of(@Nullable TokenUsage tokens) {
        if (tokens == null) {
            return Usage.NONE;
        }
        OptionalLong read = count(tokens, "cacheReadInputTokens"); // Anthropic, Bedrock
        OptionalLong written = or(count(tokens, "cacheCreationInputTokens"),
                count(tokens, "cacheWriteInputTokens"));
        OptionalLong cached = or(count(tokens, "cachedContentTokenCount"),
                count(asked(tokens, "inputTokensDetails"), "cachedTokens")); // Gemini, OpenAI
        OptionalLong thoughts = count(tokens, "thoughtsTokenCount"); // Gemini
        OptionalLong reasoning = count(asked(tokens, "outputTokensDetails"), "reasoningTokens"); // OpenAI
        return new Usage(plus(plus(count(tokens.inputTokenCount()), read), written),
                plus(count(tokens.outputTokenCount()), thoughts), or(read, cached), written,
                or(thoughts, reasoning));
    }

    private static OptionalLong count(@Nullable Object object, String name) {
        return count(asked(object, name));
    }

    private static OptionalLong count(@Nullable Object value) {
        return value instanceof Number number
                ? OptionalLong.of(Math.max(0, number.longValue()))
                : OptionalLong.empty();
    }

    private static @Nullable Object asked(@Nullable Object object, String name) {
        if (object == null) {
            return null;
        }
        try {
            return object.getClass().getMethod(name).invoke(object);
        } catch (ReflectiveOperationException notSaid) {
            return null;
        }
    }

    private static OptionalLong or(OptionalLong first, OptionalLong second) {
        return first.isPresent() ? first : second;
    }

    /** Adds a separate part to a whole; without a whole there is no sum. */
    private static OptionalLong plus(OptionalLong whole, OptionalLong part) {
        if (whole.isEmpty()) {
            return whole;
        }
        long sum = whole.getAsLong() + part.orElse(0);
        return OptionalLong.of(sum < 0 ? Long.MAX_VALUE : sum);
    }
}

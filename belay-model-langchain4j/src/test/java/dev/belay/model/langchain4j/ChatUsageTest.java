package dev.belay.model.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.Usage;
import dev.langchain4j.model.output.TokenUsage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Usage in the forms of LangChain4j's modules for providers, whose classes are not here: only the names of their methods count. */
class ChatUsageTest {

    /** As {@code AnthropicTokenUsage}: the input leaves out what was cached. */
    public static final class Anthropic extends TokenUsage {

        private final @Nullable Integer written;

        Anthropic(int input, int output, @Nullable Integer written) {
            super(input, output);
            this.written = written;
        }

        public @Nullable Integer cacheCreationInputTokens() {
            return written;
        }

        public Integer cacheReadInputTokens() {
            return 1000;
        }
    }

    /** As {@code BedrockTokenUsage}. */
    public static final class Bedrock extends TokenUsage {

        Bedrock() {
            super(7, 5);
        }

        public Integer cacheWriteInputTokens() {
            return 30;
        }

        public Integer cacheReadInputTokens() {
            return 200;
        }
    }

    /** As {@code GoogleAiGeminiTokenUsage}: the output leaves out thoughts. */
    public static final class Gemini extends TokenUsage {

        Gemini() {
            super(100, 10);
        }

        public Integer cachedContentTokenCount() {
            return 60;
        }

        public Integer thoughtsTokenCount() {
            return 400;
        }
    }

    /** As {@code OpenAiTokenUsage}: parts of what is counted. */
    public static final class OpenAi extends TokenUsage {

        OpenAi() {
            super(100, 50);
        }

        public Read inputTokensDetails() {
            return new Read();
        }

        public Written outputTokensDetails() {
            return new Written();
        }

        public static final class Read {

            public Integer cachedTokens() {
                return 64;
            }
        }

        public static final class Written {

            public Integer reasoningTokens() {
                return 32;
            }
        }
    }

    @Test
    void inputHasWhatAnthropicCountsApart() {
        assertThat(ChatUsage.of(new Anthropic(7, 5, 30)))
                .isEqualTo(Usage.of(1037, 5).withCacheRead(1000).withCacheWrite(30));
        assertThat(ChatUsage.of(new Anthropic(7, 5, null))).isEqualTo(Usage.of(1007, 5).withCacheRead(1000));
        assertThat(ChatUsage.of(new Bedrock()))
                .isEqualTo(Usage.of(237, 5).withCacheRead(200).withCacheWrite(30));
    }

    @Test
    void outputHasTheThoughtsThatGeminiCountsApart() {
        assertThat(ChatUsage.of(new Gemini()))
                .isEqualTo(Usage.of(100, 410).withCacheRead(60).withReasoning(400));
    }

    @Test
    void partsOfWhatIsCountedAreNotCountedTwice() {
        assertThat(ChatUsage.of(new OpenAi()))
                .isEqualTo(Usage.of(100, 50).withCacheRead(64).withReasoning(32));
    }

    @Test
    void whatIsNotSaidIsAbsent() {
        assertThat(ChatUsage.of(null)).isEqualTo(Usage.NONE);
        assertThat(ChatUsage.of(new TokenUsage())).isEqualTo(Usage.NONE);
        assertThat(ChatUsage.of(new TokenUsage(3, null))).isEqualTo(Usage.NONE.withInput(3));
        assertThat(ChatUsage.of(new TokenUsage(-1, 2))).isEqualTo(Usage.of(0, 2));
    }
}

package dev.belay.tests.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;
import dev.belay.model.FinishReason;
import dev.belay.model.Message;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part.ImagePart;
import dev.belay.model.Part.Source;
import dev.belay.model.TokenFamily;
import dev.belay.model.Usage;
import dev.belay.runtime.Belay;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.memory.SharedMemory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Estimates, judged by another tokenizer. */
class TokenEstimateTest {

    private static String corpus(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(
                TokenEstimateTest.class.getResourceAsStream("/tokens/" + name + ".txt"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @ParameterizedTest
    @CsvSource({"O200K, O200K_BASE, english", "O200K, O200K_BASE, code", "O200K, O200K_BASE, json",
        "O200K, O200K_BASE, chinese", "CL100K, CL100K_BASE, english", "CL100K, CL100K_BASE, code",
        "CL100K, CL100K_BASE, json", "CL100K, CL100K_BASE, chinese"})
    void anEstimateIsWithinFifteenPercentOfTheTokenizer(TokenFamily family, EncodingType type, String name)
            throws IOException {
        Encoding judge = Encodings.newLazyEncodingRegistry().getEncoding(type);
        String text = corpus(name);
        double ratio = (double) family.tokens(text) / judge.countTokens(text);
        assertThat(ratio).isCloseTo(1, within(0.15));
    }

    /** Counted with the tokenizer that Anthropic has published, which is no Java: {@code @anthropic-ai/tokenizer} 0.0.4. */
    @ParameterizedTest
    @CsvSource({"english, 3478", "code, 3405", "json, 1887", "chinese, 733"})
    void anEstimateForClaudeIsWithinFifteenPercentOfThePublishedTokenizer(String name, int counted)
            throws IOException {
        double ratio = (double) TokenFamily.ANTHROPIC.tokens(corpus(name)) / counted;
        assertThat(ratio).isCloseTo(1, within(0.15));
    }

    @Test
    void theFamilyFollowsFromTheModelsName() {
        assertThat(TokenFamily.of("gpt-4o-mini")).isEqualTo(TokenFamily.O200K);
        assertThat(TokenFamily.of("gpt-4.1")).isEqualTo(TokenFamily.O200K);
        assertThat(TokenFamily.of("gpt-4-turbo")).isEqualTo(TokenFamily.CL100K);
        assertThat(TokenFamily.of("llama3.1:8b")).isEqualTo(TokenFamily.CL100K);
        assertThat(TokenFamily.of("claude-sonnet-4-5")).isEqualTo(TokenFamily.ANTHROPIC);
        assertThat(TokenFamily.of("my-own")).isEqualTo(TokenFamily.O200K);
    }

    @Test
    void aPictureCountsForTwelveHundredTokens() {
        Message picture = Message.user(new ImagePart("image/png", new Source.Inline("AAAA")));
        assertThat(TokenFamily.O200K.tokens(picture)).isBetween(1_200L, 1_210L);
    }

    /** A provider that counts twice as many tokens as the estimate. */
    @Test
    void whatTheProviderReportsCorrectsTheEstimateAlsoAfterARestart() throws Exception {
        var memory = new SharedMemory();
        var bench = new HistoryBench();
        int context = 10_000;
        List<Long> sizes = new CopyOnWriteArrayList<>();
        for (int process = 0; process < 2; process++) {
            try (Belay belay = Belay.builder()
                    .model(bench.answering(request -> {
                        long really = 2 * HistoryBench.tokens(request);
                        sizes.add(really);
                        return new ModelResponse(Message.assistant("ok"), FinishReason.STOP,
                                Usage.of(really, 1),
                                "function", "");
                    }))
                    .maxContextTokens(context)
                    .store(memory.open())
                    .build()) {
                Session session = belay.session("s");
                for (int i = 0; i < 20; i++) {
                    assertThat(session.turn("Question " + i + " word".repeat(400)).run())
                            .isInstanceOf(TurnResult.Finished.class);
                }
                assertThat(session.history()).isNotEmpty()
                        .allSatisfy(step -> assertThat(step.tokensBefore()).isGreaterThan(7_000));
            }
        }
        assertThat(sizes).hasSize(40)
                .allSatisfy(
                        size -> assertThat(size).as("as the provider counts").isLessThanOrEqualTo(context));
    }
}

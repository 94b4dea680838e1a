package dev.belay.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.BelayException;
import dev.belay.model.ModelException.Kind;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ModelExceptionTest {

    @Test
    void codesAndRetryabilityAreStable() {
        assertThat(Stream.of(Kind.values())
                .map(kind -> new ModelException(kind, "m"))
                .collect(Collectors.toMap(BelayException::code, BelayException::retryable)))
                .isEqualTo(Map.ofEntries(Map.entry("model_authentication", false),
                        Map.entry("model_permission", false),
                        Map.entry("model_unknown_model", false), Map.entry("model_invalid_request", false),
                        Map.entry("model_context_too_long", false),
                        Map.entry("model_tools_unsupported", false),
                        Map.entry("model_rate_limited", true), Map.entry("model_unavailable", true),
                        Map.entry("model_timeout", true), Map.entry("model_connection", true),
                        Map.entry("model_protocol", true), Map.entry("model_interrupted", false),
                        Map.entry("model_content_filtered", false)));
    }

    @Test
    void detailsAreKeptTogether() {
        IOException cause = new IOException("reset");
        ModelResponse partial = new ModelResponse(Message.assistant("Hel"), FinishReason.OTHER,
                Usage.of(3, 1), "m", "r");
        ModelException plain = new ModelException(Kind.RATE_LIMITED, "slow down", cause);
        ModelException full = plain.withPartial(partial).withRetryAfter(Duration.ofSeconds(3));

        assertThat(full.kind()).isEqualTo(Kind.RATE_LIMITED);
        assertThat(full).hasMessage("slow down").hasCause(cause);
        assertThat(full.retryAfter()).contains(Duration.ofSeconds(3));
        assertThat(full.partial()).contains(partial);
        assertThat(full.usage()).isEqualTo(Usage.of(3, 1));
        assertThat(full.getStackTrace()).isEqualTo(plain.getStackTrace());
        assertThat(plain.partial()).isEmpty();
        assertThat(plain.retryAfter()).isEmpty();
        assertThat(plain.usage()).isEqualTo(Usage.NONE);
    }

    @Test
    void aTimeThatHasPassedIsNoWait() {
        assertThat(
                new ModelException(Kind.UNAVAILABLE, "m").withRetryAfter(Duration.ofSeconds(-5)).retryAfter())
                .contains(Duration.ZERO);
    }
}

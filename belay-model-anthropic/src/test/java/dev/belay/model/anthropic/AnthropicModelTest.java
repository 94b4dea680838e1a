package dev.belay.model.anthropic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelException;
import dev.belay.model.ModelRequest;
import dev.belay.model.http.Environment;
import dev.belay.model.http.ModelDiscovery;
import dev.belay.testkit.model.SeenRequest;
import dev.belay.testkit.model.WireAnswer;
import dev.belay.testkit.model.WireServer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The key and the address come from the builder or the environment, and who misses one is told what to set. */
class AnthropicModelTest {

    private static final String HI = """
            {"id":"msg_1","type":"message","role":"assistant","model":"claude-x","content":[{"type":"text","text":"Hi"}],\
            "stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}}""";

    @Test
    void theEnvironmentIsEnough() {
        try (WireServer server = WireServer.start()) {
            server.play(WireAnswer.json(HI));
            Model model = discovery(Map.of("ANTHROPIC_API_KEY", " sk-ant-1\n", "ANTHROPIC_MODEL", "claude-x",
                    "ANTHROPIC_BASE_URL", server.url().toString())).find();
            assertThat(model.complete(ModelRequest.of(Message.user("Hi"))).text()).isEqualTo("Hi");
            SeenRequest seen = server.requests().getFirst();
            assertThat(seen.target()).isEqualTo("/v1/messages");
            assertThat(seen.headers()).containsEntry("x-api-key", "sk-ant-1")
                    .containsEntry("anthropic-version", "2023-06-01")
                    .doesNotContainKey("authorization");
            assertThat(seen.json().get("model")).contains(Json.string("claude-x"));
            assertThat(seen.body()).contains("cache_control");
        }
    }

    @Test
    void whatIsNotInTheEnvironmentHasADefault() {
        Model model = discovery(Map.of("ANTHROPIC_API_KEY", "sk-ant-1")).find();
        assertThat(model).isInstanceOf(AnthropicModel.class);
        assertThat(model.id()).isEqualTo(AnthropicModel.DEFAULT_MODEL);
        assertThat(model)
                .hasToString(
                        "AnthropicModel[" + AnthropicModel.DEFAULT_MODEL + " at https://api.anthropic.com]");
    }

    @Test
    void whatWasSaidWins() {
        Model model = discovery(Map.of("ANTHROPIC_API_KEY", "sk-ant-1", "ANTHROPIC_MODEL", "claude-x"))
                .provider("anthropic")
                .model("claude-y")
                .find();
        assertThat(model.id()).isEqualTo("claude-y");
    }

    @Test
    void aMissingKeySaysWhatToSet() {
        for (Map<String, String> environment : List.of(Map.<String, String>of(),
                Map.of("ANTHROPIC_API_KEY", " "))) {
            assertThatThrownBy(() -> discovery(environment).find())
                    .isInstanceOfSatisfying(BelayException.class,
                            e -> assertThat(e.code()).isEqualTo("no_model_found"))
                    .hasMessageContaining("set ANTHROPIC_API_KEY");
        }
    }

    @Test
    void theShortWayLooksAtAnthropicAlone() {
        assumeTrue(System.getenv("ANTHROPIC_API_KEY") == null && System.getenv("ANTHROPIC_BASE_URL") == null,
                "the environment names a model of Anthropic");
        assertThatThrownBy(AnthropicModel::fromEnvironment).hasMessageContaining("set ANTHROPIC_API_KEY")
                .hasMessageNotContaining("OPENAI");
    }

    @Test
    void aWrongKeySaysWhatToSet() {
        try (WireServer server = WireServer.start()) {
            server.play(WireAnswer.of(401, "application/json",
                    "{\"type\":\"error\",\"error\":{\"type\":\"authentication_error\",\"message\":\"invalid x-api-key\"}}"));
            assertThatThrownBy(() -> AnthropicModel.builder("claude-x")
                    .apiKey("sk-ant-1")
                    .baseUrl(server.url().toString())
                    .build()
                    .complete(ModelRequest.of(Message.user("Hi")))).hasMessageContaining("ANTHROPIC_API_KEY")
                    .hasMessageNotContaining("sk-ant-1");
        }
    }

    @Test
    void aLimitThatDoesNotFitBehindThePromptIsSaidToBeTooLong() {
        try (WireServer server = WireServer.start()) {
            server.play(WireAnswer.of(400, "application/json",
                    "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\","
                            + "\"message\":\"input length and `max_tokens` exceed context limit: 195000 + 32000 > 200000\"}}"));
            assertThatThrownBy(() -> AnthropicModel.builder("claude-x")
                    .baseUrl(server.url().toString())
                    .build()
                    .complete(ModelRequest.of(Message.user("Hi"))))
                    .isInstanceOfSatisfying(ModelException.class,
                            e -> assertThat(e.kind()).isEqualTo(ModelException.Kind.CONTEXT_TOO_LONG));
        }
    }

    @Test
    void headersAndFieldsOfYourOwnAreSent() {
        try (WireServer server = WireServer.start()) {
            server.play(WireAnswer.json(HI));
            AnthropicModel.builder("claude-x")
                    .baseUrl(server.url().toString())
                    .beta("one-2026")
                    .beta("two-2026")
                    .header("x-team", "a")
                    .field("metadata", Json.of("{\"user_id\":\"u\"}"))
                    .maxOutputTokens(77)
                    .streaming(false)
                    .build()
                    .complete(ModelRequest.of(Message.user("Hi")));
            SeenRequest seen = server.requests().getFirst();
            assertThat(seen.headers()).containsEntry("anthropic-beta", "one-2026,two-2026")
                    .containsEntry("x-team", "a")
                    .doesNotContainKey("x-api-key");
            assertThat(seen.json().at("/metadata/user_id")).contains(Json.string("u"));
            assertThat(seen.json().get("max_tokens")).contains(Json.number(77));
            assertThat(seen.json().get("stream")).isEmpty();
        }
    }

    @Test
    void whatCannotBeIsRefusedAtOnce() {
        assertThatThrownBy(() -> AnthropicModel.builder(" ")).hasMessageContaining("must not be blank");
        assertThatThrownBy(() -> AnthropicModel.builder("m").maxOutputTokens(0))
                .hasMessageContaining("at least 1, not 0");
        assertThatThrownBy(() -> AnthropicModel.builder("m").apiKey(" "))
                .hasMessageContaining("must not be empty");
    }

    private static ModelDiscovery discovery(Map<String, String> environment) {
        return ModelDiscovery.start()
                .environment(Environment.of(environment))
                .localServers(url -> Optional.empty());
    }
}

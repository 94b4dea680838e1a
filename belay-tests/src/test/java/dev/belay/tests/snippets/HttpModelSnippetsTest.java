package dev.belay.tests.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.http.Environment;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the documents show about models runs, as far as it needs no network. */
class HttpModelSnippetsTest {

    @Test
    void modelsAreMadeAsWritten() {
        assertThat(HttpModelSnippets.builder("sk-x"))
                .hasToString("OpenAiModel[gpt-5-mini at https://api.openai.com/v1]");
        assertThat(HttpModelSnippets.http())
                .hasToString("OpenAiModel[qwen3:8b at http://gpu.example:8000/v1]");
        assertThat(HttpModelSnippets.address())
                .hasToString("OpenAiModel[qwen3:8b at http://127.0.0.1:11434/v1]");
        Environment key = Environment.of(Map.of("OPENAI_API_KEY", "sk-x"));
        assertThat(HttpModelSnippets.local(key).id()).isEqualTo("qwen3:8b");
    }
}

package dev.belay.cli.settings;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KnownContextTest {

    @Test
    void hostedModelsAreKnownByTheBeginningOfTheirNames() {
        assertThat(KnownContext.of("claude-sonnet-4-5-20250929")).contains(200_000L);
        assertThat(KnownContext.of("gpt-4.1-mini")).contains(1_047_576L);
        assertThat(KnownContext.of("GPT-5")).contains(272_000L);
    }

    @Test
    void ofALocalModelTheServerDecides() {
        assertThat(KnownContext.of("qwen3:8b")).isEmpty();
        assertThat(KnownContext.of("gpt-oss:20b")).isEmpty();
        assertThat(KnownContext.of("my-claude-like")).isEmpty();
    }
}

package dev.belay.model.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Keys are sent, never shown. */
class ApiKeyTest {

    @Test
    void spaceAroundIsDropped() {
        assertThat(ApiKey.of(" sk-1\n").reveal()).isEqualTo("sk-1");
    }

    @Test
    void itIsNotShown() {
        assertThat(ApiKey.of("sk-secret").toString()).doesNotContain("secret");
        assertThat(new ModelTarget("m", BaseUrl.of("http://h"), ApiKey.of("sk-secret"), HttpSettings.DEFAULT)
                .toString())
                .doesNotContain("secret");
        assertThat(ModelHttp.builder(BaseUrl.of("http://h"))
                .key(ApiKey.of("sk-secret"), "X", "")
                .build()
                .toString())
                .doesNotContain("secret");
    }

    @Test
    void aBadOneIsRefusedAndNotShown() {
        assertThatThrownBy(() -> ApiKey.of("sk-se\ncret")).isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("sk-");
        assertThatThrownBy(() -> ApiKey.of("  ")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ModelHttp.builder(BaseUrl.of("http://h")).header("X-Team", "se\ncret"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("cret")
                .hasMessageContaining("X-Team");
    }
}

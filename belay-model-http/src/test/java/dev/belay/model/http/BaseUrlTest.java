package dev.belay.model.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses of servers. */
class BaseUrlTest {

    @Test
    void pathsAreAddedBeforeTheQuery() {
        assertThat(BaseUrl.of(" https://host/openai/v1/?api-version=2 ").at("/chat/completions"))
                .hasToString("https://host/openai/v1/chat/completions?api-version=2");
        assertThat(BaseUrl.of("HTTP://host:81")).isEqualTo(BaseUrl.of("http://host:81/"));
    }

    @Test
    void theQueryIsNotShown() {
        assertThat(BaseUrl.of("https://host/v1?key=secret").toString()).isEqualTo("https://host/v1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://localhost:1", "http://LOCALHOST", "http://127.0.0.1/v1",
        "http://127.9.8.7", "http://[::1]:80",
        "http://models.localhost"})
    void thisMachineIsKnownByName(String url) {
        assertThat(BaseUrl.of(url).isLoopback()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://api.openai.com", "http://localhost.example.org", "http://192.168.0.1",
        "http://127.example.org",
        "http://[fe80::1]", "http://0.0.0.0", "http://notlocalhost"})
    void otherMachinesAreOthers(String url) {
        assertThat(BaseUrl.of(url).isLoopback()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://host", "host:8080", "", "http://", "/v1", "http://host/#x",
        "http://ho st"})
    void whatIsNoAddressIsRefused(String url) {
        assertThatThrownBy(() -> BaseUrl.of(url)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://me:hunter2@host/v1", "http://me:hunter2@ho st", "me:hunter2@host"})
    void aPasswordIsRefusedAndNotShown(String url) {
        assertThatThrownBy(() -> BaseUrl.of(url)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("hunter2")
                .hasNoCause();
    }
}

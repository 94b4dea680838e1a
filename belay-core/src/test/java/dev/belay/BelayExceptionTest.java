package dev.belay;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BelayExceptionTest {

    @Test
    void stackTraceShowsTheCode() {
        assertThat(new BelayException("some_code", "what was wrong"))
                .hasToString("dev.belay.BelayException (some_code): what was wrong");
    }
}

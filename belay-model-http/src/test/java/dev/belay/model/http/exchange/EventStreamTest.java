package dev.belay.model.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.model.http.ServerEvent;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The end of a stream, where it is most often wrong. */
class EventStreamTest {

    @Test
    void aLastEventCountsIfItIsWhole() throws IOException {
        assertThat(data("data: {\"a\":1}\n\ndata: [DONE]")).containsExactly("{\"a\":1}", "[DONE]");
        assertThat(data("data: {\"a\":1}")).containsExactly("{\"a\":1}");
    }

    @Test
    void aLastEventWithHalfACharacterIsWhole() throws IOException {
        assertThat(data("data: {\"a\":\"\\ud83d\"}")).containsExactly("{\"a\":\"\\ud83d\"}");
    }

    @Test
    void aLastEventThatWasCutDoesNotCount() throws IOException {
        assertThat(data("data: {\"a\":1}\n\ndata: {\"a\":")).containsExactly("{\"a\":1}");
        assertThat(data("data: {\"a\":1}\n\ndat")).containsExactly("{\"a\":1}");
    }

    @Test
    void anEventHasABound() {
        assertThatThrownBy(() -> data("data: " + "x".repeat(20_000) + "\n\n"))
                .isInstanceOf(EventTooLongException.class)
                .hasMessageContaining("10000");
    }

    private static List<String> data(String text) throws IOException {
        EventStream stream = new EventStream(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
                10_000);
        List<String> data = new ArrayList<>();
        for (ServerEvent event = stream.next(); event != null; event = stream.next()) {
            data.add(event.data());
        }
        assertThat(stream.next()).isNull();
        return data;
    }
}

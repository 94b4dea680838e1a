package dev.belay.examples.approval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class RefundToolsTest {

    @Test
    void thePersonIsShownTheCents() throws Exception {
        var preview = new RefundTools(Path.of("bank"), true).provider()
                .definitions()
                .getFirst()
                .preview()
                .orElseThrow();
        assertThat(preview.of(Json.of("{\"order\":42,\"cents\":10099}")))
                .isEqualTo("refunds 100.99 to the card of order 42");
    }
}

package dev.belay.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Records as JSON, by the same codecs as the inputs of tools. */
class RecordJsonTest {

    /** A part. */
    public record Line(String article, int count) {}

    /** A whole. */
    public record Order(long id, BigDecimal total, List<Line> lines, Optional<String> note,
            Map<String, Boolean> flags) {}

    /** Refuses what makes no sense. */
    public record Positive(int value) {
        /** Checks it. */
        public Positive {
            if (value <= 0) {
                throw new IllegalArgumentException("must be positive");
            }
        }
    }

    /** A record with a type parameter. */
    public record Box<T>(T content) {}

    private static final Order ORDER = new Order(42, new BigDecimal("12.50"), List.of(new Line("cup", 2)),
            Optional.empty(), Map.of("gift", true));

    @Test
    void aRecordIsWrittenAndReadBackEqual() {
        Json json = Json.from(ORDER);
        assertThat(json.text()).isEqualTo(
                "{\"id\":42,\"total\":12.50,\"lines\":[{\"article\":\"cup\",\"count\":2}],\"flags\":{\"gift\":true}}");
        assertThat(json.as(Order.class)).isEqualTo(ORDER);
    }

    @Test
    void whatDoesNotFitSaysWhere() {
        assertThatThrownBy(() -> Json.of("{\"article\":\"cup\",\"count\":\"two\"}").as(Line.class))
                .isInstanceOf(JsonException.class)
                .hasMessageContaining("count");
        assertThatThrownBy(() -> Json.of("[1]").as(Line.class)).isInstanceOf(JsonException.class);
        assertThatThrownBy(() -> Json.NULL.as(Line.class)).isInstanceOf(JsonException.class);
        assertThatThrownBy(() -> Json.of("{\"value\":0}").as(Positive.class))
                .isInstanceOf(JsonException.class)
                .hasMessageContaining("must be positive");
    }

    @Test
    void whatIsNoPlainRecordIsRefusedWithWhatToDo() {
        for (Object wrong : List.of("text", List.of(1), Map.of(), new Object())) {
            assertThatThrownBy(() -> Json.from(wrong)).isInstanceOfSatisfying(BelayException.class,
                    refused -> assertThat(refused.code()).isEqualTo("unsupported_type"))
                    .hasMessageContaining("no record");
        }
        assertThatThrownBy(() -> Json.TRUE.as(String.class))
                .hasMessageContaining("java.lang.String is no record");
        assertThatThrownBy(() -> Json.from(new Box<>("x"))).hasMessageContaining("type parameters");
    }
}

package dev.belay.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextFormatTest {

    @ParameterizedTest(name = "{0} accepts {1}, refuses {2}")
    @CsvSource(delimiter = '|', textBlock = """
            date            | 2024-02-29                                | 2023-02-29
            time            | 23:59:00Z                                 | 24:00
            time            | 23:59                                     | 23:59:00 Z
            date-time       | 2025-12-31T23:59:00+01:00                 | 2025-12-31T23:59:00
            duration        | PT1H30M                                   | P1M
            uuid            | 123E4567-e89b-12d3-a456-426614174000      | 1-1-1-1-1
            uuid            | 00000000-0000-0000-0000-000000000000      | 123e4567e89b-12d3-a456-4266141740000
            uri             | https://example.com/a?b#c                 | https://example.com/a b
            local-time      | 23:59:00                                  | 23:59:00Z
            local-date-time | 2025-12-31T23:59                          | 2025-12-31T23:59Z
            period          | P1Y2M3D                                   | PT1H
            zone-id         | Europe/Berlin                             | Europe/Nowhere
            zone-id         | +01:00                                    | +99:00
            zoned-date-time | 2025-12-31T23:59:00+01:00[Europe/Berlin]  | 2025-12-31
            """)
    void acceptsWhatJavaReads(String name, String accepted, String refused) {
        TextFormat format = TextFormat.named(name).orElseThrow();

        assertThat(format.formatName()).isEqualTo(name);
        assertThat(format.accepts(accepted)).isTrue();
        assertThat(format.accepts(refused)).isFalse();
    }

    @Test
    void assertionTellsTheForm() {
        JsonSchema schema = JsonSchema.of(Json.of("{\"format\":\"date\"}"), FormatMode.ASSERT);

        assertThat(schema.validate(Json.of("\"31.12.2025\"")).message())
                .isEqualTo("(root): expected a date such as \"2025-12-31\", found \"31.12.2025\"");
        assertThat(schema.validate(Json.of("\"2025-12-31\"")).isEmpty()).isTrue();
        assertThat(schema.validate(Json.of("5")).isEmpty()).isTrue();
    }

    @Test
    void unknownFormatsDescribe() {
        JsonSchema schema = JsonSchema.of(Json.of("{\"format\":\"phone\"}"), FormatMode.ASSERT);

        assertThat(schema.validate(Json.of("\"x\"")).isEmpty()).isTrue();
        assertThat(TextFormat.named("phone")).isEmpty();
    }
}

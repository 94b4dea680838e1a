package dev.belay.model.http.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.json.JsonException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Halves of characters survive the way through JSON, whatever stands beside them. */
class SplitCharactersTest {

    private static final int RUNS = 5_000;
    private static final String UNITS = "aF0d83e\\\"/\n\u0001é\ufdd0\ufffd\ud83d\ud800\ude00\udfff";

    @Test
    void everyTextIsReadAsItWasWritten() {
        for (long seed = 0; seed < RUNS; seed++) {
            Random random = new Random(seed);
            String text = text(random);
            Json read = SplitCharacters.read("{\"a\": " + escaped(text, random) + "}");
            assertThat(SplitCharacters.text(WireFields.text(read, "a"))).as("seed %d", seed).isEqualTo(text);
        }
    }

    @Test
    void whatIsMadeOfTwoPiecesHasWholeCharacters() {
        for (long seed = 0; seed < RUNS; seed++) {
            Random random = new Random(seed);
            String first = text(random);
            String second = text(random);
            Json made = Json.string(SplitCharacters.read(escaped(first, random)).asString()
                    + SplitCharacters.read(escaped(second, random)).asString());
            String whole = new String((first + second).getBytes(StandardCharsets.UTF_16BE),
                    StandardCharsets.UTF_16BE); // the JDK's replacement of halves
            assertThat(SplitCharacters.whole(made)).as("seed %d", seed).isEqualTo(Json.string(whole));
        }
    }

    @Test
    void otherJsonIsReadAsEver() {
        String exact = " {\"a\": 1.50, \"\\u00e9\": [\"\\ud83d\\ude00\"]} ";
        assertThat(SplitCharacters.read(exact).text()).isEqualTo(exact);
        for (String broken : new String[]{"", "\\", "\"\\", "\"\\u", "\"\\ud8", "\"\\ud83d", "\"\\uxxxx\"",
            "{\"a\":\ufdd0}"}) {
            assertThatThrownBy(() -> SplitCharacters.read(broken)).as(broken)
                    .isInstanceOf(JsonException.class);
        }
    }

    private static String text(Random random) {
        StringBuilder out = new StringBuilder();
        for (int left = random.nextInt(8); left > 0; left--) {
            out.append(UNITS.charAt(random.nextInt(UNITS.length())));
        }
        return out.toString();
    }

    /** Every unit as an escape; those that may stand as they are sometimes do. */
    private static String escaped(String text, Random random) {
        StringBuilder out = new StringBuilder("\"");
        for (int at = 0; at < text.length(); at++) {
            char unit = text.charAt(at);
            boolean plain = unit > ' ' && unit != '"' && unit != '\\' && !Character.isSurrogate(unit);
            out.append(plain && random.nextBoolean()
                    ? String.valueOf(unit)
                    : (random.nextBoolean() ? "\\u%04x" : "\\u%04X").formatted((int) unit));
        }
        return out.append('"').toString();
    }
}

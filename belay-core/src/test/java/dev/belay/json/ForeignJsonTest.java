package dev.belay.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.schema.Wording;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** JSON of other programs, which cut texts inside characters. */
class ForeignJsonTest {

    private static Json foreign(String text) {
        return Json.foreign(text, JsonLimits.DEFAULT);
    }

    @Test
    void aLoneSurrogateIsAReplacementCharacterInForeignTextAlone() {
        Map.of("\"a\\ud83d\"", "a\uFFFD", "\"\\uD83Db\"", "\uFFFDb", "\"\\ude00\\ud83d\"", "\uFFFD\uFFFD",
                "\"a\ud83d\"",
                "a\uFFFD", "\"\ud83d" + "\\ude00\"", "\uFFFD\uFFFD", "\"\\\\ud83d \\ud83d\"",
                "\\ud83d \uFFFD")
                .forEach((text, read) -> {
                    assertThat(foreign(text).asString()).as(text).isEqualTo(read);
                    assertThatThrownBy(() -> Json.of(text)).as(text).isInstanceOf(JsonSyntaxException.class);
                });
    }

    @Test
    void foreignTextOfWholeCharactersStaysAsItIs() {
        for (String text : List.of(" {\"a\\ud83d\\ude00\" : \"\ud83d\ude00" + "\\\\ud83d\"} ",
                "[1.0, \"\\u00e9\"]")) {
            assertThat(foreign(text).text()).isEqualTo(text);
        }
    }

    @Test
    void oneByteOrderMarkInFrontIsPassedOver() {
        assertThat(foreign("\uFEFF{\"a\":\"\\ud83d\"}").get("a")).contains(Json.string("\uFFFD"));
        assertThatThrownBy(() -> foreign("\uFEFF\uFEFF1")).isInstanceOf(JsonSyntaxException.class);
        assertThatThrownBy(() -> Json.of("\uFEFF1")).isInstanceOf(JsonSyntaxException.class);
    }

    @Test
    void foreignTextThatIsNoJsonIsRefusedAtItsPlace() {
        for (String text : List.of("{\"a\":\"\\ud83d\",}", "{\"\\ud83d\":1,\"\\ud83e\":2}", "\"\\ud83",
                "\"\\u", "\"\\",
                "[\"\\ud83d\",NaN]")) {
            assertThatThrownBy(() -> foreign(text)).as(text).isInstanceOf(JsonSyntaxException.class);
        }
        assertThatThrownBy(() -> foreign("[\"\\ud83d\",NaN]")).hasMessageContaining("column 11");
        assertThatThrownBy(() -> Json.foreign("\"\\ud83d\"", new JsonLimits(4, 1)))
                .isInstanceOf(JsonSyntaxException.class);
    }

    @Test
    void anyCutOfAnyTextIsRead() {
        for (long seed = 0; seed < 2_000; seed++) {
            var random = new Random(seed);
            var text = new StringBuilder();
            var escaped = new StringBuilder("{\"t\":\"");
            for (int i = random.nextInt(12); i > 0; i--) {
                char unit = "\ud83d\ude00\\\"au".charAt(random.nextInt(6));
                text.append(unit);
                escaped.append(unit == '\\' || unit == '"'
                        ? "\\" + unit
                        : unit < 0x80 ? String.valueOf(unit) : "\\u" + Integer.toHexString(unit));
            }
            assertThat(foreign(escaped.append("\"}").toString()).get("t").orElseThrow().asString())
                    .as("seed %d: %s", seed, escaped)
                    .isEqualTo(Wording.whole(text.toString(), '\uFFFD'));
        }
    }
}

package dev.belay.schema.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.belay.json.Json;
import dev.belay.schema.FormatMode;
import dev.belay.schema.JsonSchema;
import dev.belay.schema.Violations;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Contract B.1: the formats of numbers are enforced for schemas made from types, exactly at their limits. */
class NumberFormatTest {

    private static Violations validate(String schema, String value, FormatMode mode) {
        return JsonSchema.of(Json.of(schema), mode).validate(Json.of(value));
    }

    @ParameterizedTest
    @CsvSource({"int8,127,128", "int8,-128,-129", "int16,32767,32768", "int16,-32768,-32769",
        "int32,2147483647,2147483648", "int32,-2147483648,-2147483649", "int32,2147483647.0,2147483647.5",
        "int64,9223372036854775807,9223372036854775808", "int64,-9223372036854775808,-9223372036854775809",
        "int64,0e9999,1e9999", "int64,9.223372036854775807e18,-1e9999", "float,3.4028235e38,3.4028236e38",
        "float,-3.4028235e38,-1e39", "float,1e-9999,1e9999", "double,1.7976931348623157e308,1.8e308",
        "double,-1.7976931348623157e308,-1e309"})
    void theLimitIsExact(String format, String good, String bad) {
        String schema = "{\"format\":\"" + format + "\"}";
        assertThat(validate(schema, good, FormatMode.ASSERT).message()).isEmpty();
        assertThat(validate(schema, bad, FormatMode.ASSERT).isEmpty()).isFalse();
        assertThat(validate(schema, bad, FormatMode.ANNOTATE).isEmpty()).isTrue();
    }

    @Test
    void theMessageSaysWhatIsAllowed() {
        assertThat(validate("{\"type\":\"integer\",\"format\":\"int32\"}", "3000000000", FormatMode.ASSERT)
                .message())
                .isEqualTo(
                        "(root): expected a whole number from -2147483648 to 2147483647, found 3000000000");
        assertThat(validate("{\"format\":\"float\"}", "1e39", FormatMode.ASSERT).message())
                .isEqualTo("(root): expected a number that a 32-bit float can hold, found 1e39");
        assertThat(validate("{\"format\":\"double\"}", "1e309", FormatMode.ASSERT).message())
                .isEqualTo("(root): expected a number that a 64-bit double can hold, found 1e309");
    }

    @Test
    void aFractionIsToldOnce() {
        assertThat(validate("{\"type\":\"integer\",\"format\":\"int8\"}", "2.5", FormatMode.ASSERT).message())
                .isEqualTo("(root): expected a whole number, found 2.5");
        assertThat(validate("{\"type\":\"number\",\"format\":\"int8\"}", "2.5", FormatMode.ASSERT).message())
                .isEqualTo("(root): expected a whole number from -128 to 127, found 2.5");
        assertThat(validate("{\"format\":\"int8\"}", "2.5", FormatMode.ASSERT).isEmpty()).isFalse();
    }

    @Test
    void otherValuesAndOtherFormatsAreLeftAlone() {
        assertThat(validate("{\"format\":\"int8\"}", "\"1000\"", FormatMode.ASSERT).isEmpty()).isTrue();
        assertThat(validate("{\"format\":\"uint8\"}", "1000", FormatMode.ASSERT).isEmpty()).isTrue();
        assertThat(
                validate("{\"type\":[\"integer\",\"null\"],\"format\":\"int8\"}", "null", FormatMode.ASSERT)
                        .isEmpty())
                .isTrue();
    }

    @Test
    void hugeExponentsCostNothing() {
        String numbers = "[" + "1e9999,-1e9999,1e-9999,".repeat(5_000) + "0]";
        assertThat(assertTimeoutPreemptively(Duration.ofSeconds(30),
                () -> validate("{\"items\":{\"format\":\"int64\"}}", numbers, FormatMode.ASSERT)).total())
                .isEqualTo(15_000);
    }
}

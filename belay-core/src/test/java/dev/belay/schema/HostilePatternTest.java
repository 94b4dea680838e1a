package dev.belay.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.belay.json.Json;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Patterns made to hang a check: a verdict, or a refusal with its true reason, whatever the pattern. */
class HostilePatternTest {

    private static final Duration SOON = Duration.ofSeconds(10);
    /** About 7,000 instructions that are all reached at each a. */
    private static final String EXPENSIVE = "((a{0,60}){0,60})b";

    @ParameterizedTest
    @ValueSource(strings = {"^(a+)+$", "^(a|a)*$", "^(a*)*b", "^([a-z]+)*#", "(.*)(.*)(.*)(.*)(.*)[^a-z]b$",
        "(?:a?|b?){40}x", "(?:x(?:a?|b?){40})*y", "(?=(|){40}(?!))", "^(?=(a+)+$)(?<!(a|a)+b)c"})
    void patternsWithManyWaysGetATrueVerdict(String pattern) {
        assertThat(check(pattern, "a".repeat(5_000) + "!").first())
                .extracting(Violation::keyword, Violation::hint)
                .containsExactly(org.assertj.core.groups.Tuple.tuple("pattern", null));
    }

    @Test
    void repetitionsAreCountedBeforeTheyAreWrittenOut() {
        refused("(?<=^a{1,1000000000})b", "it has over a billion instructions, at most 10000 are allowed");
        refused("((a{0,1000}){0,1000})b", "it has 2001002 instructions, at most 10000");
        refused("(((((a{1000}){1000}){1000}){1000}){1000}){1000}", "over a billion instructions");
        refused("(?!a{10000})", "it has 10003 instructions");
        assertThat(check("^(?:){1000000000}(?:(?:){9999}){1000000000}a$", "a").message()).isEmpty();
        assertThat(check("^[a-z]{1,1001}$", "a".repeat(1_001)).message()).isEmpty();
        assertThat(check("^[a-z]{1,1001}$", "a".repeat(1_002)).total()).isEqualTo(1);
        assertThat(check("^.{1,4096}$", "a".repeat(4_000)).message()).isEmpty();
    }

    @Test
    void allPatternsOfASchemaTogetherAreBounded() {
        String many = IntStream.range(0, 1_000)
                .mapToObj(i -> "{\"pattern\":\".{" + (4_000 + i) + "}\"}")
                .collect(Collectors.joining(","));

        assertThatThrownBy(() -> JsonSchema.of(Json.of("{\"anyOf\":[" + many + "]}")))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("the patterns of a schema may have at most 100000 instructions in all");
    }

    @Test
    void waysToMatchNothingInManyBranchesEnd() {
        String branches = "{\"pattern\":\"(|){7}(?!)\"},".repeat(999) + "{\"pattern\":\"(|){7}(?!)\"}";
        Json value = Json.string("a".repeat(100_000));
        assertThat(assertTimeoutPreemptively(SOON,
                () -> JsonSchema.of(Json.of("{\"anyOf\":[" + branches + "]}")).validate(value)).total())
                .isEqualTo(1);

        assertThat(check("(|){7}(?!)|".repeat(300) + "b", "a".repeat(20_000)).first())
                .extracting(Violation::keyword)
                .containsExactly("budget");
    }

    @Test
    void anHonestValueIsNotRefusedForItsLength() {
        assertThat(check("^(.|\n)+$", "ab\n".repeat(1_400)).message()).isEmpty();
        assertThat(check("^(.|\n)+$", "ab\n".repeat(100_000)).message()).isEmpty();
        assertThat(check("^(?:a|b|(?:c))*$", "ab".repeat(40_000)).message()).isEmpty();
        assertThat(check("^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$",
                "QUJD".repeat(75_000) + "QQ==").message()).isEmpty();
    }

    @Test
    void aGivenUpPatternNeverCountsAsAcceptance() {
        String expensive = "{\"pattern\":\"" + EXPENSIVE + "\"}";
        String value = "\"" + "a".repeat(10_000) + "!\"";

        for (String schema : new String[]{expensive, "{\"not\":" + expensive + "}",
            "{\"if\":" + expensive + ",\"then\":false}", "{\"oneOf\":[true," + expensive + "]}",
            "{\"not\":{\"not\":" + expensive + "}}",
            "{\"anyOf\":[" + expensive + ",{\"minLength\":20000}]}"}) {
            Violations found = assertTimeoutPreemptively(SOON,
                    () -> JsonSchema.of(Json.of(schema)).validate(Json.of(value)));
            assertThat(found.first()).as(schema).extracting(Violation::keyword).containsExactly("budget");
        }
        assertThat(JsonSchema.of(Json.of("{\"properties\":{\"a\":" + expensive + "}}"))
                .validate(Json.of("{\"a\":" + value + "}"))
                .message())
                .isEqualTo("/a: expected a value that can be checked in 10000000 steps and 100 for each of "
                        + "its characters, found one that takes more; the check was given up here; send a smaller or "
                        + "simpler value");
    }

    @ParameterizedTest
    @ValueSource(strings = {"^[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}$",
        "^(\\+?\\d{1,3}[- ]?)?\\(?\\d{3}\\)?[- ]?\\d{3}[- ]?\\d{4}$",
        "^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,63}$", "^(?=.*[A-Z])(?=.*\\d)(?!.*\\s).{8,64}$",
        "^v?(0|[1-9]\\d*)\\.(\\d+)(?:-([\\w.-]+))?(?:\\+([\\w.-]+))?$", "^(\\s*\\w*\\s*)*$",
        "^\\p{L}[\\p{L}\\p{N} ,[.]*$", "^[\\w-.]+\\@[\\w-]+\\.\\w+$", "^{{.*}}$", "^\\[.*]$",
        "^[\\w\\-\\.]+\\-\\_\\#$"})
    void ordinaryPatternsAreAllowed(String pattern) {
        assertThat(schema(pattern)).isNotNull();
    }

    /** The other columns: a text that matches, one that does not. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ^\\u4e00$                  | "\\u4e00"  | "\\u4e01"
            ^\\u{1F600}$               | "😀"       | "😁"
            ^.$                        | "😀"       | "\\r"
            ^.$                        | "\\u0085"  | "\\u2028"
            a$                         | "a"        | "a\\n"
            ^\\d$                      | "1"        | "١"
            ^\\s$                      | "\\ufeff"  | "\\u0085"
            ^[[]$                      | "["        | "]"
            ^[a&&b]+$                  | "a&"       | "c"
            ^\\p{Script=Greek}$        | "Ω"        | "W"
            ^\\p{Letter}+$             | "école"    | "a1"
            (?<!\\$)\\b\\d+            | "a 12"     | "$1"
            ^\\cJ$                     | "\\n"      | "J"
            """)
    void patternsMeanWhatEcmaSays(String pattern, String matching, String other) {
        assertThat(schema(pattern).validate(Json.of(matching)).message()).isEmpty();
        assertThat(schema(pattern).validate(Json.of(other)).isEmpty()).isFalse();
    }

    @Test
    void whatIsRefusedSaysWhy() {
        refused("^(.)\\1*$", "the back-reference \\1 is not supported");
        refused("(?<a>x)\\k<a>", "the back-reference \\k is not supported");
        refused("(a", "the ( at 0 is not closed");
        refused("a)", "the ) at 1 closes nothing");
        refused("x[a", "the [ at 1 is not closed");
        refused("*", "there is nothing to repeat at 0");
        refused("a{3,2}", "the numbers in {3,2} are out of order");
        refused("[b-a]", "the range b-a is out of order");
        refused("\\Z", "\\Z is not an escape");
        refused("(?i)a", "the group at 0 is of an unknown kind");
        refused("\\p{Foo}", "the property \\p{Foo} is not known");
        refused("\\p{" + "x".repeat(1_000) + "}", "xxx…");
        refused("(".repeat(60_000) + ")".repeat(60_000), "it is nested too deeply");
    }

    private static void refused(String pattern, String reason) {
        assertThatThrownBy(() -> assertTimeoutPreemptively(SOON, () -> schema(pattern)))
                .isInstanceOf(SchemaException.class)
                .hasMessageStartingWith(
                        "schema at /pattern: expected a regular expression of ECMA-262, found ")
                .hasMessageContaining(reason)
                .satisfies(refused -> assertThat(refused.getMessage()).hasSizeLessThan(600));
    }

    private static JsonSchema schema(String pattern) {
        return JsonSchema.of(Json.write(out -> out.beginObject().name("pattern").value(pattern).endObject()));
    }

    private static Violations check(String pattern, String text) {
        return assertTimeoutPreemptively(SOON, () -> schema(pattern).validate(Json.string(text)));
    }
}

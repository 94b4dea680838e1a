package dev.belay.tool.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.tool.ToolDefinition;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract A.3 and E.2: the {@code exclusive} template, and {@code invalid_arguments} for a field that is missing. */
class ExclusiveTemplateTest {

    enum Region {
        EU, US
    }

    record Book(String account, long seat, boolean firm, Region region, OptionalInt bags,
            List<String> names) {}

    @Test
    void fieldsStandInTheOrderOfTheText() {
        assertThat(ExclusiveTemplate.of("{b}/seat:{a}-{b}").fields()).containsExactly("b", "a", "b");
        assertThat(ExclusiveTemplate.of("everything").fields()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "account:{a}     | {\"a\":\"x7\"}            | account:x7",
        "{a}{b}          | {\"a\":\"x\",\"b\":\"y\"} | xy",
        "seat:{n}        | {\"n\":7}                 | seat:7",
        "seat:{n}        | {\"n\":7.0}               | seat:7",
        "seat:{n}        | {\"n\":7e0}               | seat:7",
        "big:{n}         | {\"n\":12345678901234567890.10} | big:12345678901234567890.1",
        "firm:{f}!       | {\"f\":true}              | firm:true!",
        "everything      | {}                        | everything"})
    void theKeyIsMadeOfTheArguments(String template, String arguments, String key) {
        assertThat(ExclusiveTemplate.of(template).resolve(Json.of(arguments))).isEqualTo(key);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"a\":null}", "{\"a\":{}}", "{\"a\":[]}"})
    void aMissingFieldIsInvalidArguments(String arguments) {
        assertThatThrownBy(() -> ExclusiveTemplate.of("account:{a}").resolve(Json.of(arguments)))
                .isInstanceOfSatisfying(BelayException.class,
                        e -> assertThat(e.code()).isEqualTo("invalid_arguments"))
                .hasMessage(
                        "field \"a\" must be a text, number or boolean, because the resource key account:{a} "
                                + "is made of it");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "account:{       | a { has no } behind it",
        "account:}       | a } has no { before it",
        "a}b{c           | a } has no { before it",
        "account:{}      | {} names no field",
        "account:{a{b}}  | {a{b} names no field",
        "account:{a      | a { has no } behind it",
        "'  '            | it is blank",
        "''              | it is blank"})
    void aBadTemplateIsRefused(String template, String why) {
        assertThatThrownBy(() -> ExclusiveTemplate.of(template))
                .isInstanceOfSatisfying(BelayException.class,
                        e -> assertThat(e.code()).isEqualTo("bad_exclusive_template"))
                .hasMessage("exclusive = \"" + template + "\": " + why
                        + "; write text with fields in braces, such as account:{accountId}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{account}", "{seat}", "{firm}", "{region}", "{account}/{seat}", "all"})
    void requiredScalarsMayStandInATemplate(String template) {
        assertThat(definition().exclusive(template).manifest().exclusive())
                .isEqualTo(ExclusiveTemplate.of(template));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bags", "names", "acount", "type"})
    void whatIsNoRequiredScalarMayNot(String field) {
        assertThatThrownBy(() -> definition().exclusive("x:{" + field + "}"))
                .isInstanceOfSatisfying(BelayException.class,
                        e -> assertThat(e.code()).isEqualTo("bad_exclusive_template"))
                .hasMessage("exclusive = \"x:{" + field + "}\": \"" + field
                        + "\" is not a required text, number or boolean of the input; required are "
                        + "[\"account\", \"seat\", \"firm\", \"region\", \"names\"]");
    }

    @Test
    void aFieldThatIsNotRequiredMayNot() {
        var raw = ToolDefinition.raw("book", "Books.", Json.of("{\"type\":\"object\",\"properties\":"
                + "{\"a\":{\"type\":\"string\"},\"b\":{\"type\":\"string\"}},\"required\":[\"b\"]}"));
        assertThat(raw.exclusive("x:{b}").manifest().exclusive()).hasToString("x:{b}");
        assertThatThrownBy(() -> raw.exclusive("x:{a}"))
                .hasMessage(
                        "exclusive = \"x:{a}\": \"a\" is not a required text, number or boolean of the input; "
                                + "required are [\"b\"]");
    }

    @Test
    void equalTextIsAnEqualTemplate() {
        assertThat(ExclusiveTemplate.of("a:{b}")).isEqualTo(ExclusiveTemplate.of("a:{b}"))
                .hasSameHashCodeAs(ExclusiveTemplate.of("a:{b}"))
                .isNotEqualTo(ExclusiveTemplate.of("a:{c}"))
                .hasToString("a:{b}");
    }

    private static ToolDefinition definition() {
        return ToolDefinition.typed(Book.class, Void.class, "book", "Books a seat.");
    }
}

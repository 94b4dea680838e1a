package dev.belay.tool.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.tool.BadInputTest;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolFailure;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Contract A.2 (what bodies get), B.4 and B.5; mistakes and their words are in {@link BadInputTest}. */
class ArgumentsTest {

    record Pay(String account, BigDecimal amount) {}

    private static final ToolDefinition TYPED = ToolDefinition.typed(Pay.class, Void.class, "pay", "Pays.");
    private static final ToolDefinition RAW = ToolDefinition.raw("pay", "Pays.",
            Json.of("{\"type\":\"object\",\"required\":[\"account\"]}"));

    @Test
    void aTypedToolGetsItsObjectAndTheExactJson() {
        String text = " {\"amount\": 1.50, \"account\": \"\\u0061\"} ";
        var valid = (Arguments.Valid) TYPED.arguments(text);
        assertThat(valid.input()).isEqualTo(new Pay("a", new BigDecimal("1.50")));
        assertThat(valid.json().text()).isEqualTo(text);
        assertThat(valid.json()).isSameAs(valid.json());
    }

    @Test
    void aRawToolGetsTheExactJson() {
        String text = "{\"account\": 1.50}";
        var valid = (Arguments.Valid) RAW.arguments(text);
        assertThat(((Json) valid.input()).text()).isEqualTo(text);
        assertThat(valid.json().text()).isEqualTo(text);
    }

    @Test
    void aRawToolGetsOnlyObjects() {
        for (String schema : List.of("{\"type\":\"object\",\"nullable\":true}", """
                {"$schema":"http://json-schema.org/draft-07/schema#","type":"object","$ref":"#/definitions/a",
                 "definitions":{"a":{"type":["array","null"]}}}""")) {
            var tool = ToolDefinition.raw("pay", "Pays.", Json.of(schema));
            assertThat(tool.arguments("null")).isEqualTo(new Arguments.Invalid(
                    ToolFailure.ofRuntime(ToolFailure.Kind.INVALID_REQUEST, "invalid_arguments",
                            "the arguments of pay do not fit its schema:\n(root): expected an object, found null")));
            assertThat(tool.arguments("[]")).isInstanceOf(Arguments.Invalid.class);
        }
    }

    @Test
    void emptyTextIsShownAsAnEmptyObject() {
        var any = ToolDefinition.raw("any", "Any.", Json.of("{\"type\":\"object\"}"));
        assertThat(((Arguments.Valid) any.arguments(" ")).json().text()).isEqualTo("{}");
    }

    @Test
    void jsonThatIsThereAlreadyIsValidatedToo() {
        Json good = Json.of("{\"account\":\"a\",\"amount\":1}");
        var valid = (Arguments.Valid) Arguments.of(TYPED, good);
        assertThat(valid.input()).isEqualTo(new Pay("a", BigDecimal.ONE));
        assertThat(valid.json()).isSameAs(good);
        assertThat(Arguments.of(TYPED, Json.of("{\"account\":7}"))).isEqualTo(new Arguments.Invalid(
                ToolFailure.ofRuntime(ToolFailure.Kind.INVALID_REQUEST, "invalid_arguments",
                        """
                                the arguments of pay do not fit its schema:
                                (root): required field "amount" is missing
                                /account: expected a string, found 7""")));
        assertThat(Arguments.of(RAW, Json.of("{}"))).isInstanceOf(Arguments.Invalid.class);
    }

    @Test
    void aFormatOfARawSchemaOnlyDescribes() {
        var raw = ToolDefinition.raw("raw", "Raw.", Json.of(
                "{\"type\":\"object\",\"properties\":{\"d\":{\"format\":\"date\"},\"n\":{\"format\":\"int8\"}}}"));
        assertThat(raw.arguments("{\"d\":\"soon\",\"n\":1000}")).isInstanceOf(Arguments.Valid.class);
    }
}

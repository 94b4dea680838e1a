package dev.belay.tool.declare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.schema.Description;
import dev.belay.schema.shape.UnsupportedTypeException;
import dev.belay.tool.Nested;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolCaller;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolId;
import dev.belay.tool.ToolInput;
import dev.belay.tool.ToolManifest;
import dev.belay.tool.Tools;
import dev.belay.tool.option.Approval;
import dev.belay.tool.option.ArgumentProjection;
import dev.belay.tool.option.BehaviorHints;
import dev.belay.tool.option.DefinitionChange;
import dev.belay.tool.option.ExclusiveTemplate;
import dev.belay.tool.option.OnDoubt;
import dev.belay.tool.option.RetryPolicy;
import dev.belay.tool.option.Scheduling;
import dev.belay.tool.option.Timeouts;
import dev.belay.tool.option.Visibility;
import java.time.Duration;
import java.util.Date;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Contract A.1 (names of records), A.3 (options of {@code @Tool}), A.5 (duplicates in a set), A.9 (one tool or a group), and the
 * mistakes of a developer who declares tools with types.
 */
class DeclaredToolsTest {

    @Tools
    sealed interface Shop {

        @Description("Finds orders.")
        @Tool(undescribed = true, effect = ToolEffect.READ)
        record FindOrders(@Description("who") String customer) implements Shop, ToolInput<List<String>> {}

        @Tool(undescribed = true, name = "pay-back", defaultOn = false)
        record Refund(long orderId) implements Shop, ToolInput<Void> {}

        @Tool(undescribed = true)
        record HTTPGet2(String url) implements Shop, ToolInput<String> {}

        sealed interface Group extends Shop {}

        @Tool(undescribed = true)
        record Inside(int a) implements Group, ToolInput<Integer> {}

        @Description("Moves something.")
        @Tool(undescribed = true)
        sealed interface Move extends Shop, ToolInput<String> {}

        record Up(int by) implements Move {}

        record Down(int by) implements Move {}

        @Description("Switches the light.")
        @Tool(undescribed = true)
        enum Light implements Shop, ToolInput<Boolean> {
            ON, OFF
        }

        @Nested(prefix = "crm_")
        record Crm(Other tools) implements Shop {}
    }

    @Tools
    sealed interface Other {
        @Tool(undescribed = true)
        record GetUser(int id) implements Other, ToolInput<String> {}
    }

    private static ToolDefinition shop(String name) {
        return ToolDefinition.allOf(Shop.class)
                .stream()
                .filter(tool -> tool.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void recordsAreNamedInSnakeCaseUnlessToldOtherwise() {
        assertThat(ToolDefinition.allOf(Shop.class)).extracting(ToolDefinition::name)
                .containsExactly("find_orders", "pay-back", "http_get2", "inside", "move", "light");
        assertThat(shop("pay-back").id()).isEqualTo(new ToolId("tool:pay-back"));
    }

    @Test
    void anUnmarkedSealedInterfaceOnlyGroups() {
        assertThat(shop("inside")).isSameAs(ToolDefinition.of(Shop.Inside.class));
    }

    @Test
    void aMarkedSealedInterfaceIsOneToolWithAnObjectRoot() {
        ToolDefinition move = ToolDefinition.of(Shop.Move.class);
        assertThat(move.spec().inputSchema()).isEqualTo(
                Json.of("""
                        {"type":"object","anyOf":[
                          {"type":"object","properties":{"type":{"const":"up"},"by":{"type":"integer","format":"int32"}},
                           "required":["type","by"],"additionalProperties":false},
                          {"type":"object","properties":{"type":{"const":"down"},"by":{"type":"integer","format":"int32"}},
                           "required":["type","by"],"additionalProperties":false}]}"""));
        var caller = ToolCaller.of(StaticToolProvider.builder()
                .tool(Shop.Move.class, (in, context) -> switch (in) {
                    case Shop.Up(int by) -> "up " + by;
                    case Shop.Down(int by) -> "down " + by;
                })
                .build());
        assertThat(caller.call("move", "{\"type\":\"down\",\"by\":2}").text()).isEqualTo("down 2");
    }

    @Test
    void aMarkedEnumIsOneToolWithAnObjectRoot() {
        ToolDefinition light = ToolDefinition.of(Shop.Light.class);
        assertThat(light.spec().description()).isEqualTo("Switches the light.");
        assertThat(light.spec().inputSchema()).isEqualTo(Json.of("""
                {"type":"object","properties":{"type":{"type":"string","enum":["ON","OFF"]}},
                 "required":["type"],"additionalProperties":false}"""));
        var caller = ToolCaller.of(StaticToolProvider.builder()
                .tool(Shop.Light.class, (in, context) -> in == Shop.Light.ON)
                .build());
        assertThat(caller.call("light", "{\"type\":\"ON\"}").text()).isEqualTo("true");
        assertThat(caller.call("light", "{\"type\":\"off\"}").text())
                .isEqualTo("Error (invalid_arguments): the arguments of light do not fit its schema:\n"
                        + "/type: expected one of \"ON\", \"OFF\", found \"off\"; did you mean \"OFF\"?");
        assertThat(light.encode(Shop.Light.OFF).text()).isEqualTo("{\"type\":\"OFF\"}");
    }

    @Test
    void nestedSetsStandApart() {
        assertThat(ToolDefinition.allOf(Other.class)).extracting(ToolDefinition::name)
                .containsExactly("get_user");
    }

    @Test
    void theDescriptionOfTheRootStandsInTheSpecAndNotInTheSchema() {
        var spec = shop("find_orders").spec();
        assertThat(spec.description()).isEqualTo("Finds orders.");
        assertThat(spec.inputSchema()).isEqualTo(Json.of("""
                {"type":"object","properties":{"customer":{"type":"string","description":"who"}},
                 "required":["customer"],"additionalProperties":false}"""));
    }

    @Test
    void theOutputIsTheTypeArgument() {
        assertThat(shop("find_orders").contract().output())
                .hasToString("{\"type\":\"array\",\"items\":{\"type\":\"string\"}}");
        assertThat(shop("pay-back").contract().output()).isNull();
    }

    @Test
    void aToolNeedsNoSet() {
        assertThat(ToolDefinition.of(Alone.class).name()).isEqualTo("alone");
    }

    @Description("Stands alone.")
    record Alone(int a) implements ToolInput<String> {}

    @Tool(undescribed = true, name = "all", title = "All", effect = ToolEffect.IDEMPOTENT, resumable = true, scheduling = Scheduling.SERIAL, exclusive = "a:{account}", timeout = "PT3S", idleTimeout = "PT1S", attempts = 3, mayDefer = false, approval = Approval.ALWAYS, examples = {
        "{\"account\":\"x\"}"}, tags = {
            "money"}, resident = false, visibility = Visibility.INTERNAL, version = 5, onDefinitionChanged = DefinitionChange.ASK, onDoubt = OnDoubt.HOLD, defaultOn = false)
    @Description("Everything.")
    record Everything(String account) implements ToolInput<Void> {}

    @Test
    void everyOptionOfTheAnnotationIsTaken() {
        ToolManifest manifest = ToolDefinition.of(Everything.class).manifest();
        assertThat(manifest).isEqualTo(new ToolManifest(new ToolId("tool:all"), "all", "All", "Everything.",
                ToolEffect.IDEMPOTENT, true, Scheduling.SERIAL, ExclusiveTemplate.of("a:{account}"),
                new Timeouts(Duration.ofSeconds(3), Duration.ofSeconds(1)), RetryPolicy.attempts(3), false,
                Approval.ALWAYS, null, List.of(Json.of("{\"account\":\"x\"}")), List.of("money"), false,
                Visibility.INTERNAL, 5, "", DefinitionChange.ASK, OnDoubt.HOLD,
                new ArgumentProjection.Materialize(),
                new BehaviorHints(false, null, true, null), false));
    }

    @Test
    void theAnnotationHasTheDefaultsOfTheContract() {
        ToolManifest annotated = shop("move").manifest();
        ToolManifest plain = ToolDefinition.typed(Alone.class, String.class, "move", "Moves something.")
                .manifest();
        assertThat(annotated).isEqualTo(plain);
    }

    @Tools
    interface NotSealed {}

    sealed interface NotMarked {}

    record Marked(int a) implements NotMarked, ToolInput<Void> {}

    @Tools
    record NoInterface(int a) implements ToolInput<Void> {}

    @Tools
    sealed interface WithoutOutput {}

    record Silent(int a) implements WithoutOutput {}

    @Tools
    sealed interface WithClass {}

    static final class Plain implements WithClass {}

    @Tools
    sealed interface Twice {}

    @Tool(undescribed = true)
    record GetUser(int a) implements Twice, ToolInput<Void> {}

    @Tool(undescribed = true, name = "get_user")
    record Fetch(int a) implements Twice, ToolInput<Void> {}

    @Tools
    sealed interface BadType {}

    @Tool(undescribed = true)
    record AtDate(Date when) implements BadType, ToolInput<Void> {}

    static Stream<Arguments> badSets() {
        return Stream.of(
                Arguments.of(NotSealed.class, "tools_not_sealed", notSealed("NotSealed")),
                Arguments.of(NotMarked.class, "tools_not_sealed", notSealed("NotMarked")),
                Arguments.of(NoInterface.class, "tools_not_sealed", notSealed("NoInterface")),
                Arguments.of(WithoutOutput.class, "tool_without_output", Silent.class.getName()
                        + " says nothing about its output; let it implement ToolInput<Output>, with Void for none, or "
                        + "mark it @Nested if it holds another set"),
                Arguments.of(WithClass.class, "not_a_tool", Plain.class.getName()
                        + " stands in a set of tools but is neither a record, an enum nor a sealed interface"),
                Arguments.of(Twice.class, "duplicate_tool_name",
                        "tool name \"get_user\" stands twice: " + GetUser.class.getName() + " and "
                                + Fetch.class.getName()
                                + "; give one of them another with @Tool(name = \"…\")"),
                Arguments.of(BadType.class, "unsupported_type",
                        "AtDate.when: type java.util.Date has no schema; use java.time.Instant"));
    }

    private static String notSealed(String name) {
        return DeclaredToolsTest.class.getName() + "$" + name
                + " is no set of tools; write: @Tools public sealed interface " + name + " { … }";
    }

    @ParameterizedTest
    @MethodSource("badSets")
    void aBadSetIsRefused(Class<?> set, String code, String message) {
        assertThatThrownBy(() -> ToolDefinition.allOf(set))
                .isInstanceOfSatisfying(BelayException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessage(message);
    }

    @Tool(undescribed = true, name = "no name")
    record BadName(int a) implements ToolInput<Void> {}

    @Tool(undescribed = true, timeout = "30s")
    record BadTimeout(int a) implements ToolInput<Void> {}

    @Tool(undescribed = true, idleTimeout = "PT0S")
    record BadIdle(int a) implements ToolInput<Void> {}

    @Tool(undescribed = true, attempts = 2)
    record Retried(int a) implements ToolInput<Void> {}

    @Tool(undescribed = true, exclusive = "a:{b}")
    record BadField(int a) implements ToolInput<Void> {}

    @Tool(undescribed = true, exclusive = "a:{")
    record BadTemplate(int a) implements ToolInput<Void> {}

    @Tool(undescribed = true, examples = "{a:1}")
    record BadExample(int a) implements ToolInput<Void> {}

    @Tool(undescribed = true, examples = "[1]")
    record ArrayExample(int a) implements ToolInput<Void> {}

    record Generic<T>(T a) implements ToolInput<Void> {}

    @SuppressWarnings("rawtypes")
    record RawOutput(int a) implements ToolInput {}

    static final class NoRecord implements ToolInput<Void> {}

    static Stream<Arguments> badTools() {
        return Stream.of(
                Arguments.of(BadName.class, "illegal_tool_name",
                        "\"no name\" is not a tool name; use 1 to 64 of the characters a-z, A-Z, 0-9, _ and -"),
                Arguments.of(BadTimeout.class, "bad_duration",
                        "tool bad_timeout: timeout = \"30s\" is not a positive "
                                + "ISO-8601 duration; write PT30S for thirty seconds"),
                Arguments.of(BadIdle.class, "bad_duration",
                        "tool bad_idle: idleTimeout = \"PT0S\" is not a positive "
                                + "ISO-8601 duration; write PT30S for thirty seconds"),
                Arguments.of(Retried.class, "retry_not_allowed",
                        "tool retried declares 2 attempts but effect ONCE, "
                                + "which is never repeated; declare READ or IDEMPOTENT"),
                Arguments.of(BadField.class, "bad_exclusive_template",
                        "exclusive = \"a:{b}\": \"b\" is not a required "
                                + "text, number or boolean of the input; required are [\"a\"]"),
                Arguments.of(BadTemplate.class, "bad_exclusive_template",
                        "exclusive = \"a:{\": a { has no } behind it; "
                                + "write text with fields in braces, such as account:{accountId}"),
                Arguments.of(BadExample.class, "bad_example",
                        "tool bad_example: the example {a:1} is not a JSON object: "
                                + "expected a field name in double quotes, found 'a': field names stand in double quotes (line 1, "
                                + "column 2)"),
                Arguments.of(ArrayExample.class, "bad_example",
                        "tool array_example: the example [1] is not a JSON object: "
                                + "expected an object, found an array"),
                Arguments.of(Generic.class, "unsupported_type",
                        "Generic.a: type T has no schema; use a concrete type, or "
                                + "dev.belay.json.Json for any JSON"),
                Arguments.of(RawOutput.class, "tool_without_output", RawOutput.class.getName()
                        + " says nothing about its output; let it implement ToolInput<Output>, with Void for none, or "
                        + "mark it @Nested if it holds another set"),
                Arguments.of(NoRecord.class, "unsupported_type", "type " + NoRecord.class.getName()
                        + " has no schema; make it a record, an enum or a sealed interface of records, or use "
                        + "dev.belay.json.Json"));
    }

    @ParameterizedTest
    @MethodSource("badTools")
    void aBadToolIsRefused(Class<? extends ToolInput<?>> tool, String code, String message) {
        assertThatThrownBy(() -> ToolDefinition.of(tool))
                .isInstanceOfSatisfying(BelayException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessage(message);
        assertThatThrownBy(() -> ToolDefinition.of(tool)).as("a second time").hasMessage(message);
    }

    @Test
    void aVariantOfAToolIsNoTool() {
        assertThatThrownBy(() -> DeclaredTools.definition(Shop.Up.class)).isInstanceOf(BelayException.class)
                .hasMessage(Shop.Up.class.getName()
                        + " is no tool; mark it @Tool and let it implement ToolInput<Output>");
    }

    @Test
    void anUnsupportedOutputIsRefused() {
        assertThatThrownBy(() -> ToolDefinition.typed(Alone.class, Date.class, "x", "X."))
                .isInstanceOf(UnsupportedTypeException.class)
                .hasMessage("type java.util.Date has no schema; use java.time.Instant");
    }

    @Test
    void definitionsAreRemembered() {
        assertThat(ToolDefinition.of(Alone.class)).isSameAs(ToolDefinition.of(Alone.class));
    }

    @Test
    void aSetKeepsTheTypesOfItsTools() {
        assertThat(DeclaredTools.membersOf(Other.class)).containsOnlyKeys(Other.GetUser.class);
    }
}

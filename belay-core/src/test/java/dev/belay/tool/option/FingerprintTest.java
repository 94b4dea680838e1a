package dev.belay.tool.option;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.schema.Description;
import dev.belay.schema.Range;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.call.RecordedCall.Preview;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Contract A.4: what a fingerprint covers. The golden values were computed with Python's hashlib. */
class FingerprintTest {

    record Pay(String account, long cents) {}

    record PayWithWords(@Description("the account") String account, @Description("how much") long cents) {}

    record PayByInt(String account, int cents) {}

    record PayBounded(String account, @Range(min = 1) long cents) {}

    record Receipt(BigDecimal total) {}

    record LongReceipt(BigDecimal total, String number) {}

    private static final Json INPUT = Json.of("""
            {"type": "object", "title": "Payment", "description": "all about it",
             "properties": {"b": {"type": "integer", "description": "a count", "default": 3, "examples": [1]},
                            "a": {"type": "string", "title": "A"}},
             "required": ["a"]}""");
    private static final Json OUTPUT = Json
            .of("""
                    {"type": "object", "properties": {"total": {"type": "number", "maximum": 10.50, "description": "sum"}}}""");

    private static ToolDefinition raw() {
        return ToolDefinition.raw("pay", "Pays.", INPUT, OUTPUT);
    }

    private static ToolDefinition typed() {
        return ToolDefinition.typed(Pay.class, Receipt.class, "pay", "Pays.");
    }

    @Test
    void goldenValuesOfRawTools() {
        assertThat(raw().fingerprint().value())
                .isEqualTo("4d662b9c994a776526c0600468ac17a38c008d1d99b295e3eb9c0add81088079");
        assertThat(ToolDefinition.raw("pay", "Pays.", INPUT).fingerprint().value())
                .isEqualTo("270d7388012952d9861516fd9c05a1ead59d737a2281ed20d7ecfa88696f1495");
        assertThat(raw().id("bank/pay")
                .version(7)
                .effect(ToolEffect.IDEMPOTENT)
                .resumable(true)
                .fingerprint()
                .value())
                .isEqualTo("0bf5d41f421a168457941657f8c643f65518243329a21f897245e5f4195a7e8c");
    }

    @Test
    void goldenValueOfATypedTool() {
        assertThat(typed().fingerprint())
                .hasToString("5d5c1b24b961b4706dd4356132cd5d2a9804dc5f6b420f36c587aeed6ad4e2bf");
    }

    static Stream<Named<UnaryOperator<ToolDefinition>>> whatOnlyDescribes() {
        return Stream.of(
                Named.of("description", tool -> tool.description("Pays an amount.")),
                Named.of("title", tool -> tool.title("Pay")),
                Named.of("examples", tool -> tool.examples(List.of(Json.of("{\"a\":\"x\"}")))),
                Named.of("tags", tool -> tool.tags(List.of("money"))),
                Named.of("scheduling", tool -> tool.scheduling(Scheduling.SERIAL)),
                Named.of("timeouts", tool -> tool.timeouts(new Timeouts(Duration.ofSeconds(1), null))),
                Named.of("mayDefer", tool -> tool.mayDefer(false)),
                Named.of("approval", tool -> tool.approval(Approval.ALWAYS)),
                Named.of("budget", tool -> tool.budget(new OutputBudget(1, 1, OutputBudget.Keep.HEAD))),
                Named.of("resident", tool -> tool.resident(false)),
                Named.of("visibility", tool -> tool.visibility(Visibility.INTERNAL)),
                Named.of("onDefinitionChanged",
                        tool -> tool.onDefinitionChanged(DefinitionChange.CONTINUE)),
                Named.of("argumentProjection",
                        tool -> tool.argumentProjection(ArgumentProjection.preserveRefsIn("a"))),
                Named.of("hints", tool -> tool.hints(BehaviorHints.NONE)),
                Named.of("preview", tool -> tool.preview((Preview) Json::text)));
    }

    @ParameterizedTest
    @MethodSource("whatOnlyDescribes")
    void whatIsNotMeaningDoesNotChangeIt(UnaryOperator<ToolDefinition> change) {
        assertThat(change.apply(raw()).fingerprint().value())
                .isEqualTo("4d662b9c994a776526c0600468ac17a38c008d1d99b295e3eb9c0add81088079");
    }

    static Stream<Named<UnaryOperator<ToolDefinition>>> whatItMeans() {
        return Stream.of(
                Named.of("id", tool -> tool.id("other")),
                Named.of("version", tool -> tool.version(2)),
                Named.of("effect", tool -> tool.effect(ToolEffect.READ)),
                Named.of("resumable", tool -> tool.resumable(true)));
    }

    @ParameterizedTest
    @MethodSource("whatItMeans")
    void whatIsMeaningChangesIt(UnaryOperator<ToolDefinition> change) {
        assertThat(change.apply(raw()).fingerprint()).isNotEqualTo(raw().fingerprint());
    }

    @Test
    void describedFieldsDoNotChangeIt() {
        assertThat(
                ToolDefinition.typed(PayWithWords.class, Receipt.class, "pay", "Pays.").fingerprint().value())
                .isEqualTo("5d5c1b24b961b4706dd4356132cd5d2a9804dc5f6b420f36c587aeed6ad4e2bf");
    }

    @Test
    void theTypeOrBoundOfAFieldChangesIt() {
        assertThat(Stream.of(Pay.class, PayByInt.class, PayBounded.class)
                .map(input -> ToolDefinition.typed(input, Receipt.class, "pay", "Pays.").fingerprint()))
                .doesNotHaveDuplicates();
    }

    @Test
    void aFieldOfTheOutputOrNoOutputChangesIt() {
        assertThat(Stream.of(Receipt.class, LongReceipt.class, Void.class)
                .map(output -> ToolDefinition.typed(Pay.class, output, "pay", "Pays.").fingerprint()))
                .doesNotHaveDuplicates();
    }

    @Test
    void theSchemaOfARawToolChangesIt() {
        Json other = Json.of(INPUT.text().replace("integer", "number"));
        Json otherOutput = Json.of(OUTPUT.text().replace("10.50", "10.51"));
        assertThat(Stream.of(raw(), ToolDefinition.raw("pay", "Pays.", other, OUTPUT),
                ToolDefinition.raw("pay", "Pays.", INPUT, otherOutput),
                ToolDefinition.raw("pay", "Pays.", INPUT)).map(ToolDefinition::fingerprint))
                .doesNotHaveDuplicates();
    }
}

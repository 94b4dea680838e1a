package dev.belay.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.schema.Draft;
import dev.belay.schema.JsonSchema;
import dev.belay.schema.TypeRef;
import dev.belay.schema.shape.UnsupportedTypeException;
import dev.belay.tool.call.RecordedCall;
import dev.belay.tool.call.ToolCodec;
import dev.belay.tool.context.CallId;
import dev.belay.tool.context.IdempotencyKey;
import dev.belay.tool.context.Incarnation;
import dev.belay.tool.context.Reconciliation;
import dev.belay.tool.option.Approval;
import dev.belay.tool.option.ArgumentProjection;
import dev.belay.tool.option.BehaviorHints;
import dev.belay.tool.option.DefinitionChange;
import dev.belay.tool.option.ExclusiveTemplate;
import dev.belay.tool.option.OnDoubt;
import dev.belay.tool.option.OutputBudget;
import dev.belay.tool.option.RetryPolicy;
import dev.belay.tool.option.Scheduling;
import dev.belay.tool.option.Timeouts;
import dev.belay.tool.option.Visibility;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract A.1 (id and name), A.2 (typed and raw), A.3 (options and their defaults), A.5 (no description). */
class ToolDefinitionTest {

    private static final Json ANY = Json.of("{\"type\":\"object\"}");
    private static final Json EXAMPLE = Json.of("{\"customer\":\"ada\"}");

    record Find(String customer, OptionalInt limit) {}

    record Order(long id) {}

    private static ToolDefinition find() {
        return ToolDefinition.typed(Find.class, Order.class, "find", "Finds an order.");
    }

    @Test
    void theIdIsToolAndTheNameUnlessGiven() {
        assertThat(find().id()).isEqualTo(new ToolId("tool:find"));
        assertThat(find().id("shop/v1 find!").id().value()).isEqualTo("shop/v1 find!");
        assertThat(find().id("shop/v1 find!").name()).isEqualTo("find");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "Z9_-", "find_orders", "0"})
    void aLegalNameIsTaken(String name) {
        assertThat(ToolDefinition.raw(name, "Does.", ANY).name()).isEqualTo(name);
    }

    @Test
    void aNameMayHaveSixtyFourCharactersAndNoMore() {
        assertThat(ToolDefinition.raw("n".repeat(64), "Does.", ANY).name()).hasSize(64);
        assertThatThrownBy(() -> ToolDefinition.raw("n".repeat(65), "Does.", ANY)).satisfies(
                code("illegal_tool_name"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "find orders", "find.orders", "größe", "a/b", "find\n", "find:all"})
    void anIllegalNameIsRefused(String name) {
        assertThatThrownBy(() -> ToolDefinition.raw(name, "Does.", ANY)).satisfies(code("illegal_tool_name"))
                .hasMessage("\"" + name
                        + "\" is not a tool name; use 1 to 64 of the characters a-z, A-Z, 0-9, _ and -");
        assertThatThrownBy(() -> ToolDefinition.typed(Find.class, Void.class, name, "Does."))
                .satisfies(code("illegal_tool_name"));
    }

    @Test
    void anIllegalNameOfAnyLengthGivesAShortMessage() {
        assertThatThrownBy(() -> ToolDefinition.raw("n".repeat(1_000_000), "Does.", ANY))
                .hasMessageStartingWith("\"" + "n".repeat(80) + "…\" is not a tool name");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\n"})
    void aBlankIdIsRefused(String id) {
        assertThatThrownBy(() -> find().id(id)).satisfies(code("illegal_tool_id"))
                .hasMessage("a tool id must not be blank");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\n\t"})
    void aToolWithoutDescriptionIsRefused(String description) {
        String message = "tool find has no description; a model cannot choose what it does not understand. Pass "
                + "a description that says what the tool does; for a tool that another system describes, use "
                + "ToolDefinition.foreign";
        assertThatThrownBy(() -> ToolDefinition.typed(Find.class, Order.class, "find", description))
                .satisfies(code("missing_description"))
                .hasMessage(message);
        assertThatThrownBy(() -> ToolDefinition.raw("find", description, ANY))
                .satisfies(code("missing_description"))
                .hasMessage(message);
        assertThatThrownBy(() -> find().description(description)).satisfies(code("missing_description"))
                .hasMessage(message);
    }

    @Test
    void typedDerivesBothSchemas() {
        assertThat(find().contract().input().json()).isEqualTo(Json.of("""
                {"type":"object","properties":{"customer":{"type":"string"},
                 "limit":{"type":["integer","null"],"format":"int32"}},
                 "required":["customer"],"additionalProperties":false}"""));
        assertThat(find().contract().output()).isNotNull()
                .satisfies(output -> assertThat(output.json()).isEqualTo(Json.of("""
                        {"type":"object","properties":{"id":{"type":"integer","format":"int64"}},
                         "required":["id"],"additionalProperties":false}""")));
    }

    @Test
    void aTypeReferenceKeepsTypeArguments() {
        var definition = ToolDefinition.typed(Find.class, new TypeRef<Map<String, List<Order>>>() {}, "find",
                "Finds.");
        assertThat(definition.contract().output()).isNotNull()
                .satisfies(output -> assertThat(output.json()).isEqualTo(Json.of("""
                        {"type":"object","additionalProperties":{"type":"array","items":
                          {"type":"object","properties":{"id":{"type":"integer","format":"int64"}},
                           "required":["id"],"additionalProperties":false}}}""")));
    }

    @Test
    void voidDeclaresNoOutput() {
        assertThat(ToolDefinition.typed(Find.class, Void.class, "find", "Finds.").contract().output())
                .isNull();
    }

    @Test
    void rawTakesSchemasAsTheyAre() {
        Json output = Json.of("{ \"type\" : \"string\" }");
        var definition = ToolDefinition.raw("find", "Finds.", ANY, output);
        assertThat(definition.contract().input().json().text()).isEqualTo(ANY.text());
        assertThat(definition.contract().output()).isNotNull()
                .satisfies(schema -> assertThat(schema.json().text()).isEqualTo(output.text()));
        assertThat(ToolDefinition.raw("find", "Finds.", ANY).contract().output()).isNull();
    }

    @Test
    void typedBodiesGetTheObjectAndRawBodiesGetJson() {
        assertThat(input(find().arguments("{\"customer\":\"ann\",\"limit\":3}")))
                .isEqualTo(new Find("ann", OptionalInt.of(3)));
        assertThat(input(ToolDefinition.raw("find", "Finds.", ANY).arguments("{\"x\":1.0}")))
                .isEqualTo(Json.of("{\"x\":1}"));
    }

    @Test
    void theModelIsSentNameDescriptionAndInputSchema() {
        var spec = find().spec();
        assertThat(spec.name()).isEqualTo("find");
        assertThat(spec.description()).isEqualTo("Finds an order.");
        assertThat(spec.inputSchema()).isEqualTo(find().contract().input().json());
    }

    @Test
    void encodeIsTheInverseOfDecode() {
        Json json = find().encode(new Find("ann", OptionalInt.empty()));
        assertThat(json.text()).isEqualTo("{\"customer\":\"ann\"}");
        assertThat(input(find().arguments(json.text()))).isEqualTo(new Find("ann", OptionalInt.empty()));
    }

    @Test
    void everyOptionHasTheDefaultOfTheContract() {
        ToolManifest manifest = find().manifest();
        assertThat(manifest.effect()).isEqualTo(ToolEffect.ONCE);
        assertThat(manifest.resumable()).isFalse();
        assertThat(manifest.scheduling()).isEqualTo(Scheduling.PARALLEL);
        assertThat(manifest.exclusive()).isNull();
        assertThat(manifest.timeouts()).isEqualTo(new Timeouts(null, null));
        assertThat(manifest.retry().attempts()).isEqualTo(1);
        assertThat(manifest.mayDefer()).isTrue();
        assertThat(manifest.approval()).isEqualTo(Approval.INHERIT);
        assertThat(manifest.budget()).isNull();
        assertThat(manifest.examples()).isEmpty();
        assertThat(manifest.tags()).isEmpty();
        assertThat(manifest.resident()).isTrue();
        assertThat(manifest.visibility()).isEqualTo(Visibility.MODEL);
        assertThat(manifest.title()).isEmpty();
        assertThat(manifest.version()).isEqualTo(1);
        assertThat(manifest.onDefinitionChanged()).isEqualTo(DefinitionChange.FAIL);
        assertThat(manifest.onDoubt()).isEqualTo(OnDoubt.TELL);
        assertThat(manifest.argumentProjection()).isEqualTo(ArgumentProjection.materialize());
        assertThat(manifest.hints()).isEqualTo(new BehaviorHints(false, null, false, null));
        assertThat(manifest.defaultOn()).isTrue();
        assertThat(find().reconciler()).isEmpty();
        assertThat(find().onCancel()).isEmpty();
        assertThat(find().preview()).isEmpty();
    }

    static Stream<Arguments> options() {
        var budget = new OutputBudget(10, 2, OutputBudget.Keep.TAIL);
        var hints = new BehaviorHints(true, true, null, true);
        var timeouts = new Timeouts(Duration.ofSeconds(3), Duration.ofSeconds(1));
        return Stream.of(
                option("description", tool -> tool.description("Other."), "Other."),
                option("title", tool -> tool.title("Find it"), "Find it"),
                option("effect", tool -> tool.effect(ToolEffect.READ), ToolEffect.READ),
                option("resumable", tool -> tool.resumable(true), true),
                option("scheduling", tool -> tool.scheduling(Scheduling.SERIAL), Scheduling.SERIAL),
                option("exclusive", tool -> tool.exclusive("c:{customer}"),
                        ExclusiveTemplate.of("c:{customer}")),
                option("timeouts", tool -> tool.timeouts(timeouts), timeouts),
                option("retry", tool -> tool.effect(ToolEffect.READ).retry(RetryPolicy.attempts(3)),
                        RetryPolicy.attempts(3)),
                option("mayDefer", tool -> tool.mayDefer(false), false),
                option("approval", tool -> tool.approval(Approval.NEVER), Approval.NEVER),
                option("budget", tool -> tool.budget(budget), budget),
                option("examples", tool -> tool.examples(List.of(EXAMPLE)), List.of(EXAMPLE)),
                option("tags", tool -> tool.tags(List.of("b", "a")), List.of("b", "a")),
                option("resident", tool -> tool.resident(false), false),
                option("visibility", tool -> tool.visibility(Visibility.INTERNAL), Visibility.INTERNAL),
                option("version", tool -> tool.version(4), 4),
                option("onDefinitionChanged", tool -> tool.onDefinitionChanged(DefinitionChange.ASK),
                        DefinitionChange.ASK),
                option("onDoubt", tool -> tool.onDoubt(OnDoubt.HOLD), OnDoubt.HOLD),
                option("argumentProjection",
                        tool -> tool.argumentProjection(ArgumentProjection.preserveRefsIn("customer")),
                        new ArgumentProjection.PreserveRefsIn("customer")),
                option("hints", tool -> tool.hints(hints), hints));
    }

    private static Arguments option(String name, UnaryOperator<ToolDefinition> change, Object value) {
        return Arguments.of(name, Named.of("with", change), value);
    }

    @ParameterizedTest
    @MethodSource("options")
    void anOptionIsKeptByEveryLaterOne(String name, UnaryOperator<ToolDefinition> change, Object value)
            throws ReflectiveOperationException {
        ToolDefinition before = find();
        ToolDefinition changed = change.apply(before);
        assertThat(option(changed, name)).isEqualTo(value);
        assertThat(option(before, name)).isNotEqualTo(value);
        assertThat(option(changed.id("other").preview(Json::text), name)).isEqualTo(value);
        if (!name.equals("title")) {
            assertThat(option(changed.title("last"), name)).isEqualTo(value);
        }
    }

    private static Object option(ToolDefinition definition, String name) throws ReflectiveOperationException {
        Object value = ToolManifest.class.getMethod(name).invoke(definition.manifest());
        return value == null ? "nothing" : value;
    }

    @Test
    void functionsAreKeptByEveryLaterOption() throws Exception {
        var cancelled = new ArrayList<CallId>();
        ToolDefinition definition = find()
                .reconciler(call -> Reconciliation.happened(new ToolOutcome.Cancelled(call.callId().value())))
                .onCancel(call -> cancelled.add(call.callId()))
                .preview(arguments -> "finds " + arguments.text())
                .title("last");
        var call = new RecordedCall(definition.id(), new CallId("c1"),
                IdempotencyKey.of(new IdempotencyKey.Place(new Incarnation(1, 2), 0, 0, 0), definition.id()),
                Json.EMPTY_OBJECT, null);
        assertThat(definition.reconciler().orElseThrow().reconcile(call))
                .isEqualTo(Reconciliation.happened(new ToolOutcome.Cancelled("c1")));
        definition.onCancel().orElseThrow().cancel(call);
        assertThat(cancelled).containsExactly(new CallId("c1"));
        assertThat(definition.preview().orElseThrow().of(Json.EMPTY_OBJECT)).isEqualTo("finds {}");
    }

    @Test
    void previewHidesNothing() {
        ToolDefinition definition = find().preview(arguments -> "finds\n\u202e\udb40\udc41\u3164");
        assertThat(definition.preview().orElseThrow().of(Json.EMPTY_OBJECT))
                .isEqualTo("finds\n<U+202E><U+E0041><U+3164>");
    }

    @Test
    void hintsFollowTheEffectUnlessGiven() {
        assertThat(find().effect(ToolEffect.READ).manifest().hints())
                .isEqualTo(new BehaviorHints(true, false, true, null));
        assertThat(find().effect(ToolEffect.IDEMPOTENT).manifest().hints())
                .isEqualTo(new BehaviorHints(false, null, true, null));
        assertThat(find().hints(BehaviorHints.NONE).effect(ToolEffect.READ).manifest().hints())
                .isEqualTo(BehaviorHints.NONE);
    }

    @Test
    void onceWithRetriesIsRefused() {
        assertThatThrownBy(() -> find().retry(RetryPolicy.attempts(2)))
                .satisfies(code("retry_not_allowed"))
                .hasMessage(
                        "tool find declares 2 attempts but effect ONCE, which is never repeated; declare READ "
                                + "or IDEMPOTENT");
        ToolDefinition read = find().effect(ToolEffect.READ).retry(RetryPolicy.attempts(2));
        assertThatThrownBy(() -> read.effect(ToolEffect.ONCE)).satisfies(code("retry_not_allowed"));
        assertThat(find().resumable(true).retry(RetryPolicy.attempts(2)).manifest().retry().attempts())
                .isEqualTo(2);
    }

    static Stream<Arguments> valuesThatMakeNoSense() {
        return Stream.of(
                refused(() -> find().version(0), "version of tool find must be at least 1, found 0"),
                refused(() -> RetryPolicy.attempts(0), "attempts must be at least 1, found 0"),
                refused(() -> new RetryPolicy(2, Duration.ofSeconds(1), 0.5, Duration.ofSeconds(2)),
                        "factor must be at least 1, found 0.5"),
                refused(() -> new RetryPolicy(2, Duration.ofSeconds(1), Double.NaN, Duration.ofSeconds(2)),
                        "factor must be at least 1, found NaN"),
                refused(() -> new RetryPolicy(2, Duration.ofSeconds(1), Double.POSITIVE_INFINITY,
                        Duration.ofSeconds(2)), "factor must be at least 1, found Infinity"),
                refused(() -> new RetryPolicy(2, Duration.ofSeconds(3), 2, Duration.ofSeconds(2)),
                        "delays must satisfy 0 <= first <= max, found PT3S and PT2S"),
                refused(() -> new RetryPolicy(2, Duration.ofSeconds(-1), 2, Duration.ofSeconds(2)),
                        "delays must satisfy 0 <= first <= max, found PT-1S and PT2S"),
                refused(() -> new Timeouts(Duration.ZERO, null),
                        "total timeout must be positive, found PT0S"),
                refused(() -> new Timeouts(null, Duration.ofSeconds(-1)),
                        "idle timeout must be positive, found PT-1S"),
                refused(() -> new OutputBudget(0, 1, OutputBudget.Keep.HEAD),
                        "a budget must allow something, found 0 bytes and 1 lines"),
                refused(() -> new OutputBudget(1, 0, OutputBudget.Keep.HEAD),
                        "a budget must allow something, found 1 bytes and 0 lines"),
                refused(() -> new CallId(""), "a call id must not be empty"));
    }

    private static Arguments refused(Runnable attempt, String message) {
        return Arguments.of(Named.of(message, attempt), message);
    }

    @ParameterizedTest
    @MethodSource("valuesThatMakeNoSense")
    void aValueThatMakesNoSenseIsRefused(Runnable attempt, String message) {
        assertThatThrownBy(attempt::run).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
    }

    @Test
    void listsAreCopied() {
        List<String> tags = new ArrayList<>(List.of("a"));
        List<Json> examples = new ArrayList<>(List.of(EXAMPLE));
        ToolManifest manifest = find().tags(tags).examples(examples).manifest();
        tags.add("b");
        examples.clear();
        assertThat(manifest.tags()).containsExactly("a").isUnmodifiable();
        assertThat(manifest.examples()).containsExactly(EXAMPLE).isUnmodifiable();
    }

    @Test
    void anExampleThatTheSchemaForbidsIsRefused() {
        assertThatThrownBy(() -> find().examples(List.of(EXAMPLE, Json.of("{\"customr\":\"ada\"}"))))
                .isInstanceOfSatisfying(BelayException.class,
                        refused -> assertThat(refused.code()).isEqualTo("bad_example"))
                .hasMessageContaining("did you mean \"customer\"?");
    }

    @Test
    void theContractIsMadeOnceAndLate() {
        var made = new AtomicInteger();
        ToolContract contract = find().contract();
        ToolDefinition definition = ToolDefinition.of(find().manifest(), () -> {
            made.incrementAndGet();
            return contract;
        }, ToolCodec.RAW).title("late");
        assertThat(made).hasValue(0);
        assertThat(definition.contract()).isSameAs(definition.title("later").contract());
        assertThat(made).hasValue(1);
    }

    static Stream<Class<?>> noObjects() {
        return Stream.of(String.class, int.class, Void.class, Json.class, Thread.State.class);
    }

    @ParameterizedTest
    @MethodSource("noObjects")
    void theInputMustBeAnObject(Class<?> input) {
        assertThatThrownBy(() -> ToolDefinition.typed(input, Void.class, "find", "Finds."))
                .isInstanceOf(UnsupportedTypeException.class)
                .satisfies(code("unsupported_type"))
                .hasMessage(input.getName()
                        + " cannot be the input of a tool; arguments are a JSON object: use a record or a sealed "
                        + "interface of records");
    }

    @Test
    void aRawInputMustSayThatItIsAnObject() {
        String long1 = "{\"type\":\"string\",\"enum\":[" + "\"value\",".repeat(1_000) + "\"last\"]}";
        String problem = "the input schema of a tool must say \"type\": \"object\" at its root, found ";
        assertThatThrownBy(() -> ToolDefinition.raw("find", "Finds.", Json.of(long1)))
                .satisfies(code("invalid_schema"))
                .hasMessage(problem + "the type \"string\"");
        assertThatThrownBy(() -> ToolDefinition.raw("find", "Finds.", Json.of("true")))
                .satisfies(code("invalid_schema"))
                .hasMessage(problem + "no type");
    }

    @Test
    void aToolFromElsewhereKeepsItsDraftItsTextAndItsSilence() {
        Json input = Json
                .of("""
                        {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object",
                         "properties": {"pair": {"items": [{"type": "string"}, {"$ref": "#/properties/pair/items/0"}]}}}""");
        ToolDefinition tool = ToolDefinition.foreign("pair", "",
                new ToolContract(JsonSchema.of(input), null));

        assertThat(tool.spec().inputSchema().text()).isEqualTo(input.text());
        assertThat(tool.spec().description()).isEmpty();
        assertThat(tool.arguments("{\"pair\": [\"a\", 1]}"))
                .isInstanceOfSatisfying(dev.belay.tool.call.Arguments.Invalid.class, invalid -> assertThat(
                        invalid.failure().message()).endsWith("/pair/1: expected a string, found 1"));

        Json unnamed = Json
                .of("{\"type\":\"object\",\"properties\":{\"n\":{\"minimum\":1,\"exclusiveMinimum\":true}}}");
        ToolDefinition old = ToolDefinition.foreign("old", " ",
                new ToolContract(JsonSchema.of(unnamed, Draft.DRAFT_4), null));
        assertThat(old.arguments("{\"n\": 1}")).isInstanceOf(dev.belay.tool.call.Arguments.Invalid.class);
    }

    private static java.util.function.Consumer<Throwable> code(String code) {
        return e -> assertThat(e).isInstanceOfSatisfying(BelayException.class,
                coded -> assertThat(coded.code()).isEqualTo(code));
    }

    private static Object input(dev.belay.tool.call.Arguments arguments) {
        assertThat(arguments).isInstanceOf(dev.belay.tool.call.Arguments.Valid.class);
        return ((dev.belay.tool.call.Arguments.Valid) arguments).input();
    }
}

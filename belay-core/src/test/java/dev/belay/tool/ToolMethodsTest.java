package dev.belay.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.schema.Description;
import dev.belay.schema.Length;
import dev.belay.schema.Range;
import dev.belay.tool.option.ExclusiveTemplate;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Contract A.1 (names of methods), A.5 (duplicates), A.6 (what the host supplies is neither shown to nor chosen by the model),
 * and the mistakes of a developer who declares tools with methods.
 */
class ToolMethodsTest {

    record Tenant(String name) {}

    static class Methods {

        @Description("Finds orders.")
        @Tool(undescribed = true, effect = ToolEffect.READ)
        List<String> findOrders(@Description("who") String customer,
                @Range(min = 1, max = 5) OptionalInt limit) {
            return List.of(customer + limit.orElse(9));
        }

        @Tool(undescribed = true, name = "pay-back", exclusive = "order:{orderId}")
        String refund(@FromHost Tenant tenant, long orderId, ToolContext context) {
            return tenant.name() + " " + orderId + " " + context.callId();
        }

        @Tool(undescribed = true)
        void touch() {}

        @Tool(undescribed = true)
        static int add(int a, int b) {
            return a + b;
        }

        @Tool(undescribed = true)
        ToolResult<@Length(max = 3) String> result(String text) {
            return text.isEmpty() ? ToolResult.failure("empty") : ToolResult.ok(text);
        }

        @Tool(undescribed = true)
        @Nullable
        String maybe(boolean there) {
            return there ? "there" : null;
        }

        @Tool(undescribed = true)
        String io() throws IOException {
            throw new IOException("disk full");
        }

        @Tool(undescribed = true)
        String fatal() {
            throw new OutOfMemoryError("test");
        }

        String noTool() {
            return "";
        }
    }

    private static ToolMethods methods() {
        return ToolMethods.of(new Methods());
    }

    private static ToolCaller caller() {
        return ToolCaller.of(methods().with(Tenant.class, () -> new Tenant("acme")));
    }

    private static ToolDefinition definition(String name) {
        return methods().definitions()
                .stream()
                .filter(tool -> tool.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void methodsAreNamedInSnakeCaseUnlessToldOtherwise() {
        assertThat(methods().definitions()).extracting(ToolDefinition::name)
                .containsExactly("add", "fatal", "find_orders", "io", "maybe", "pay-back", "result", "touch");
    }

    @Test
    void parametersAreTheFieldsOfTheInput() {
        assertThat(definition("find_orders").spec().description()).isEqualTo("Finds orders.");
        assertThat(definition("find_orders").spec().inputSchema()).isEqualTo(Json.of("""
                {"type":"object","properties":{"customer":{"type":"string","description":"who"},
                 "limit":{"type":["integer","null"],"format":"int32","minimum":1,"maximum":5}},
                 "required":["customer"],"additionalProperties":false}"""));
        assertThat(caller().call("find_orders", "{\"limit\":2,\"customer\":\"ann\"}").text())
                .isEqualTo("[\"ann2\"]");
        assertThat(caller().call("find_orders", "{\"customer\":\"ann\"}").text()).isEqualTo("[\"ann9\"]");
        assertThat(caller().call("find_orders", "{\"customer\":\"ann\",\"limit\":6}").text())
                .startsWith("Error (invalid_arguments): ");
    }

    @Test
    void theModelNeitherSeesNorChoosesWhatTheHostSupplies() {
        assertThat(definition("pay-back").spec().inputSchema()).isEqualTo(Json.of("""
                {"type":"object","properties":{"orderId":{"type":"integer","format":"int64"}},
                 "required":["orderId"],"additionalProperties":false}"""));
        assertThat(caller().call("pay-back", "{\"orderId\":7}").text()).isEqualTo("acme 7 call_0_0");
        assertThat(caller().call("pay-back", "{\"orderId\":7,\"tenant\":{\"name\":\"other\"}}").text())
                .isEqualTo("Error (invalid_arguments): the arguments of pay-back do not fit its schema:\n"
                        + "/tenant: is not a known field; known fields are \"orderId\"");
    }

    @Test
    void aSupplierIsAskedAtEveryCall() {
        var count = new AtomicInteger();
        var caller = ToolCaller
                .of(methods().with(Tenant.class, () -> new Tenant("t" + count.incrementAndGet())));
        assertThat(caller.call("pay-back", "{\"orderId\":7}").text()).startsWith("t1 ");
        assertThat(caller.call("pay-back", "{\"orderId\":7}").text()).startsWith("t2 ");
    }

    @Test
    void aMissingSupplierIsKnownBeforeAnyCall() {
        assertThat(methods().missingHostValues()).containsExactly(Tenant.class);
        assertThat(methods().with(Tenant.class, () -> new Tenant("x")).missingHostValues()).isEmpty();
        assertThat(ToolCaller.of(methods()).call("pay-back", "{\"orderId\":7}").text()).isEqualTo(
                "Error (host_value_missing): tool pay-back needs a Tenant from the host, and none is supplied;"
                        + " supply one where the tool runs, as with hostValue(…) of the runtime");
    }

    @Test
    void staticAndVoidMethodsWork() {
        assertThat(caller().call("add", "{\"a\":2,\"b\":3}").text()).isEqualTo("5");
        assertThat(caller().call("touch", "").text()).isEqualTo("(no output)");
        assertThat(definition("touch").contract().output()).isNull();
    }

    @Test
    void aResultIsTakenOffTheOutputType() {
        assertThat(definition("result").contract().output())
                .hasToString("{\"type\":\"string\",\"maxLength\":3}");
        assertThat(caller().call("result", "{\"text\":\"yes\"}").text()).isEqualTo("yes");
        assertThat(caller().call("result", "{\"text\":\"\"}").text()).isEqualTo("Error (tool_failed): empty");
        assertThat(caller().call("result", "{\"text\":\"long\"}").text()).isEqualTo(
                "Error (invalid_tool_output): tool result returned what its own schema does not allow: the length of "
                        + "the text is out of bounds; its effect may have happened: find out before you try again");
    }

    @Test
    void aNullableResultMayBeNull() {
        assertThat(definition("maybe").contract().output()).hasToString("{\"type\":[\"string\",\"null\"]}");
        assertThat(caller().call("maybe", "{\"there\":true}").text()).isEqualTo("there");
        assertThat(caller().call("maybe", "{\"there\":false}").text()).isEqualTo("(no output)");
    }

    @Test
    void whatAMethodThrowsComesThroughUnwrapped() {
        assertThat(caller().call("io", "{}").text()).isEqualTo("Error (tool_failed): disk full");
        assertThatThrownBy(() -> caller().call("fatal", "{}")).isInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void optionsOfTheAnnotationAreTaken() {
        assertThat(definition("find_orders").manifest().effect()).isEqualTo(ToolEffect.READ);
        assertThat(definition("pay-back").manifest().exclusive())
                .isEqualTo(ExclusiveTemplate.of("order:{orderId}"));
    }

    @Test
    void oneDefinitionCanBeCustomized() {
        ToolMethods customized = methods().customize("add", tool -> tool.preview(arguments -> "adds"));
        assertThat(customized.definitions().getFirst().preview()).isPresent();
        assertThat(ToolCaller.of(customized).call("add", "{\"a\":2,\"b\":3}").text()).isEqualTo("5");
        assertThatThrownBy(() -> methods().customize("ad", tool -> tool)).satisfies(code("unknown_tool"))
                .hasMessage(
                        "no tool method is named \"ad\"; there are [add, fatal, find_orders, io, maybe, pay-back, "
                                + "result, touch]");
        assertThatThrownBy(() -> methods().customize("add", tool -> tool.id("x"))).satisfies(
                code("illegal_tool_id")).hasMessage("customize must not change the id tool:add");
    }

    static class Empty {}

    static class Overloads {
        @Tool(undescribed = true)
        void find(int a) {}

        @Tool(undescribed = true)
        void find(String a) {}
    }

    static class Hidden {
        @Tool(undescribed = true)
        @SuppressWarnings({"UnusedMethod", "UnusedVariable"})
        private void at(int a) {}
    }

    static class BadParameter {
        @Tool(undescribed = true)
        void at(Date when) {}
    }

    static class BadResult {
        @Tool(undescribed = true)
        Date now() {
            throw new IllegalStateException("never called");
        }
    }

    static class Varargs {
        @Tool(undescribed = true)
        int count(String... words) {
            return words.length;
        }
    }

    static class BadTemplate {
        @Tool(undescribed = true, exclusive = "a:{b}")
        void at(int a) {}
    }

    static class BadName {
        @Tool(undescribed = true, name = "a b")
        void at(int a) {}
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                Arguments.of(new Empty(), "not_a_tool",
                        Empty.class.getName()
                                + " has no tools; mark a method that is not private with @Tool"),
                Arguments.of(new Overloads(), "duplicate_tool_name",
                        "tool name \"find\" stands twice in " + Overloads.class.getName()
                                + ": find(int) and find(java.lang.String); give one of them another with "
                                + "@Tool(name = \"…\")"),
                Arguments.of(new Hidden(), "private_tool_method", Hidden.class.getName()
                        + ".at(int) is marked @Tool but private; make it package-private or more"),
                Arguments.of(new BadParameter(), "unsupported_type",
                        BadParameter.class.getName()
                                + ".at(java.util.Date): at.when: type java.util.Date has no schema; use java.time.Instant"),
                Arguments.of(new BadResult(), "unsupported_type",
                        BadResult.class.getName()
                                + ".now(): type java.util.Date has no schema; use java.time.Instant"),
                Arguments.of(new Varargs(), "unsupported_type",
                        Varargs.class.getName()
                                + ".count(java.lang.String[]): count.words: type String[] has no schema; use List<…>"),
                Arguments.of(new BadTemplate(), "bad_exclusive_template",
                        "exclusive = \"a:{b}\": \"b\" is not a "
                                + "required text, number or boolean of the input; required are [\"a\"]"),
                Arguments.of(new BadName(), "illegal_tool_name",
                        "\"a b\" is not a tool name; use 1 to 64 of the characters a-z, A-Z, 0-9, _ and -"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void aMistakeIsRefused(Object target, String code, String message) {
        assertThatThrownBy(() -> ToolMethods.of(target)).satisfies(code(code)).hasMessage(message);
    }

    static class Nameless {
        @Tool(undescribed = true)
        int twice(int number) {
            return 2 * number;
        }
    }

    /** Loads {@link Nameless} as if it had been compiled without {@code -parameters}. */
    private static final class ForgetfulLoader extends ClassLoader {
        ForgetfulLoader() {
            super(ToolMethodsTest.class.getClassLoader());
        }

        Class<?> load() throws IOException {
            try (InputStream in = Objects.requireNonNull(
                    Nameless.class.getResourceAsStream("ToolMethodsTest$Nameless.class"))) {
                // an attribute of another name is ignored by the virtual machine
                byte[] code = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1)
                        .replace("MethodParameters", "MethodParameterz")
                        .getBytes(StandardCharsets.ISO_8859_1);
                return defineClass(Nameless.class.getName(), code, 0, code.length);
            }
        }
    }

    @Test
    void missingParameterNamesAreToldWithTheRemedy() throws Exception {
        var constructor = new ForgetfulLoader().load().getDeclaredConstructor();
        constructor.setAccessible(true);
        Object target = constructor.newInstance();
        assertThatThrownBy(() -> ToolMethods.of(target)).satisfies(code("parameter_names_missing"))
                .hasMessage(Nameless.class.getName() + ".twice was compiled without parameter names; add "
                        + "belay-processor to the annotationProcessorPaths, or compile with -parameters");
        assertThat(ToolCaller.of(ToolMethods.of(new Nameless())).call("twice", "{\"number\":2}").text())
                .isEqualTo("4");
    }

    private static java.util.function.Consumer<Throwable> code(String code) {
        return e -> assertThat(e).isInstanceOfSatisfying(BelayException.class,
                coded -> assertThat(coded.code()).isEqualTo(code));
    }
}

package dev.belay.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.generated.Companion;
import dev.belay.generated.RecordAccess;
import dev.belay.json.Json;
import dev.belay.schema.Description;
import dev.belay.schema.shape.Constraints;
import dev.belay.schema.shape.ReflectedType;
import dev.belay.schema.shape.ScalarType;
import dev.belay.schema.shape.Shape;
import dev.belay.schema.shape.ShapeHash;
import dev.belay.schema.shape.ShapeMapper;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Contract A.5 (no description), B.2 (the same schema with and without the processor, but for descriptions), with companions
 * written by hand as the processor writes them; a stale one is ignored.
 */
class CompanionToolsTest {

    record Described(int a, @Description("own words") int b) implements ToolInput<String> {}

    record Silent(int a) implements ToolInput<String> {}

    @Tool(undescribed = true)
    record AllowedSilent(int a) implements ToolInput<String> {}

    @Tool(undescribed = true)
    record Stale(int a) implements ToolInput<String> {}

    record Unseen(int a) implements ToolInput<String> {}

    @Tool(undescribed = true)
    record Unprocessed(int a, @Description("own words") int b) implements ToolInput<String> {}

    static final class Methods {
        @Tool
        int twice(int number) {
            return 2 * number;
        }
    }

    @Test
    void javadocReachesTheModel() {
        var spec = ToolDefinition.of(Described.class).spec();
        assertThat(spec.description()).isEqualTo("From Javadoc.");
        assertThat(spec.inputSchema()).isEqualTo(Json.of("""
                {"type":"object","properties":{"a":{"type":"integer","format":"int32","description":"first"},
                 "b":{"type":"integer","format":"int32","description":"own words"}},
                 "required":["a","b"],"additionalProperties":false}"""));
    }

    @Test
    void theSchemaIsTheSameWithoutTheProcessorButForDescriptions() {
        assertThat(ToolDefinition.of(Described.class).contract().input().withoutAnnotations())
                .isEqualTo(ToolDefinition.of(Unprocessed.class).contract().input().withoutAnnotations());
        assertThat(ToolDefinition.of(Unprocessed.class).spec().inputSchema()).isEqualTo(Json.of("""
                {"type":"object","properties":{"a":{"type":"integer","format":"int32"},
                 "b":{"type":"integer","format":"int32","description":"own words"}},
                 "required":["a","b"],"additionalProperties":false}"""));
    }

    @Test
    void aToolThatTheProcessorSawMustBeDescribed() {
        assertThatThrownBy(() -> ToolDefinition.of(Silent.class))
                .isInstanceOfSatisfying(BelayException.class,
                        e -> assertThat(e.code()).isEqualTo("missing_description"))
                .hasMessageStartingWith("tool silent has no description; ");
        assertThat(ToolDefinition.of(AllowedSilent.class).manifest().description()).isEmpty();
    }

    @Test
    void aToolWithoutProcessorAndDescriptionIsRefusedWithTheAdviceThatHelps() {
        assertThatThrownBy(() -> ToolDefinition.of(Unseen.class))
                .isInstanceOfSatisfying(BelayException.class,
                        e -> assertThat(e.code()).isEqualTo("missing_description"))
                .hasMessageStartingWith(
                        "tool unseen has no description. Javadoc counts only if Belay's annotation processor")
                .hasMessageContaining(
                        "maven-compiler-plugin before 3.5 ignores annotationProcessorPaths; Maven 3.8 takes 3.1"
                                + " unless the build names a version");
    }

    @Test
    void aStaleCompanionIsIgnored() {
        ToolDefinition stale = ToolDefinition.of(Stale.class);
        assertThat(stale.manifest().description()).isEmpty();
        assertThat(stale.spec().inputSchema()).isEqualTo(Json.of("""
                {"type":"object","properties":{"a":{"type":"integer","format":"int32"}},
                 "required":["a"],"additionalProperties":false}"""));
    }

    @Test
    void methodsTakeWordsAndInvokersFromTheCompanion() {
        var methods = ToolMethods.of(new Methods());
        assertThat(methods.definitions().getFirst().spec().description()).isEqualTo("Doubles.");
        assertThat(methods.definitions().getFirst().spec().inputSchema()).isEqualTo(Json.of("""
                {"type":"object","properties":{"number":{"type":"integer","format":"int32",
                 "description":"what"}},"required":["number"],"additionalProperties":false}"""));
        assertThat(ToolCaller.of(methods).call("twice", "{\"number\":2}").text()).isEqualTo("1004");
    }

    static final class StaleMethods {
        @Tool(undescribed = true)
        int twice(int number) {
            return 2 * number;
        }
    }

    @Test
    void aStaleCompanionOfMethodsIsIgnored() {
        var methods = ToolMethods.of(new StaleMethods());
        assertThat(methods.definitions().getFirst().spec().description()).isEmpty();
        assertThat(ToolCaller.of(methods).call("twice", "{\"number\":2}").text()).isEqualTo("4");
    }

    @Test
    void recordsAreMadeByTheCompanion() {
        var caller = ToolCaller.of(StaticToolProvider.builder()
                .tool(Described.class, (in, context) -> in.a() + " " + in.b())
                .build());
        assertThat(caller.call("described", "{\"a\":1,\"b\":2}").text()).isEqualTo("1001 2");
    }

    /** Adds a thousand, so that it shows who made the record. */
    enum DescribedAccess implements RecordAccess {
        INSTANCE;

        @Override
        public Object create(@Nullable Object[] values) {
            return new Described(1000 + (int) Objects.requireNonNull(values[0]),
                    (int) Objects.requireNonNull(values[1]));
        }

        @Override
        public Object get(Object value, int index) {
            return index == 0 ? ((Described) value).a() : ((Described) value).b();
        }
    }

    static Companion.Builder builder(Class<?> tool) {
        return Companion.builder(Companion.FORMAT,
                ShapeHash.of(shape(tool), shape(String.class)));
    }

    static Shape shape(Class<?> type) {
        return ShapeMapper.map(ReflectedType.of(type, ReflectedType.Descriptions.NONE));
    }
}

@SuppressWarnings("unused") // loaded by name
final class CompanionToolsTest_Described__Belay {
    static {
        String name = CompanionToolsTest.Described.class.getName();
        CompanionToolsTest.builder(CompanionToolsTest.Described.class)
                .describe(name, "From Javadoc.")
                .describe(name + "#a", "first")
                .describe(name + "#b", "second")
                .access(CompanionToolsTest.Described.class, CompanionToolsTest.DescribedAccess.INSTANCE)
                .register(CompanionToolsTest.Described.class);
    }

    private CompanionToolsTest_Described__Belay() {}
}

@SuppressWarnings("unused") // loaded by name
final class CompanionToolsTest_Silent__Belay {
    static {
        CompanionToolsTest.builder(CompanionToolsTest.Silent.class).register(CompanionToolsTest.Silent.class);
    }

    private CompanionToolsTest_Silent__Belay() {}
}

@SuppressWarnings("unused") // loaded by name
final class CompanionToolsTest_AllowedSilent__Belay {
    static {
        CompanionToolsTest.builder(CompanionToolsTest.AllowedSilent.class)
                .register(CompanionToolsTest.AllowedSilent.class);
    }

    private CompanionToolsTest_AllowedSilent__Belay() {}
}

@SuppressWarnings("unused") // loaded by name
final class CompanionToolsTest_Stale__Belay {
    static {
        String name = CompanionToolsTest.Stale.class.getName();
        CompanionToolsTest.builder(CompanionToolsTest.Described.class)
                .describe(name, "From old Javadoc.")
                .describe(name + "#a", "first")
                .register(CompanionToolsTest.Stale.class);
    }

    private CompanionToolsTest_Stale__Belay() {}
}

@SuppressWarnings("unused") // loaded by name
final class CompanionToolsTest_Methods__Belay {
    static {
        String name = CompanionToolsTest.Methods.class.getName() + "#twice(int)";
        var number = new Shape.Scalar(ScalarType.INT, Constraints.NONE);
        var input = new Shape.Structure(name, name, "twice",
                List.of(new Shape.Field("number", "int", number, "")),
                "");
        Companion.builder(Companion.FORMAT, ShapeHash.of(input, number))
                .describe("#twice(int)", "Doubles.")
                .describe("#twice(int)#number", "what")
                .method("twice(int)", List.of("number"),
                        (target, arguments) -> 1000 + 2 * (int) arguments[0])
                .register(CompanionToolsTest.Methods.class);
    }

    private CompanionToolsTest_Methods__Belay() {}
}

@SuppressWarnings("unused") // loaded by name
final class CompanionToolsTest_StaleMethods__Belay {
    static {
        Companion.builder(Companion.FORMAT, "0123456789abcdef")
                .describe("#twice(int)", "Doubles.")
                .method("twice(int)", List.of("old"), (target, arguments) -> 0)
                .register(CompanionToolsTest.StaleMethods.class);
    }

    private CompanionToolsTest_StaleMethods__Belay() {}
}

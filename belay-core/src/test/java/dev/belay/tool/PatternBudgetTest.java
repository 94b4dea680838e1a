package dev.belay.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.schema.Pattern;
import dev.belay.schema.Violations;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Contract B.3: the patterns of a typed tool have the bound of its schema. Each text here takes about 3 million steps. */
class PatternBudgetTest {

    record Codes(List<@Pattern("x.{0,2000}y") String> codes) {}

    record Differing(Set<@Pattern("x.{0,2000}y") String> codes) {}

    record Nothing() {}

    private static final String CODE = "x".repeat(1_500) + "y";

    @Test
    void aTypedToolGivesUpWhereItsSchemaDoes() {
        for (Class<?> input : List.of(Codes.class, Differing.class)) {
            ToolDefinition tool = ToolDefinition.typed(input, String.class, "t", "Takes codes.");
            String arguments = codes(10);
            Violations violations = tool.contract().input().validate(Json.of(arguments));

            assertThat(violations.message()).startsWith("/codes/3: ").contains("steps");
            assertThat(call(tool, arguments, "ran").text()).endsWith(violations.message());
            assertThat(call(tool, codes(2), "ran").text()).isEqualTo("ran");
        }
    }

    @Test
    void theTextsOfAnOutputShareOneBound() {
        for (boolean set : new boolean[]{false, true}) {
            ToolDefinition tool = ToolDefinition.typed(Nothing.class, set ? Differing.class : Codes.class,
                    "t",
                    "Gives codes.");
            List<String> many = IntStream.range(0, 10).mapToObj(i -> i + CODE).toList();
            Object output = set ? new Differing(Set.copyOf(many)) : new Codes(many);

            assertThat(call(tool, "{}", output)).isInstanceOfSatisfying(ToolOutcome.Failure.class,
                    failure -> assertThat(failure.failure().message()).contains("too many steps to check"));
        }
    }

    private static ToolOutcome call(ToolDefinition tool, String arguments, Object answer) {
        return ToolCaller.of(StaticToolProvider.of(List.of(tool), call -> answer)).call("t", arguments);
    }

    private static String codes(int count) {
        List<Json> codes = new ArrayList<>();
        IntStream.range(0, count).forEach(i -> codes.add(Json.string(i + CODE)));
        return "{\"codes\":" + Json.array(codes).text() + "}";
    }
}

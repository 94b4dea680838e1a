package dev.belay.tool.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolId;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Contract A.1 (the model calls by name), A.5 (duplicates within one source), D ({@code unknown_tool} and
 * {@code tool_unavailable}).
 */
class AdmissionTest {

    private static ToolDefinition tool(String name) {
        return ToolDefinition.raw(name, "Does.", Json.of("{\"type\":\"object\"}"));
    }

    private static Admission admission(String... names) {
        return Admission.of(Stream.of(names).map(AdmissionTest::tool).toList(), List.of("delete_order"));
    }

    @Test
    void theModelCallsByNameAndNotById() {
        var admission = Admission.of(List.of(tool("find").id("shop/find")), List.of());
        assertThat(admission.find("find").orElseThrow().id()).isEqualTo(new ToolId("shop/find"));
        assertThat(admission.find("shop/find")).isEmpty();
        assertThat(admission.find("FIND")).isEmpty();
    }

    @Test
    void anUnknownNameGetsTheNearestOnes() {
        assertThat(admission("find_orders", "refund").refusal("findOrder")).isEqualTo(
                ToolFailure.ofRuntime(ToolFailure.Kind.INVALID_REQUEST, "unknown_tool",
                        "there is no tool \"findOrder\"; did you mean find_orders?"));
    }

    @Test
    void atMostThreeNearestNamesAreOffered() {
        assertThat(admission("read_a", "read_b", "read_c", "read_d").refusal("read_x").message())
                .isEqualTo("there is no tool \"read_x\"; did you mean read_a or read_b or read_c?");
    }

    @Test
    void aNameLikeNoneGetsAllThatAreAvailable() {
        assertThat(admission("find_orders", "refund").refusal("weather").message())
                .isEqualTo("there is no tool \"weather\"; available: find_orders, refund");
        assertThat(admission().refusal("weather").message())
                .isEqualTo("there is no tool \"weather\"; no tools are available");
    }

    @Test
    void aToolThatExistsButIsNotOfferedIsUnavailable() {
        assertThat(admission("find_orders").refusal("delete_order")).isEqualTo(
                ToolFailure.ofRuntime(ToolFailure.Kind.UNAVAILABLE, "tool_unavailable",
                        "tool delete_order exists but is not available here; available: find_orders"));
    }

    @Test
    void aVeryLongNameIsCut() {
        assertThat(admission("a").refusal("x".repeat(100_000)).message())
                .isEqualTo("there is no tool \"" + "x".repeat(64) + "…\"; available: a");
    }

    @Test
    void whatIsSaidAboutANameCanAlwaysBeWrittenAsJson() {
        String cutInAPair = admission("a").refusal("x".repeat(63) + "\ud83d\ude00" + "y").message();
        assertThat(cutInAPair).isEqualTo("there is no tool \"" + "x".repeat(63) + "…\"; available: a");
        String lone = admission("a").refusal("\ud83d").message();
        assertThat(Json.string(lone).asString())
                .isEqualTo("there is no tool \"?\"; available: a");
    }

    @Test
    void twoToolsOfOneNameAreRefusedNamingBoth() {
        assertThatThrownBy(() -> Admission.of(List.of(tool("find"), tool("find").id("shop/find")), List.of()))
                .isInstanceOfSatisfying(BelayException.class,
                        e -> assertThat(e.code()).isEqualTo("duplicate_tool_name"))
                .hasMessage("tool name \"find\" stands twice: tool:find and shop/find");
    }

    @Test
    void twoToolsOfOneIdAreRefusedNamingBoth() {
        assertThatThrownBy(() -> Admission.of(List.of(tool("find").id("x"), tool("seek").id("x")), List.of()))
                .isInstanceOfSatisfying(BelayException.class,
                        e -> assertThat(e.code()).isEqualTo("duplicate_tool_id"))
                .hasMessage("tool id x stands twice: \"find\" and \"seek\"");
    }

    @Test
    void aLongListOfToolsIsCut() {
        List<ToolDefinition> many = IntStream.range(0, 30)
                .mapToObj(i -> ToolDefinition.raw("tool_" + i, "Does " + i + ".",
                        Json.of("{\"type\":\"object\"}")))
                .toList();
        assertThat(Admission.of(many, List.of()).refusal("quite_different").message())
                .contains("available: tool_0, ")
                .contains("tool_19 and 10 more")
                .doesNotContain("tool_20");
    }
}

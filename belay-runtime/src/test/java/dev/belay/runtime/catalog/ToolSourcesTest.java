package dev.belay.runtime.catalog;

import static dev.belay.runtime.catalog.Samples.source;
import static dev.belay.runtime.catalog.Samples.tool;
import static dev.belay.runtime.catalog.Samples.tools;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolMethods;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.call.PreparedCall;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Contract C.1 and A.5: sources are live, duplicates are loud, only an overlay replaces. */
class ToolSourcesTest {

    private final ToolRegistry registry = new ToolRegistry();

    private List<String> names() {
        return registry.catalog().names();
    }

    private void assertRefused(String code, ThrowingCallable action, String... words) {
        ToolState before = registry.state();
        assertThatThrownBy(action).isInstanceOfSatisfying(BelayException.class, e -> {
            assertThat(e.code()).isEqualTo(code);
            assertThat(e.getMessage()).contains(words);
        });
        assertThat(registry.state()).isEqualTo(before);
    }

    @Test
    void anEmptyRegistryShowsNothingInGenerationZero() {
        assertThat(names()).isEmpty();
        assertThat(registry.generation()).isZero();
        assertThat(registry.list()).isEmpty();
        assertThat(registry.catalog().specs()).isEmpty();
    }

    @Test
    void toolsStandInTheOrderOfTheirSources() {
        registry.add(tools("zebra", "ant"));
        registry.add(tools("bee"));
        assertThat(names()).containsExactly("zebra", "ant", "bee");
    }

    @Test
    void aSourceIsNamedForItsProviderOrAsItsOwnerSays() {
        assertThat(registry.add(tools("a")).source())
                .isEqualTo(new ToolSource(1, "StaticToolProvider", false));
        assertThat(registry.add("mcp github", tools("b")).source())
                .isEqualTo(new ToolSource(2, "mcp github", false));
        assertThat(registry.overlay(tools("c")).source().overlay()).isTrue();
        assertThat(registry.add(anonymous()).source().name()).isEqualTo("ToolSourcesTest$1");
        assertThat(registry.list()).extracting(tool -> ((ListedTool.Live) tool).source().name())
                .containsExactly("StaticToolProvider", "mcp github", "StaticToolProvider",
                        "ToolSourcesTest$1");
    }

    private static ToolProvider anonymous() {
        return new ToolProvider() {
            @Override
            public List<ToolDefinition> definitions() {
                return List.of(tool("anonymous"));
            }

            @Override
            public Object execute(PreparedCall call) {
                return "";
            }
        };
    }

    @Test
    void aWithdrawnSourceTakesItsToolsWithIt() {
        registry.add(tools("a"));
        SourceHandle b = registry.add(tools("b"));
        registry.add(tools("c"));
        b.withdraw();
        assertThat(names()).containsExactly("a", "c");
        assertThat(registry.list()).hasSize(2);
    }

    @Test
    void withdrawingTwiceIsWithdrawingOnce() {
        SourceHandle a = registry.add(tools("a"));
        a.withdraw();
        registry.add(tools("a"));
        long generation = registry.generation();
        a.withdraw();
        assertThat(names()).containsExactly("a");
        assertThat(registry.generation()).isEqualTo(generation);
    }

    @Test
    void aReplacedSourceKeepsItsPlace() {
        SourceHandle a = registry.add(tools("a"));
        registry.add(tools("z"));
        a.replace(tools("b", "a"));
        assertThat(names()).containsExactly("b", "a", "z");
        assertThat(a.source().number()).isEqualTo(1);
    }

    @Test
    void aWithdrawnHandleCannotReplace() {
        SourceHandle a = registry.add("notes", tools("a"));
        a.withdraw();
        assertRefused("source_withdrawn", () -> a.replace(tools("b")), "source 1 (notes)", "was withdrawn");
    }

    @Test
    void theSameNameInTwoSourcesIsRefusedNamingBoth() {
        registry.add("first", source(tool("pay").id("one")));
        assertRefused("duplicate_tool_name", () -> registry.add("second", source(tool("pay").id("two"))),
                "\"pay\"", "one of source 1 (first)", "two of source 2 (second)");
        assertThat(names()).containsExactly("pay");
    }

    @Test
    void theSameIdInTwoSourcesIsRefusedNamingBoth() {
        registry.add("first", source(tool("pay").id("shared")));
        assertRefused("duplicate_tool_id", () -> registry.add("second", source(tool("send").id("shared"))),
                "shared", "\"pay\" of source 1 (first)", "\"send\" of source 2 (second)");
    }

    @Test
    void duplicatesWithinOneSourceAreRefusedNamingBoth() {
        assertRefused("duplicate_tool_name",
                () -> registry.add("sloppy", listing(tool("pay").id("one"), tool("pay").id("two"))),
                "one of source 1 (sloppy)", "two of source 1 (sloppy)");
        assertRefused("duplicate_tool_id",
                () -> registry.add("sloppy", listing(tool("pay").id("x"), tool("send").id("x"))),
                "\"pay\"", "\"send\"");
        ToolDefinition same = tool("same");
        assertRefused("duplicate_tool_name", () -> registry.add("sloppy", listing(same, same)), "\"same\"");
        assertRefused("duplicate_tool_name", () -> registry.overlay("sloppy", listing(same, same)),
                "\"same\"");
        assertThat(registry.list()).isEmpty();
    }

    /** Unlike the provider of core, this one does not look at what it is given. */
    private static ToolProvider listing(ToolDefinition... definitions) {
        return new Samples.Changing(definitions);
    }

    @Test
    void aReplacementThatCollidesLeavesTheOldOne() {
        SourceHandle a = registry.add(tools("a"));
        registry.add(tools("b"));
        assertRefused("duplicate_tool_name", () -> a.replace(tools("c", "b")), "\"b\"");
        assertThat(names()).containsExactly("a", "b");
    }

    @Test
    void anOverlayReplacesByNameAndTakesThePlace() throws Exception {
        registry.add(tools("a", "b", "c"));
        SourceHandle over = registry.overlay(source(tool("b").id("other").description("Better.")));
        assertThat(names()).containsExactly("a", "b", "c");
        assertThat(registry.catalog().find("b").orElseThrow().id().value()).isEqualTo("other");
        over.withdraw();
        assertThat(registry.catalog().find("b").orElseThrow().id().value()).isEqualTo("tool:b");
    }

    @Test
    void anOverlayReplacesByIdToo() {
        registry.add(tools("a", "b", "c"));
        SourceHandle over = registry.overlay(source(tool("renamed").id("tool:b")));
        assertThat(names()).containsExactly("a", "renamed", "c");
        over.withdraw();
        assertThat(names()).containsExactly("a", "b", "c");
    }

    @Test
    void anOverlayMayReplaceTwoToolsByOne() {
        registry.add(tools("a", "b", "c", "d"));
        registry.overlay(source(tool("b").id("tool:d"), tool("e")));
        assertThat(names()).containsExactly("a", "b", "c", "e");
        assertThat(registry.catalog().find("b").orElseThrow().id().value()).isEqualTo("tool:d");
    }

    @Test
    void theLaterOverlayWins() {
        registry.add(tools("a"));
        registry.overlay(source(tool("a").id("one")));
        SourceHandle two = registry.overlay(source(tool("a").id("two")));
        assertThat(registry.catalog().find("a").orElseThrow().id().value()).isEqualTo("two");
        two.withdraw();
        assertThat(registry.catalog().find("a").orElseThrow().id().value()).isEqualTo("one");
    }

    @Test
    void aSourceAfterAnOverlayCollidesWithIt() {
        registry.overlay("over", tools("a"));
        assertRefused("duplicate_tool_name", () -> registry.add("late", tools("a")), "source 1 (over)",
                "source 2 (late)");
    }

    @Test
    void whatAnOverlayHidesCannotBeTakenByAnother() {
        registry.add("base", tools("a"));
        registry.overlay("over", source(tool("b").id("tool:a")));
        assertRefused("duplicate_tool_name", () -> registry.add("late", source(tool("a").id("new"))),
                "source 1 (base)");
    }

    @Test
    void aSourceBelowAnOverlayMayBeReplaced() {
        SourceHandle base = registry.add(tools("a"));
        registry.overlay(source(tool("a").id("over")));
        base.replace(tools("a", "b"));
        assertThat(names()).containsExactly("a", "b");
        assertThat(registry.catalog().find("a").orElseThrow().id().value()).isEqualTo("over");
    }

    @Test
    void anOverlayReplacesNothingOfLaterSources() {
        SourceHandle over = registry.overlay("over", tools("a"));
        registry.add("late", tools("b"));
        assertRefused("duplicate_tool_name", () -> over.replace(tools("b")), "source 2 (late)",
                "source 1 (over)");
    }

    @Test
    void aProviderThatCannotSayWhatItHasIsRefused() {
        var broken = new Samples.Changing();
        broken.fail(new IllegalStateException("no connection"));
        assertRefused("source_unreadable", () -> registry.add("mcp", broken), "source 1 (mcp)",
                "no connection");
        SourceHandle fine = registry.add("fine", tools("a"));
        assertRefused("source_unreadable", () -> fine.replace(broken), "(fine)", "no connection");
        assertThat(names()).containsExactly("a");
    }

    @Test
    void aProviderThatReturnsNullIsRefused() {
        assertRefused("source_unreadable", () -> registry.add(new NullProvider()), "null");
        assertRefused("source_unreadable",
                () -> registry.add(new Samples.Changing(new ArrayList<>(Arrays.asList(tool("a"), null)))),
                "NullPointerException");
    }

    private static final class NullProvider implements ToolProvider {
        @Override
        @SuppressWarnings("NullAway")
        public List<ToolDefinition> definitions() {
            return null;
        }

        @Override
        public Object execute(PreparedCall call) {
            return "";
        }
    }

    @Test
    @SuppressWarnings("NullAway")
    void nullsAndBlankNamesAreRefused() {
        assertThatThrownBy(() -> registry.add(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> registry.add("x", null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> registry.add(null, tools("a"))).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> registry.add(" ", tools("a"))).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("blank");
        assertThatThrownBy(() -> ToolRegistry.below(null)).isInstanceOf(NullPointerException.class);
        SourceHandle a = registry.add(tools("a"));
        assertThatThrownBy(() -> a.replace(null)).isInstanceOf(NullPointerException.class);
        assertThat(names()).containsExactly("a");
    }

    @Test
    void fiveThousandToolsAreNoTrouble() {
        registry.add(tools(IntStream.range(0, 5_000).mapToObj(i -> "tool_" + i).toArray(String[]::new)));
        SourceHandle over = registry.overlay(
                tools(IntStream.range(0, 5_000).mapToObj(i -> "tool_" + (4_999 - i)).toArray(String[]::new)));
        assertThat(names()).hasSize(5_000).startsWith("tool_0", "tool_1").endsWith("tool_4999");
        assertThat(registry.catalog().specs()).hasSize(5_000);
        over.withdraw();
        registry.applyState(registry.state());
        assertThat(ToolState.of(registry.state().toJson())).isEqualTo(registry.state());
        assertThat(registry.setMembership(names(), false).changes()).hasSize(5_000);
        assertThat(names()).isEmpty();
    }

    static class Oslo {
        @Tool(undescribed = true)
        String weather() {
            return "snow";
        }
    }

    static class Rome {
        @Tool(undescribed = true)
        String weather() {
            return "sun";
        }
    }

    @Test
    void sourcesOfDuplicateToolMethodsAreNamedByTheirClasses() {
        var registry = new ToolRegistry();
        registry.add(ToolMethods.of(new Oslo()));
        assertThatThrownBy(() -> registry.add(ToolMethods.of(new Rome()))).hasMessageContaining(
                "of source 1 (" + Oslo.class.getName() + ") and tool:weather of source 2 ("
                        + Rome.class.getName() + ")");
    }
}

package dev.belay.runtime.catalog;

import static dev.belay.runtime.catalog.Samples.logged;
import static dev.belay.runtime.catalog.Samples.source;
import static dev.belay.runtime.catalog.Samples.standing;
import static dev.belay.runtime.catalog.Samples.tool;
import static dev.belay.runtime.catalog.Samples.tools;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.runtime.catalog.Samples.Changing;
import dev.belay.runtime.catalog.Samples.Logged;
import dev.belay.tool.SimpleTool;
import dev.belay.tool.SimpleToolRegistry;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.call.PreparedCall;
import dev.belay.tool.context.Suspended;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Sources that change by themselves, and sources that break. */
class ChangingSourceTest {

    private final ToolRegistry registry = new ToolRegistry();

    private List<String> names() {
        return registry.catalog().names();
    }

    @Test
    void aChangeIsNoticedAtTheNextLookAndAddsOne() {
        Changing source = Changing.ofNames("a");
        registry.add(source);
        source.setNames("a", "b");
        assertThat(registry.generation()).isEqualTo(2);
        assertThat(names()).containsExactly("a", "b");
        assertThat(registry.generation()).isEqualTo(2);
    }

    @Test
    void everyLookNoticesIt() {
        Changing source = Changing.ofNames();
        registry.add(source);
        source.setNames("a");
        assertThat(registry.list()).hasSize(1);
        source.setNames("a", "b");
        assertThat(registry.state().tools()).hasSize(2);
        source.setNames("a", "b", "c");
        assertThat(registry.resolve(List.of("c"), Membership.ABSENT).changes()).hasSize(1);
        source.setNames("a", "b", "c", "d");
        registry.setMembership(List.of("d"), false);
        assertThat(standing(registry, "d")).isEqualTo(ListedTool.Standing.REMOVED);
    }

    @Test
    void aChangeOfTheSameListIsNoticed() {
        List<ToolDefinition> list = new ArrayList<>(List.of(tool("a")));
        registry.add(new Changing(list));
        list.add(tool("b"));
        assertThat(names()).containsExactly("a", "b");
        list.set(0, tool("c"));
        assertThat(names()).containsExactly("c", "b");
    }

    @Test
    void otherWordsForTheSameToolAreNoticed() {
        ToolDefinition a = tool("a");
        Changing source = new Changing(a);
        registry.add(source);
        source.set(a.description("Other words."));
        assertThat(registry.generation()).isEqualTo(2);
        assertThat(registry.catalog().specs().getFirst().description()).isEqualTo("Other words.");
    }

    @Test
    void aCopyOfTheSameToolsIsNoChange() {
        SimpleToolRegistry simple = new SimpleToolRegistry().register(new Echo("one"));
        registry.add(simple);
        ToolCatalog before = registry.catalog();
        assertThat(simple.definitions()).isNotSameAs(simple.definitions());
        assertThat(registry.catalog()).isSameAs(before);
        simple.register(new Echo("two"));
        assertThat(names()).containsExactly("one", "two");
    }

    private record Echo(String name) implements SimpleTool {
        @Override
        public String description() {
            return "Says something.";
        }

        @Override
        public String invoke(Json arguments) {
            return name;
        }
    }

    @Test
    void toolsMadeAnewAtEveryLookAddNone() {
        var asked = new AtomicInteger();
        registry.add(new ToolProvider() {
            @Override
            public List<ToolDefinition> definitions() {
                asked.incrementAndGet();
                return List.of(tool("a"), tool("b"));
            }

            @Override
            public Object execute(PreparedCall call) {
                return "";
            }
        });
        List<?> specs = registry.catalog().specs();
        for (int i = 0; i < 10; i++) {
            assertThat(registry.catalog().specs()).isSameAs(specs);
        }
        assertThat(registry.generation()).isEqualTo(1);
        assertThat(asked.get()).isGreaterThan(10);
    }

    @Test
    void aSourceThatSaysSomethingElseEachTimeIsBelievedEachTime() {
        var asked = new AtomicInteger();
        registry.add(tools("steady"));
        registry.add(new ToolProvider() {
            @Override
            public List<ToolDefinition> definitions() {
                return List.of(tool("tool_" + asked.incrementAndGet()));
            }

            @Override
            public Object execute(PreparedCall call) {
                return "";
            }
        });
        for (int i = 0; i < 100; i++) {
            ToolCatalog catalog = registry.catalog();
            assertThat(catalog.names()).hasSize(2).startsWith("steady");
            assertThat(catalog.specs()).hasSize(2);
            assertThat(catalog.generation()).isEqualTo(i + 3L);
        }
        assertThat(registry.list()).hasSize(2);
    }

    @Test
    void aNewcomerThatCollidesIsLeftOutWithAWarning() throws Exception {
        Changing first = Changing.ofNames("a");
        registry.add("first", first);
        registry.add("second", source(tool("b").description("The one that stands.")));
        first.setNames("a", "b", "c");
        Logged<List<String>> look = logged(this::names);
        assertThat(look.result()).containsExactly("a", "c", "b");
        assertThat(look.log()).contains("\"b\" stands twice", "tool:b of source 2 (second)",
                "tool:b of source 1 (first)", "left out");
        assertThat(registry.catalog().find("b").orElseThrow().manifest().description())
                .isEqualTo("The one that stands.");
        assertThat(logged(this::names).log()).isEmpty();
        assertThat(logged(() -> registry.add(tools("d"))).log()).as("told once").isEmpty();
        assertThat(names()).containsExactly("a", "c", "b", "d");
    }

    @Test
    void aNewcomerWithATakenIdIsLeftOutToo() throws Exception {
        Changing source = Changing.ofNames("a");
        registry.add(source);
        registry.add(tools("b"));
        source.set(tool("a"), tool("other").id("tool:b"));
        assertThat(logged(this::names).log()).contains("tool id tool:b stands twice");
        assertThat(names()).containsExactly("a", "b");
    }

    @Test
    void aNewcomerComesInWhenTheOtherGoes() {
        Changing first = Changing.ofNames("a");
        registry.add(first);
        SourceHandle second = registry.add(tools("b"));
        first.setNames("a", "b");
        assertThat(names()).containsExactly("a", "b");
        long generation = registry.generation();
        second.withdraw();
        assertThat(names()).containsExactly("a", "b");
        assertThat(((ListedTool.Live) registry.list().get(1)).source().number()).isEqualTo(1);
        assertThat(registry.generation()).as("the same is shown").isEqualTo(generation);
    }

    @Test
    void duplicatesThatASourceBringsLaterAreLeftOut() throws Exception {
        Changing source = Changing.ofNames("a");
        registry.add(source);
        source.set(tool("a"), tool("b"), tool("b").id("second"), tool("c").id("tool:a"));
        Logged<List<String>> look = logged(this::names);
        assertThat(look.result()).containsExactly("a", "b");
        assertThat(look.log()).contains("tool:b of source 1", "second of source 1", "tool id tool:a");
        assertThat(registry.catalog().find("b").orElseThrow().id().value()).isEqualTo("tool:b");
    }

    @Test
    void manyCollisionsAreToldInAFewLines() throws Exception {
        Changing source = Changing.ofNames();
        registry.add(source);
        String[] many = IntStream.range(0, 500).mapToObj(i -> "t" + i).toArray(String[]::new);
        registry.add(tools(many));
        source.setNames(many);
        assertThat(logged(this::names).log().lines()).hasSize(11)
                .last()
                .asString()
                .contains("490 more tools are left out");
    }

    @Test
    void whatAnOverlayBringsLaterReplaces() throws Exception {
        registry.add(tools("a", "b"));
        Changing over = Changing.ofNames("a");
        registry.overlay(over);
        over.set(tool("a"), tool("b").id("better"));
        assertThat(logged(this::names).log()).isEmpty();
        assertThat(registry.catalog().find("b").orElseThrow().id().value()).isEqualTo("better");
    }

    @Test
    void whatASourceBringsLaterUnderAnOverlayStaysUnderIt() {
        Changing base = Changing.ofNames("a");
        registry.add(base);
        registry.overlay(source(tool("b").id("over")));
        base.setNames("a", "b");
        assertThat(registry.catalog().find("b").orElseThrow().id().value()).isEqualTo("over");
    }

    @Test
    void aFailingSourceKeepsWhatItHadAndBreaksNobody() throws Exception {
        Changing source = Changing.ofNames("a");
        registry.add("mcp", source);
        registry.add(tools("b"));
        long generation = registry.generation();
        source.fail(new IllegalStateException("connection lost"));
        Logged<List<String>> look = logged(this::names);
        assertThat(look.result()).containsExactly("a", "b");
        assertThat(look.log()).contains("source 1 (mcp)", "kept", "connection lost");
        assertThat(registry.generation()).isEqualTo(generation);
        assertThat(logged(this::names).log()).as("told once").isEmpty();
        Changing another = Changing.ofNames();
        registry.add(another);
        another.setNames("c");
        assertThat(logged(this::names).log()).as("told once, whatever others do").isEmpty();
        assertThat(names()).containsExactly("a", "b", "c");
        source.setNames("d");
        assertThat(names()).containsExactly("d", "b", "c");
        source.fail(new IllegalStateException("again"));
        assertThat(logged(this::names).log()).as("told anew after it worked").contains("again");
    }

    @Test
    void aSourceThatRecoversUnchangedMayFailAnew() throws Exception {
        Changing source = Changing.ofNames("a");
        registry.add(source);
        List<ToolDefinition> same = source.definitions();
        source.fail(new IllegalStateException("first"));
        assertThat(logged(this::names).log()).contains("first");
        source.set(same.getFirst());
        assertThat(logged(this::names).log()).isEmpty();
        source.fail(new IllegalStateException("second"));
        assertThat(logged(this::names).log()).contains("second");
    }

    @Test
    void whateverASourceThrowsIsContained() throws Exception {
        Changing source = Changing.ofNames("a");
        registry.add(source);
        for (Throwable thrown : List.of(new StackOverflowError(), new NoClassDefFoundError("gone"),
                new IOException("checked"), new AssertionError("surprise"))) {
            source.fail(thrown);
            assertThat(logged(this::names).result()).containsExactly("a");
            source.setNames("a");
            assertThat(names()).containsExactly("a");
        }
    }

    @Test
    void onlyABrokenMachineAndAWaitingScopeGoThrough() {
        Changing source = Changing.ofNames("a");
        registry.add(source);
        source.fail(Suspended.INSTANCE);
        assertThatThrownBy(this::names).isSameAs(Suspended.INSTANCE);
        source.fail(new InternalError("broken"));
        assertThatThrownBy(this::names).isInstanceOf(InternalError.class);
        source.setNames("b");
        assertThat(names()).containsExactly("b");
    }

    @Test
    void aToolThatIsGoneForAWhileStandsWhereItStood() {
        Changing source = Changing.ofNames("a", "b");
        registry.add(source);
        registry.setMembership(List.of("a"), false);
        source.setNames("b");
        assertThat(standing(registry, "a")).isEqualTo(ListedTool.Standing.ORPHAN);
        source.setNames("a", "b");
        assertThat(standing(registry, "a")).isEqualTo(ListedTool.Standing.REMOVED);
        assertThat(names()).containsExactly("b");
    }
}

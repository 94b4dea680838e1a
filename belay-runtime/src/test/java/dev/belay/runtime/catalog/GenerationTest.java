package dev.belay.runtime.catalog;

import static dev.belay.runtime.catalog.Samples.internal;
import static dev.belay.runtime.catalog.Samples.nonResident;
import static dev.belay.runtime.catalog.Samples.source;
import static dev.belay.runtime.catalog.Samples.tool;
import static dev.belay.runtime.catalog.Samples.tools;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.model.ToolSpec;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.option.Timeouts;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Contract C.3 to C.5: each change of what is shown adds one, nothing else adds any, and lists are stable to the byte. */
class GenerationTest {

    private final ToolRegistry registry = new ToolRegistry();
    private final SourceHandle source = registry.add(tools("b", "a"));

    private void assertAdds(int expected, Runnable change) {
        long before = registry.generation();
        List<ToolSpec> specs = registry.catalog().specs();
        change.run();
        assertThat(registry.generation()).isEqualTo(before + expected);
        if (expected == 0) {
            assertThat(registry.catalog().specs()).isSameAs(specs);
        } else {
            assertThat(registry.catalog().specs()).isNotSameAs(specs);
        }
    }

    @Test
    void addingTheFirstToolsMakesGenerationOne() {
        assertThat(registry.generation()).isEqualTo(1);
    }

    @Test
    void addingAndWithdrawingASourceAddsOneEach() {
        assertAdds(1, () -> registry.add(tools("c", "d")));
        SourceHandle e = registry.add(tools("e"));
        assertAdds(1, e::withdraw);
    }

    @Test
    void aSourceWithNothingToShowAddsNone() {
        assertAdds(0, () -> registry.add(tools()));
        assertAdds(0, () -> registry.add(source(internal("i"), nonResident("n"))));
        SourceHandle hidden = registry.add(source(internal("j")));
        assertAdds(0, hidden::withdraw);
    }

    @Test
    void membershipAddsOneHoweverManyToolsChange() {
        assertAdds(1, () -> registry.setMembership(List.of("a", "b"), false));
        assertAdds(1, () -> registry.resetMembership(List.of("a", "b")));
    }

    @Test
    void aDecisionThatChangesNothingVisibleAddsNone() {
        assertAdds(0, () -> registry.setMembership(List.of("a"), true));
        assertAdds(0, () -> registry.setMembership(List.of("nobody"), true));
        registry.setMembership(List.of("a"), false);
        assertAdds(0, () -> registry.setMembership(List.of("a"), false));
        registry.add(source(nonResident("n"), internal("i")));
        assertAdds(0, () -> registry.setMembership(List.of("n"), false));
        assertAdds(0, () -> registry.setMembership(List.of("i"), true));
        assertAdds(0, () -> registry.apply(List.of()));
    }

    @Test
    void anotherOrderAddsOne() {
        assertAdds(1, () -> source.replace(tools("a", "b")));
    }

    @Test
    void anotherDescriptionAddsOne() {
        assertAdds(1, () -> source.replace(source(tool("b"), tool("a").description("Other words."))));
    }

    @Test
    void anotherNameOrIdAddsOne() {
        assertAdds(1, () -> source.replace(source(tool("b"), tool("renamed").id("tool:a"))));
        assertAdds(1, () -> source.replace(source(tool("b"), tool("renamed").id("new"))));
    }

    @Test
    void anotherMeaningAddsOne() {
        assertAdds(1, () -> source.replace(source(tool("b"), tool("a").effect(ToolEffect.READ))));
        assertAdds(1, () -> source.replace(source(tool("b"), tool("a").version(2))));
    }

    @Test
    void anotherWordInASchemaAddsOne() {
        source.replace(source(withSchema("{\"type\":\"object\",\"description\":\"one\"}")));
        assertAdds(1,
                () -> source.replace(source(withSchema("{\"type\":\"object\",\"description\":\"two\"}"))));
    }

    @Test
    void anotherByteInASchemaAddsOne() {
        source.replace(source(withSchema("{\"type\":\"object\"}")));
        assertAdds(1, () -> source.replace(source(withSchema("{\"type\": \"object\"}"))));
    }

    private static ToolDefinition withSchema(String schema) {
        return ToolDefinition.raw("s", "Has a schema.", Json.of(schema));
    }

    @Test
    void theSameToolsMadeAnewAddNone() {
        assertAdds(0, () -> source.replace(tools("b", "a")));
    }

    @Test
    void whatAModelDoesNotSeeAddsNone() {
        assertAdds(0, () -> source.replace(source(tool("b").title("B").tags(List.of("x")),
                tool("a").timeouts(new Timeouts(Duration.ofSeconds(3), null)))));
    }

    @Test
    void whatIsRefusedAddsNone() {
        assertAdds(0, () -> assertThatThrownBy(() -> registry.add(tools("a")))
                .isInstanceOf(BelayException.class));
        assertAdds(0, () -> assertThatThrownBy(() -> registry.applyState(
                new ToolState(99, registry.state().surface(), List.of())))
                .isInstanceOf(BelayException.class));
    }

    @Test
    void anOverlayThatShowsTheSameAddsNone() {
        assertAdds(0, () -> registry.overlay(tools("a")));
        assertAdds(1, () -> registry.overlay(source(tool("a").description("Better."))));
    }

    @Test
    void readingChangesNothing() {
        ToolCatalog before = registry.catalog();
        ToolState state = registry.state();
        registry.list();
        registry.resolve(List.of("a", "nobody"), Membership.ABSENT);
        registry.catalog().prompt();
        registry.catalog().without(Set.of("a"));
        registry.catalog().provider().definitions();
        assertThat(registry.catalog()).isSameAs(before);
        assertThat(registry.state()).isEqualTo(state);
    }

    @Test
    void listsKeepTheirOrderAndPromptsAreSorted() {
        registry.add(tools("Z", "c"));
        assertThat(registry.catalog().specs()).extracting(ToolSpec::name).containsExactly("b", "a", "Z", "c");
        assertThat(registry.catalog().prompt()).extracting(ToolSpec::name)
                .containsExactly("Z", "a", "b", "c");
        assertThat(registry.catalog().names()).containsExactly("b", "a", "Z", "c");
        assertThat(registry.catalog().fingerprints().keySet()).extracting(id -> id.value())
                .containsExactly("tool:b", "tool:a", "tool:Z", "tool:c");
    }

    @Test
    void listsAreTheSameObjectsWithinAGeneration() {
        ToolCatalog before = registry.catalog();
        List<ToolSpec> prompt = before.prompt();
        var fingerprints = before.fingerprints();
        List<ToolSpec> specs = before.specs();
        registry.add(source(internal("i")));
        assertThat(registry.catalog()).isNotSameAs(before);
        assertThat(registry.catalog().prompt()).isSameAs(prompt);
        assertThat(registry.catalog().specs()).isSameAs(specs);
        assertThat(registry.catalog().fingerprints()).isSameAs(fingerprints);
    }

    @Test
    void listsCannotBeChanged() {
        ToolCatalog catalog = registry.catalog();
        assertThat(catalog.specs()).isUnmodifiable();
        assertThat(catalog.prompt()).isUnmodifiable();
        assertThat(catalog.names()).isUnmodifiable();
        assertThat(catalog.fingerprints()).isUnmodifiable();
        assertThat(catalog.provider().definitions()).isUnmodifiable();
    }
}

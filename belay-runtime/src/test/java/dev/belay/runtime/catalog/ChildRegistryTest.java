package dev.belay.runtime.catalog;

import static dev.belay.runtime.catalog.Samples.internal;
import static dev.belay.runtime.catalog.Samples.logged;
import static dev.belay.runtime.catalog.Samples.nonResident;
import static dev.belay.runtime.catalog.Samples.source;
import static dev.belay.runtime.catalog.Samples.standing;
import static dev.belay.runtime.catalog.Samples.tool;
import static dev.belay.runtime.catalog.Samples.tools;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.runtime.catalog.Samples.Changing;
import dev.belay.runtime.catalog.Samples.Logged;
import dev.belay.tool.ToolId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A registry below another: what it sees, and what it keeps to itself. */
class ChildRegistryTest {

    private final ToolRegistry parent = new ToolRegistry();
    private final SourceHandle above = parent.add("above",
            source(tool("p"), tool("q"), nonResident("rare"), internal("i")));
    private final ToolRegistry child = ToolRegistry.below(parent);

    @Test
    void aNewChildIsInGenerationZero() {
        assertThat(child.generation()).isZero();
        assertThat(child.catalog().names()).containsExactly("p", "q");
    }

    @Test
    void theToolsAboveComeFirst() {
        child.add("own", tools("a"));
        parent.add("late", tools("z"));
        assertThat(child.catalog().names()).containsExactly("p", "q", "z", "a");
        assertThat(parent.catalog().names()).containsExactly("p", "q", "z");
    }

    @Test
    void changesAboveAreFollowed() {
        above.replace(tools("p", "new"));
        assertThat(child.catalog().names()).containsExactly("p", "new");
        assertThat(child.generation()).isEqualTo(1);
        above.withdraw();
        assertThat(child.catalog().names()).isEmpty();
        assertThat(child.generation()).isEqualTo(2);
    }

    @Test
    void aSourceAboveThatChangesByItselfIsFollowed() {
        Changing source = Changing.ofNames("x");
        parent.add(source);
        source.setNames("x", "y");
        assertThat(child.catalog().names()).containsExactly("p", "q", "x", "y");
    }

    @Test
    void anInvisibleChangeAboveAddsNone() {
        var specs = child.catalog().specs();
        parent.add(source(internal("hidden")));
        assertThat(child.generation()).isZero();
        assertThat(child.catalog().specs()).isSameAs(specs);
        assertThat(child.catalog().provider().definitions()).hasSize(5);
    }

    @Test
    void membershipHereStaysHere() {
        ToolRegistry sibling = ToolRegistry.below(parent);
        child.setMembership(List.of("p"), false);
        child.setMembership(List.of("rare"), true);
        assertThat(child.catalog().names()).containsExactly("q", "rare");
        assertThat(parent.catalog().names()).containsExactly("p", "q");
        assertThat(sibling.catalog().names()).containsExactly("p", "q");
        assertThat(parent.generation()).isEqualTo(1);
    }

    @Test
    void aDecisionAboveIsTheDefaultHere() {
        parent.setMembership(List.of("p"), false);
        parent.setMembership(List.of("rare"), true);
        assertThat(child.catalog().names()).containsExactly("q", "rare");
        assertThat(standing(child, "p")).isEqualTo(ListedTool.Standing.REMOVED);
        child.setMembership(List.of("p"), true);
        child.setMembership(List.of("rare"), false);
        assertThat(child.catalog().names()).containsExactly("p", "q");
        child.resetMembership(List.of("p", "rare"));
        assertThat(child.catalog().names()).containsExactly("q", "rare");
        parent.resetMembership(List.of("p", "rare"));
        assertThat(child.catalog().names()).containsExactly("p", "q");
    }

    @Test
    void aDecisionFarAboveIsTheDefaultToo() {
        ToolRegistry grandchild = ToolRegistry.below(child);
        parent.setMembership(List.of("p"), false);
        assertThat(grandchild.catalog().names()).containsExactly("q");
        child.setMembership(List.of("p"), true);
        assertThat(grandchild.catalog().names()).containsExactly("p", "q");
    }

    @Test
    void decisionsAboveAreNotInTheStateHere() {
        parent.setMembership(List.of("p"), false);
        assertThat(child.state().tools()).allMatch(entry -> entry.membership() == Membership.DEFAULT);
    }

    @Test
    void aCollisionWithAToolAboveIsRefusedHere() {
        assertThatThrownBy(() -> child.add("own", tools("a", "p"))).isInstanceOfSatisfying(
                BelayException.class, e -> {
                    assertThat(e.code()).isEqualTo("duplicate_tool_name");
                    assertThat(e.getMessage()).contains("source 1 (above)", "source 2 (own)");
                });
        assertThat(child.catalog().names()).containsExactly("p", "q");
    }

    @Test
    void anOverlayHereReplacesAToolAboveHereOnly() {
        SourceHandle over = child.overlay(source(tool("p").id("mine")));
        assertThat(child.catalog().find("p").orElseThrow().id().value()).isEqualTo("mine");
        assertThat(child.catalog().names()).containsExactly("p", "q");
        assertThat(parent.catalog().find("p").orElseThrow().id().value()).isEqualTo("tool:p");
        over.withdraw();
        assertThat(child.catalog().find("p").orElseThrow().id().value()).isEqualTo("tool:p");
    }

    @Test
    void aToolThatComesAboveLaterYieldsToTheOneHere() throws Exception {
        child.add("own", source(tool("x").description("Mine.")));
        parent.add("late", tools("x", "y"));
        Logged<List<String>> look = logged(() -> child.catalog().names());
        assertThat(look.result()).containsExactly("p", "q", "y", "x");
        assertThat(look.log()).contains("source 2 (own)", "source 3 (late)", "left out");
        assertThat(child.catalog().find("x").orElseThrow().manifest().description()).isEqualTo("Mine.");
        assertThat(parent.catalog().names()).containsExactly("p", "q", "x", "y");
        assertThat(ToolRegistry.below(parent).catalog().names()).containsExactly("p", "q", "x", "y");
    }

    @Test
    void aFailingSourceAboveIsToldOnce() throws Exception {
        Changing source = Changing.ofNames("x");
        parent.add(source);
        assertThat(child.catalog().names()).contains("x");
        source.fail(new IllegalStateException("lost"));
        Logged<List<String>> look = logged(() -> {
            child.catalog();
            parent.catalog();
            return child.catalog().names();
        });
        assertThat(look.result()).contains("x");
        assertThat(look.log().lines().filter(line -> line.contains("cannot say"))).hasSize(1);
    }

    @Test
    void stateIsTheChildsOwn() {
        child.setMembership(List.of("p"), false);
        ToolState saved = child.state();
        ToolRegistry restarted = ToolRegistry.below(parent);
        assertThat(restarted.restoreState(saved)).isEqualTo(new RestoreReport(List.of(), List.of()));
        assertThat(restarted.state()).isEqualTo(saved);
        assertThat(restarted.generation()).isEqualTo(1);
    }

    @Test
    void aToolThatGoesAboveIsAnOrphanHereIfItWasDecidedUpon() {
        child.setMembership(List.of("p"), false);
        above.withdraw();
        assertThat(standing(child, "p")).isEqualTo(ListedTool.Standing.ORPHAN);
        parent.add(tools("p", "q"));
        assertThat(child.catalog().names()).containsExactly("q");
    }

    @Test
    void applyStateLeavesTheDefaultOfAboveAlone() {
        parent.setMembership(List.of("p"), false);
        ToolState state = child.state();
        child.applyState(new ToolState(state.generation(), state.surface(),
                state.tools().stream().filter(entry -> !entry.id().equals(new ToolId("tool:p"))).toList()));
        assertThat(Samples.listed(child, "p").membership()).isEqualTo(Membership.DEFAULT);
    }

    @Test
    void numbersOfSourcesAreUniqueAboveAndBelow() {
        assertThat(child.add(tools("a")).source().number()).isEqualTo(2);
        assertThat(ToolRegistry.below(parent).add(tools("a")).source().number()).isEqualTo(3);
        assertThat(parent.add(tools("b")).source().number()).isEqualTo(4);
    }
}

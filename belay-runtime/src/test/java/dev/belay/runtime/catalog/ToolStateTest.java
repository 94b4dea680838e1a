package dev.belay.runtime.catalog;

import static dev.belay.runtime.catalog.Samples.internal;
import static dev.belay.runtime.catalog.Samples.listed;
import static dev.belay.runtime.catalog.Samples.nonResident;
import static dev.belay.runtime.catalog.Samples.source;
import static dev.belay.runtime.catalog.Samples.standing;
import static dev.belay.runtime.catalog.Samples.tool;
import static dev.belay.runtime.catalog.Samples.tools;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.catalog.ListedTool.Standing;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolId;
import dev.belay.tool.option.Visibility;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Contract C.3: edits under a generation, cold resume, orphans. */
class ToolStateTest {

    private final ToolRegistry registry = new ToolRegistry();
    private final SourceHandle source = registry
            .add(source(tool("a"), tool("b"), nonResident("rare"), internal("audit")));

    private static ToolId id(String name) {
        return ToolId.ofName(name);
    }

    private static void assertRefused(String code, ToolRegistry registry, ThrowingCallable action,
            String... words) {
        ToolState before = registry.state();
        ToolCatalog catalog = registry.catalog();
        assertThatThrownBy(action).isInstanceOfSatisfying(BelayException.class, e -> {
            assertThat(e.code()).isEqualTo(code);
            assertThat(e.getMessage()).contains(words);
        });
        assertThat(registry.state()).isEqualTo(before);
        assertThat(registry.catalog()).isSameAs(catalog);
    }

    @Test
    void aStateSaysWhatIsThereAndWhatWasDecided() {
        registry.setMembership(List.of("a"), false);
        registry.setMembership(List.of("rare"), true);
        ToolState state = registry.state();
        assertThat(state.generation()).isEqualTo(registry.generation()).isEqualTo(3);
        assertThat(state.tools()).extracting(ToolState.Entry::id)
                .containsExactly(id("a"), id("b"), id("rare"), id("audit"));
        assertThat(state.tools()).extracting(ToolState.Entry::membership)
                .containsExactly(Membership.ABSENT, Membership.DEFAULT, Membership.PRESENT,
                        Membership.DEFAULT);
        assertThat(state.find(id("rare")).orElseThrow().tool()).isEqualTo(
                new ToolSummary("rare", "Does rare.", tool("rare").manifest().effect(), Visibility.MODEL,
                        false,
                        nonResident("rare").fingerprint()));
        assertThat(state.find(id("nobody"))).isEmpty();
    }

    @Test
    void anAppliedStateIsTheTruth() {
        registry.applyState(
                registry.state().with(id("a"), Membership.ABSENT).with(id("rare"), Membership.PRESENT));
        assertThat(registry.catalog().names()).containsExactly("b", "rare");
        assertThat(registry.generation()).isEqualTo(2);
    }

    @Test
    void anAppliedStateTakesDecisionsBackToo() {
        registry.setMembership(List.of("a", "b"), false);
        registry.applyState(registry.state().with(id("a"), Membership.DEFAULT));
        assertThat(registry.catalog().names()).containsExactly("a");
        assertThat(listed(registry, "a").membership()).isEqualTo(Membership.DEFAULT);
    }

    @Test
    void applyingWhatIsTrueAlreadyAddsNone() {
        registry.setMembership(List.of("a"), false);
        ToolCatalog before = registry.catalog();
        registry.applyState(registry.state());
        assertThat(registry.catalog()).isSameAs(before);
        registry.applyState(registry.state().with(id("b"), Membership.PRESENT));
        assertThat(registry.generation()).isEqualTo(before.generation());
    }

    @Test
    void aStateOfAnotherGenerationIsRefusedWithBothNumbers() {
        ToolState old = registry.state();
        registry.setMembership(List.of("a"), false);
        assertRefused("generation_mismatch", registry, () -> registry.applyState(old),
                "expected generation 2",
                "actual 1");
        ToolState future = new ToolState(7, old.surface(), old.tools());
        assertRefused("generation_mismatch", registry, () -> registry.applyState(future),
                "expected generation 2", "actual 7");
    }

    @Test
    void aChangeOfASourceMakesAStateOld() {
        var changing = Samples.Changing.ofNames("c");
        registry.add(changing);
        ToolState old = registry.state();
        changing.setNames("c", "d");
        assertThatThrownBy(() -> registry.applyState(old)).hasMessageContaining("expected generation 3");
    }

    @Test
    void aLiveToolThatIsNotMentionedIsNoMember() {
        ToolState state = registry.state();
        registry.applyState(new ToolState(1, state.surface(),
                state.tools().stream().filter(entry -> !entry.id().equals(id("a"))).toList()));
        assertThat(registry.catalog().names()).containsExactly("b");
        assertThat(standing(registry, "a")).isEqualTo(Standing.REMOVED);
        assertThat(registry.generation()).isEqualTo(2);
    }

    @Test
    void aNonResidentToolThatIsNotMentionedLosesItsGrant() {
        registry.setMembership(List.of("rare"), true);
        ToolState state = registry.state();
        registry.applyState(new ToolState(2, state.surface(), state.tools().subList(0, 2)));
        assertThat(standing(registry, "rare")).isEqualTo(Standing.NOT_RESIDENT);
        assertThat(listed(registry, "rare").membership()).isEqualTo(Membership.DEFAULT);
    }

    @Test
    void aToolThatIsNeitherLiveNorAnOrphanIsRefusedByItsId() {
        ToolState state = registry.state();
        var ghost = new ToolState.Entry(new ToolId("ghost"), ToolSummary.of(tool("ghost")),
                Membership.PRESENT,
                false);
        var next = new ToolState(1, state.surface(),
                List.of(ghost, state.with(id("a"), Membership.ABSENT).tools().getFirst()));
        assertRefused("unknown_tool", registry, () -> registry.applyState(next), "[ghost]");
    }

    @Test
    void anAppliedStateMayDeclareOrphans() {
        ToolState state = registry.state();
        var orphan = new ToolState.Entry(new ToolId("ghost"), null, Membership.ABSENT, true);
        var all = new ArrayList<>(state.tools());
        all.add(orphan);
        registry.applyState(new ToolState(1, state.surface(), all));
        assertThat(registry.state().tools()).endsWith(orphan);
        assertThat(registry.generation()).isEqualTo(1);
        registry.applyState(state);
        assertThat(registry.state()).isEqualTo(state);
    }

    @Test
    void anOrphanOfTheStateThatIsLiveIsLive() {
        ToolState state = registry.state();
        registry.applyState(new ToolState(1, state.surface(), state.tools()
                .stream()
                .map(entry -> new ToolState.Entry(entry.id(), null, Membership.DEFAULT, true))
                .toList()));
        assertThat(registry.state()).isEqualTo(state);
    }

    @Test
    void theLiveManifestWinsOverAnAppliedOne() {
        ToolState state = registry.state();
        registry.applyState(new ToolState(1, state.surface(), state.tools()
                .stream()
                .map(entry -> new ToolState.Entry(entry.id(), ToolSummary.of(tool("lie")), entry.membership(),
                        false))
                .toList()));
        assertThat(registry.state()).isEqualTo(state);
    }

    private ToolRegistry restarted(ToolState saved, String... names) {
        var next = new ToolRegistry();
        next.add(tools(names));
        next.restoreState(saved);
        return next;
    }

    @Test
    void aRestoredRegistryIsAsItWas() {
        registry.setMembership(List.of("a"), false);
        registry.setMembership(List.of("rare"), true);
        ToolState saved = ToolState.of(registry.state().toJson());
        var next = new ToolRegistry();
        next.add(source(tool("a"), tool("b"), nonResident("rare"), internal("audit")));
        assertThat(next.restoreState(saved)).isEqualTo(new RestoreReport(List.of(), List.of()));
        assertThat(next.state()).isEqualTo(saved);
        assertThat(next.generation()).isEqualTo(3);
        assertThat(next.catalog().names()).containsExactly("b", "rare");
    }

    @Test
    void theGenerationIsAdoptedAndOneMoreIfSomethingElseIsShown() {
        registry.setMembership(List.of("rare"), true);
        registry.setMembership(List.of("rare"), false);
        registry.resetMembership(List.of("rare"));
        ToolState saved = registry.state();
        assertThat(saved.generation()).isEqualTo(3);
        assertThat(restarted(saved, "a", "b").generation()).isEqualTo(3);
        assertThat(restarted(saved, "b", "a").generation()).isEqualTo(4);
        assertThat(restarted(saved, "a").generation()).isEqualTo(4);
        assertThat(restarted(saved, "a", "b", "c").generation()).isEqualTo(4);
        var reworded = new ToolRegistry();
        reworded.add(source(tool("a"), tool("b").description("Other words.")));
        reworded.restoreState(saved);
        assertThat(reworded.generation()).isEqualTo(4);
    }

    @Test
    void anotherByteInASchemaIsSomethingElse() {
        var before = new ToolRegistry();
        before.add(source(ToolDefinition.raw("s", "S.", Json.of(
                "{\"type\":\"object\",\"description\":\"one\"}"))));
        var after = new ToolRegistry();
        after.add(source(ToolDefinition.raw("s", "S.", Json.of(
                "{\"type\":\"object\",\"description\":\"two\"}"))));
        after.restoreState(before.state());
        assertThat(after.generation()).isEqualTo(2);
    }

    @Test
    void toolsWhoseSourceIsMissingAreOrphansAndNoMembers() {
        registry.setMembership(List.of("rare"), true);
        var next = new ToolRegistry();
        next.add(tools("b"));
        RestoreReport report = next.restoreState(registry.state());
        assertThat(report.orphans()).containsExactly(id("a"), id("rare"), id("audit"));
        assertThat(report.rebound()).isEmpty();
        assertThat(next.catalog().names()).containsExactly("b");
        assertThat(standing(next, "a")).isEqualTo(Standing.ORPHAN);
        assertThat(next.state().tools()).extracting(ToolState.Entry::id, ToolState.Entry::orphaned)
                .containsExactly(tuple(id("b"), false),
                        tuple(id("a"), true),
                        tuple(id("rare"), true),
                        tuple(id("audit"), true));
    }

    @Test
    void orphansRebindWhenTheirSourceReturns() {
        registry.setMembership(List.of("a"), false);
        registry.setMembership(List.of("rare"), true);
        var next = new ToolRegistry();
        next.restoreState(registry.state());
        assertThat(next.list()).allMatch(tool -> tool.standing() == Standing.ORPHAN);
        next.add(source(tool("a"), tool("b"), nonResident("rare"), internal("audit"), tool("new")));
        assertThat(next.catalog().names()).containsExactly("b", "rare", "new");
        assertThat(next.list()).noneMatch(tool -> tool.standing() == Standing.ORPHAN);
    }

    @Test
    void theReportSaysWhatHasASourceAgain() {
        registry.setMembership(List.of("a"), false);
        var without = new ToolRegistry();
        without.restoreState(registry.state());
        ToolState saved = without.state();
        assertThat(saved.tools()).allMatch(ToolState.Entry::orphaned);
        var next = new ToolRegistry();
        next.add(tools("a", "new"));
        RestoreReport report = next.restoreState(saved);
        assertThat(report.rebound()).containsExactly(id("a"));
        assertThat(report.orphans()).containsExactly(id("b"), id("rare"), id("audit"));
        assertThat(next.catalog().names()).containsExactly("new");
    }

    @Test
    void theLiveManifestWinsOverASavedOne() {
        registry.setMembership(List.of("a"), false);
        var next = new ToolRegistry();
        next.add(source(tool("renamed").id("tool:a").description("New words."), internal("b")));
        next.restoreState(registry.state());
        assertThat(standing(next, "renamed")).isEqualTo(Standing.REMOVED);
        assertThat(standing(next, "b")).isEqualTo(Standing.INTERNAL);
        assertThat(next.state().find(id("a")).orElseThrow().tool()).extracting("description")
                .isEqualTo("New words.");
    }

    @Test
    void toolsThatAreNewHaveTheirDefault() {
        var next = new ToolRegistry();
        next.add(source(tool("a"), tool("b"), tool("new"), nonResident("new_rare")));
        next.restoreState(registry.state());
        assertThat(next.catalog().names()).containsExactly("a", "b", "new");
    }

    @Test
    void whatWasDecidedBeforeARestoreDoesNotCount() {
        ToolState saved = registry.state();
        registry.setMembership(List.of("a"), false);
        registry.apply(List.of(new MembershipChange(new ToolId("ghost"), Membership.ABSENT)));
        registry.restoreState(saved);
        assertThat(registry.state()).isEqualTo(saved);
    }

    @Test
    void restoringTwiceIsRestoringOnce() {
        ToolState saved = registry.state();
        var next = new ToolRegistry();
        next.add(tools("b"));
        RestoreReport first = next.restoreState(saved);
        ToolState once = next.state();
        assertThat(next.restoreState(saved)).isEqualTo(first);
        assertThat(next.state()).isEqualTo(once);
    }

    @Test
    void anOrphanSurvivesTheNextRestartToo() {
        registry.setMembership(List.of("a"), false);
        ToolState saved = registry.state();
        for (int i = 0; i < 3; i++) {
            var next = new ToolRegistry();
            next.restoreState(saved);
            saved = ToolState.of(next.state().toJson());
        }
        var last = new ToolRegistry();
        last.add(tools("a", "b"));
        last.restoreState(saved);
        assertThat(last.catalog().names()).containsExactly("b");
    }

    @Test
    void theGenerationGoesOnFromWhereItWas() {
        ToolRegistry next = restarted(new ToolState(41, registry.state().surface(), List.of()), "a", "b");
        assertThat(next.generation()).isEqualTo(41);
        next.setMembership(List.of("a"), false);
        assertThat(next.generation()).isEqualTo(42);
    }

    @Test
    void aWithdrawnSourceLeavesTheCatalogOfASavedStateAlone() {
        ToolState saved = registry.state();
        source.withdraw();
        assertThat(registry.restoreState(saved).orphans()).hasSize(4);
        registry.add(source(tool("a"), tool("b"), nonResident("rare"), internal("audit")));
        assertThat(registry.state().tools()).isEqualTo(saved.tools());
        assertThat(registry.state().surface()).isEqualTo(saved.surface());
    }

    @Test
    @SuppressWarnings("NullAway")
    void nullsAreRefused() {
        assertThatThrownBy(() -> registry.applyState(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> registry.restoreState(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> new ToolState(0, null, List.of())).isInstanceOf(NullPointerException.class);
    }
}

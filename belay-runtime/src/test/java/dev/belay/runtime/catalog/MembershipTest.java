package dev.belay.runtime.catalog;

import static dev.belay.runtime.catalog.ListedTool.Standing.INTERNAL;
import static dev.belay.runtime.catalog.ListedTool.Standing.MEMBER;
import static dev.belay.runtime.catalog.ListedTool.Standing.NOT_RESIDENT;
import static dev.belay.runtime.catalog.ListedTool.Standing.ORPHAN;
import static dev.belay.runtime.catalog.ListedTool.Standing.REMOVED;
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
import dev.belay.tool.ToolId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract C.2, C.4 and C.6: who is in the catalog, and who is not. */
class MembershipTest {

    private final ToolRegistry registry = new ToolRegistry();
    private SourceHandle source;

    @BeforeEach
    void addTools() {
        source = registry.add("sample",
                source(tool("read"), tool("write"), internal("audit"), nonResident("rare")));
    }

    private List<String> names() {
        return registry.catalog().names();
    }

    @Test
    void membersAreAllButInternalAndNonResidentTools() {
        assertThat(names()).containsExactly("read", "write");
    }

    @Test
    void theListSaysOfEveryToolWhyItIsNoMember() {
        registry.setMembership(List.of("write"), false);
        assertThat(registry.list()).extracting(ListedTool::name, ListedTool::standing, ListedTool::isMember)
                .containsExactly(tuple("read", MEMBER, true),
                        tuple("write", REMOVED, false),
                        tuple("audit", INTERNAL, false),
                        tuple("rare", NOT_RESIDENT, false));
        source.withdraw();
        assertThat(registry.list()).singleElement()
                .isInstanceOfSatisfying(ListedTool.Orphan.class, orphan -> {
                    assertThat(orphan.standing()).isEqualTo(ORPHAN);
                    assertThat(orphan.isMember()).isFalse();
                    assertThat(orphan.name()).isEqualTo("write");
                });
    }

    @Test
    void theListGivesManifestAndSource() {
        assertThat(registry.list().getFirst()).isInstanceOfSatisfying(ListedTool.Live.class, live -> {
            assertThat(live.manifest().description()).isEqualTo("Does read.");
            assertThat(live.source()).isEqualTo(source.source());
            assertThat(live.membership()).isEqualTo(Membership.DEFAULT);
            assertThat(live.id()).isEqualTo(new ToolId("tool:read"));
        });
    }

    @Test
    void aRemovedToolIsNotCallableAndComesBackAtItsPlace() {
        registry.setMembership(List.of("read"), false);
        assertThat(names()).containsExactly("write");
        assertThat(registry.catalog().find("read")).isEmpty();
        assertThat(registry.catalog().offers(tool("read").manifest())).isFalse();
        registry.setMembership(List.of("read"), true);
        assertThat(names()).containsExactly("read", "write");
        assertThat(registry.catalog().offers(tool("read").manifest())).isTrue();
    }

    @Test
    void aNonResidentToolIsAMemberWhenGranted() {
        registry.setMembership(List.of("rare"), true);
        assertThat(names()).containsExactly("read", "write", "rare");
        registry.resetMembership(List.of("rare"));
        assertThat(names()).containsExactly("read", "write");
        assertThat(standing(registry, "rare")).isEqualTo(NOT_RESIDENT);
    }

    @Test
    void aNonResidentToolThatIsRemovedSaysSo() {
        registry.setMembership(List.of("rare"), false);
        assertThat(standing(registry, "rare")).isEqualTo(REMOVED);
    }

    @Test
    void resetTakesARemovalBack() {
        registry.setMembership(List.of("read", "write"), false);
        registry.resetMembership(List.of("read"));
        assertThat(names()).containsExactly("read");
    }

    @Test
    void anInternalToolNeverBecomesAMember() {
        MembershipChanges answer = registry.setMembership(List.of("audit", "rare"), true);
        assertThat(answer.internal()).containsExactly("audit");
        assertThat(answer.changes())
                .containsExactly(new MembershipChange(new ToolId("tool:rare"), Membership.PRESENT));
        registry.apply(List.of(new MembershipChange(new ToolId("tool:audit"), Membership.PRESENT)));
        assertThat(names()).containsExactly("read", "write", "rare");
        assertThat(standing(registry, "audit")).isEqualTo(INTERNAL);
        assertThat(registry.catalog().offers(internal("audit").manifest())).isFalse();
    }

    @Test
    void anUnknownNameIsAnAnswerAndTheOthersCount() {
        MembershipChanges answer = registry.setMembership(List.of("reed", "read", ""), false);
        assertThat(answer.notFound()).containsExactly("reed", "");
        assertThat(answer.changes())
                .containsExactly(new MembershipChange(new ToolId("tool:read"), Membership.ABSENT));
        assertThat(names()).containsExactly("write");
        assertThat(registry.resetMembership(List.of("reed")).notFound()).containsExactly("reed");
        assertThat(registry.setMembership(List.of(), true)).isEqualTo(
                new MembershipChanges(List.of(), List.of(), List.of()));
    }

    @Test
    void aNameThatIsSaidTwiceIsOneChange() {
        MembershipChanges answer = registry.setMembership(List.of("read", "read", "no", "no"), false);
        assertThat(answer.changes()).hasSize(1);
        assertThat(answer.notFound()).containsExactly("no");
    }

    @Test
    void resolvingChangesNothing() {
        ToolState before = registry.state();
        MembershipChanges answer = registry.resolve(List.of("read"), Membership.ABSENT);
        assertThat(registry.state()).isEqualTo(before);
        registry.apply(answer.changes());
        assertThat(names()).containsExactly("write");
    }

    @Test
    void changesAreAppliedInOrder() {
        var read = new ToolId("tool:read");
        registry.apply(List.of(new MembershipChange(read, Membership.ABSENT),
                new MembershipChange(read, Membership.PRESENT)));
        assertThat(names()).containsExactly("read", "write");
        registry.apply(List.of(new MembershipChange(read, Membership.PRESENT),
                new MembershipChange(read, Membership.ABSENT)));
        assertThat(names()).containsExactly("write");
        registry.apply(List.of(new MembershipChange(read, Membership.PRESENT),
                new MembershipChange(read, Membership.DEFAULT)));
        assertThat(listed(registry, "read").membership()).isEqualTo(Membership.DEFAULT);
    }

    @Test
    void membershipBelongsToTheIdAndNotToTheName() {
        registry.setMembership(List.of("read"), false);
        source.replace(source(tool("renamed").id("tool:read"), tool("read").id("another")));
        assertThat(names()).containsExactly("read");
        assertThat(registry.catalog().find("read").orElseThrow().id().value()).isEqualTo("another");
        assertThat(standing(registry, "renamed")).isEqualTo(REMOVED);
    }

    @Test
    void aRemovedToolIsNotBackBecauseItsSourceWasRestarted() {
        registry.setMembership(List.of("read"), false);
        source.withdraw();
        assertThat(registry.list()).hasSize(1);
        registry.add(tools("read", "write"));
        assertThat(names()).containsExactly("write");
        assertThat(standing(registry, "read")).isEqualTo(REMOVED);
    }

    @Test
    void aToolThatGoesAndWasNotDecidedUponIsForgotten() {
        source.withdraw();
        assertThat(registry.list()).isEmpty();
        assertThat(registry.state().tools()).isEmpty();
    }

    @Test
    void aLiveToolGoesBeforeAnOrphanOfTheSameName() {
        registry.setMembership(List.of("read"), false);
        source.replace(source(tool("read").id("another")));
        assertThat(registry.setMembership(List.of("read"), true).changes())
                .containsExactly(new MembershipChange(new ToolId("another"), Membership.PRESENT));
    }

    @Test
    void anOrphanCanBeDecidedUponAndForgotten() {
        registry.setMembership(List.of("read"), false);
        source.withdraw();
        assertThat(registry.setMembership(List.of("read"), true).changes()).hasSize(1);
        assertThat(listed(registry, "read").membership()).isEqualTo(Membership.PRESENT);
        assertThat(((ListedTool.Orphan) listed(registry, "read")).lastSeen()).isNotNull();
        registry.resetMembership(List.of("read"));
        assertThat(registry.list()).isEmpty();
    }

    @Test
    void aDecisionAboutAToolThatWasNeverSeenWaitsForIt() {
        var later = new ToolId("tool:later");
        registry.apply(List.of(new MembershipChange(later, Membership.ABSENT)));
        assertThat(registry.list()).hasSize(5);
        assertThat(registry.list().getLast())
                .isEqualTo(new ListedTool.Orphan(later, null, Membership.ABSENT));
        assertThat(registry.list().getLast().name()).isEqualTo("tool:later");
        registry.add(tools("later"));
        assertThat(standing(registry, "later")).isEqualTo(REMOVED);
        registry.apply(List.of(new MembershipChange(new ToolId("nobody"), Membership.DEFAULT)));
        assertThat(registry.list()).hasSize(5);
    }

    @Test
    void aDecisionThatWasTakenBackIsNotKept() {
        registry.setMembership(List.of("read"), false);
        registry.resetMembership(List.of("read"));
        source.withdraw();
        assertThat(registry.list()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Membership.class)
    void aChangeIsReadAsItWasWritten(Membership membership) {
        var change = new MembershipChange(new ToolId("tool:a \"quoted\""), membership);
        assertThat(MembershipChange.of(change.toJson())).isEqualTo(change);
    }

    @Test
    void theFormOfAChangeIsPinned() {
        assertThat(new MembershipChange(new ToolId("tool:a"), Membership.ABSENT).toJson().text())
                .isEqualTo("{\"id\":\"tool:a\",\"membership\":\"ABSENT\"}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[]", "null", "{\"id\":\"a\"}", "{\"membership\":\"ABSENT\"}",
        "{\"id\":\" \",\"membership\":\"ABSENT\"}", "{\"id\":1,\"membership\":\"ABSENT\"}",
        "{\"id\":\"a\",\"membership\":\"absent\"}", "{\"id\":\"a\",\"membership\":null}"})
    void whatIsNoChangeIsSaidToBeNone(String text) {
        assertThatThrownBy(() -> MembershipChange.of(Json.of(text))).isInstanceOfSatisfying(
                BelayException.class, e -> assertThat(e.code()).isEqualTo("tool_state_corrupt"));
    }

    @Test
    @SuppressWarnings("NullAway")
    void nullsAreRefusedAndChangeNothing() {
        ToolState before = registry.state();
        List<String> withNull = new ArrayList<>(Arrays.asList("read", null));
        assertThatThrownBy(() -> registry.setMembership(withNull, false))
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> registry.setMembership(null, false))
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> registry.resolve(List.of(), null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> registry.apply(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> new MembershipChange(new ToolId("a"), null))
                .isInstanceOf(NullPointerException.class);
        assertThat(registry.state()).isEqualTo(before);
    }
}

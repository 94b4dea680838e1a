package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.catalog.Membership;
import dev.belay.runtime.catalog.MembershipChanges;
import dev.belay.runtime.catalog.SourceHandle;
import dev.belay.runtime.catalog.ToolState;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolId;
import dev.belay.tool.option.Visibility;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Contract C on a session: what is decided about its tools, when it counts, and what is kept. */
class SessionToolsTest {

    private final SessionBench bench = new SessionBench();

    @AfterEach
    void close() {
        bench.close();
    }

    private static StaticToolProvider tools(String... names) {
        var builder = StaticToolProvider.builder();
        for (String name : names) {
            builder.raw(tool(name, ToolEffect.READ), (arguments, context) -> name + " ran");
        }
        return builder.build();
    }

    /** Says what it is offered. */
    private static Model telling() {
        return model(
                request -> text(String.valueOf(request.tools().stream().map(tool -> tool.name()).toList())));
    }

    @Test
    void aDecisionCountsFromTheNextQuestionAndForThisSessionOnly() throws Exception {
        Belay belay = bench.open(telling(), builder -> builder.tools(tools("one", "two")));
        Session session = belay.session("s");
        assertThat(session.turn("?").run().ended().text()).isEqualTo("[one, two]");
        MembershipChanges changes = session.tools().setMembership(List.of("one", "three"), false);
        assertThat(changes.notFound()).containsExactly("three");
        assertThat(session.tools().catalog().names()).containsExactly("two");
        assertThat(session.turn("?").run().ended().text()).isEqualTo("[two]");
        assertThat(session.turn("?").run().ended().text()).as("kept with the turn").isEqualTo("[two]");
        assertThat(belay.session("other").turn("?").run().ended().text()).isEqualTo("[one, two]");
        session.tools().resetMembership(List.of("one"));
        assertThat(session.turn("?").run().ended().text()).isEqualTo("[one, two]");
    }

    @Test
    void whatWasDecidedIsThereAfterARestart() throws Exception {
        Belay one = bench.open(telling(), builder -> builder.tools(tools("one", "two")));
        one.session("s").tools().setMembership(List.of("one"), false);
        one.close();
        Belay two = bench.open(telling(), builder -> builder.tools(tools("one", "two")));
        assertThat(two.session("s").turn("?").run().ended().text()).isEqualTo("[two]");
        two.close();
        Belay three = bench.open(telling(), builder -> builder.tools(tools("one", "two")));
        assertThat(three.session("s").turn("?").run().ended().text()).isEqualTo("[two]");
    }

    @Test
    void aToolWhoseSourceIsMissingIsUnavailableAndNotUnknown() throws Exception {
        Belay one = bench.open(telling(), builder -> builder.tools(tools("one", "two")));
        one.session("s").tools().setMembership(List.of("one"), true);
        one.session("s").turn("?").run();
        one.close();
        Belay two = bench.open(SessionBench.calling(List.of(call("a", "one"), call("b", "none")), List.of()),
                builder -> builder.tools(tools("two")));
        two.session("s").turn("Go.").run();
        assertThat(two.session("s").calls(2)).extracting(made -> made.outcome().orElseThrow().text())
                .containsExactly(
                        "Error (tool_unavailable): tool one exists but is not available here; available: two",
                        "Error (unknown_tool): there is no tool \"none\"; available: two");
    }

    @Test
    void membershipIsTheGateOfExecution() throws Exception {
        Belay belay = bench.open(model(request -> SessionBench.roundsSinceUser(request) == 0
                ? calls(List.of(call("a", "one")))
                : text(SessionBench.lastReplies(request))), builder -> builder.tools(tools("one")));
        belay.session("s").tools().setMembership(List.of("one"), false);
        assertThat(belay.session("s").turn("?").run().ended().text()).startsWith("Error (tool_unavailable)");
    }

    @Test
    void internalToolsAreNeverOfferedAndOthersOnlyWhenGranted() throws Exception {
        var tools = StaticToolProvider.builder()
                .raw(tool("open", ToolEffect.READ), (arguments, context) -> "")
                .raw(tool("inside", ToolEffect.READ).visibility(Visibility.INTERNAL),
                        (arguments, context) -> "")
                .raw(tool("distant", ToolEffect.READ).resident(false), (arguments, context) -> "")
                .build();
        Belay belay = bench.open(telling(), builder -> builder.tools(tools));
        Session session = belay.session("s");
        assertThat(session.turn("?").run().ended().text()).isEqualTo("[open, search_tools]");
        assertThat(session.tools().setMembership(List.of("inside", "distant"), true).internal())
                .containsExactly("inside");
        assertThat(session.turn("?").run().ended().text()).isEqualTo("[open, distant]");
    }

    @Test
    void sourcesOfTheRuntimeMayComeAndGoBetweenQuestions() throws Exception {
        Belay belay = bench.open(telling(), builder -> builder.tools(tools("one")));
        SourceHandle handle = belay.tools().add(tools("two"));
        assertThat(belay.session("s").turn("?").run().ended().text()).isEqualTo("[one, two]");
        handle.replace(tools("three"));
        assertThat(belay.session("s").turn("?").run().ended().text()).isEqualTo("[one, three]");
        handle.withdraw();
        assertThat(belay.session("s").turn("?").run().ended().text()).isEqualTo("[one]");
    }

    @Test
    void aSessionMayHaveSourcesOfItsOwn() throws Exception {
        Belay belay = bench.open(telling(), builder -> builder.tools(tools("one")));
        belay.session("s").tools().add(tools("mine"));
        assertThat(belay.session("s").turn("?").run().ended().text()).isEqualTo("[one, mine]");
        assertThat(belay.session("other").turn("?").run().ended().text()).isEqualTo("[one]");
    }

    @Test
    void aToolThatIsMissingAfterARestartComesBackAsItWas() throws Exception {
        Belay one = bench.open(telling(), builder -> builder.tools(tools("one", "two", "three")));
        one.session("s").tools().setMembership(List.of("two"), false);
        one.session("s").turn("?").run();
        one.close();
        Belay two = bench.open(telling(), builder -> builder.tools(tools("one")));
        assertThat(two.session("s").turn("?").run().ended().text()).isEqualTo("[one]");
        two.tools().add(tools("two", "three"));
        assertThat(two.session("s").turn("?").run().ended().text()).isEqualTo("[one, three]");
    }

    @Test
    void applyStateDemandsTheGenerationItWasMadeFor() throws Exception {
        Belay belay = bench.open(telling(), builder -> builder.tools(tools("one", "two")));
        Session session = belay.session("s");
        session.turn("?").run();
        ToolState state = session.admin().tools().state();
        session.admin().tools().applyState(state.with(new ToolId("tool:one"), Membership.ABSENT));
        assertThat(session.turn("?").run().ended().text()).isEqualTo("[two]");
        assertThatThrownBy(() -> session.admin().tools().applyState(state))
                .isInstanceOfSatisfying(BelayException.class,
                        e -> assertThat(e.code()).isEqualTo("generation_mismatch"));
        assertThat(session.turn("?").run().ended().text()).isEqualTo("[two]");
    }

    @Test
    void restoredStateIsLaidOverWhatIsLiveWhateverItsGeneration() throws Exception {
        Belay belay = bench.open(telling(), builder -> builder.tools(tools("one", "two")));
        Session session = belay.session("s");
        session.turn("?").run();
        ToolState saved = session.admin().tools().state().with(new ToolId("tool:one"), Membership.ABSENT);
        session.tools().setMembership(List.of("two"), false);
        assertThat(session.turn("?").run().ended().text()).isEqualTo("[one]");
        session.admin().tools().restoreState(saved);
        assertThat(session.turn("?").run().ended().text()).isEqualTo("[two]");
    }

    @Test
    void aToolThatFailsChangesNothing() throws Exception {
        var tools = StaticToolProvider.builder()
                .raw(tool("hide", ToolEffect.READ), (arguments, context) -> {
                    ((SessionToolContext) context).sessions().setToolMembership(List.of("other"), false);
                    throw new IllegalStateException("after all");
                })
                .raw(tool("other", ToolEffect.READ), (arguments, context) -> "")
                .build();
        Belay belay = bench.open(model(request -> SessionBench.roundsSinceUser(request) == 0
                ? calls(List.of(call("a", "hide")))
                : text(String.valueOf(request.tools().stream().map(one -> one.name()).toList()))),
                builder -> builder.tools(tools));
        assertThat(belay.session("s").turn("?").run().ended().text()).isEqualTo("[hide, other]");
    }
}

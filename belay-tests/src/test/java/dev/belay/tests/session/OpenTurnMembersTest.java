package dev.belay.tests.session;

import static dev.belay.tests.session.Desk.LOOK;
import static dev.belay.tests.session.Desk.PAY;
import static dev.belay.tests.session.Desk.TOOLS;
import static dev.belay.tests.session.SessionBench.model;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.tests.session.DeskTools.Ask;
import dev.belay.tests.session.DeskTools.Look;
import dev.belay.tests.session.DeskTools.Pay;
import dev.belay.tool.StaticToolProvider;
import dev.belay.toolset.Round;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Contract C.2 in loops that programs own: the session's members gate the tools of a set. */
class OpenTurnMembersTest {

    private final SessionBench bench = new SessionBench();
    private final Desk desk = new Desk();
    private final List<List<String>> offered = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        bench.close();
    }

    private Belay open() {
        var tools = StaticToolProvider.builder()
                .tool(Look.class, (in, context) -> "seen")
                .tool(Pay.class, (in, context) -> "paid")
                .tool(Ask.class, (in, context) -> "asked")
                .build();
        Model calling = SessionBench.calling(List.of(LOOK, PAY));
        return bench.open(model(request -> {
            offered.add(request.tools().stream().map(tool -> tool.name()).toList());
            return calling.complete(request);
        }), builder -> builder.tools(tools));
    }

    @Test
    void aToolThatIsNoMemberIsNeitherOfferedNorRun() throws Exception {
        Belay belay = open();
        belay.session("s").tools().setMembership(List.of("pay"), false);
        try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
            Round<DeskTools> round = Desk.round(turn);
            assertThat(offered).containsExactly(List.of("look", "ask", "lock"));
            assertThat(round.calls()).extracting(call -> call.input()).containsExactly(new Look("sky"));
            assertThat(round.issues()).extracting(issue -> issue.failure().code())
                    .containsExactly("tool_unavailable");
            desk.commit(round);
            assertThat(desk.loop(turn)).isEqualTo(
                    "done: saw sky, Error (tool_unavailable): tool pay exists but is not a member of this session");
        }
        assertThat(desk.ran).containsExactly("look sky");
    }

    @Test
    void membersAndToolsThatTheSessionDoesNotKnowAreOffered() throws Exception {
        Belay belay = open();
        try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
            desk.loop(turn);
        }
        assertThat(offered.getFirst()).containsExactly("look", "pay", "ask", "lock");
        assertThat(desk.ran).hasSize(2);
    }

    @Test
    void aDemandThatTheSessionDoesNotAllowIsRefusedBeforeAnyRequest() throws Exception {
        Belay belay = open();
        belay.session("s").tools().setMembership(List.of("pay"), false);
        try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
            assertThatThrownBy(() -> turn.step().tools(TOOLS).require(Pay.class).run())
                    .isInstanceOfSatisfying(BelayException.class,
                            e -> assertThat(e.code()).isEqualTo("invalid_tool_constraints"))
                    .hasMessageEndingWith("members are [look, ask, lock]");
            assertThat(offered).isEmpty();
        }
    }
}

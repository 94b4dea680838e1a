package dev.belay.tests.snippets;

import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.lastReplies;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.roundsSinceUser;
import static dev.belay.tests.session.SessionBench.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.store.memory.SharedMemory;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The code of {@code docs/agents.md} does what the page says. */
class AgentSnippetsTest {

    private static final Model QUICK = model(request -> roundsSinceUser(request) == 0
            ? calls(List.of(new CallPart("c", "ask_lawyer", "{\"question\":\"Must I pay?\"}")))
            : text("The lawyer says: " + lastReplies(request)));
    private static final Model CAREFUL = model(request -> text("Yes. ("
            + ((Message.SystemMessage) request.messages().getFirst()).text() + " " + request.tools().size()
            + " tool)"));

    @Test
    void theProgramOfThePageDelegatesAndGivesAway() throws Exception {
        var memory = new SharedMemory();
        try (Belay belay = AgentSnippets.open(QUICK, CAREFUL, memory.open())) {
            AgentSnippets.use(belay);
            assertThat(belay.session("order-7").messages().getLast())
                    .isInstanceOfSatisfying(Message.AssistantMessage.class, said -> assertThat(said.text())
                            .isEqualTo("The lawyer says: Yes. (You know the law. Name the statute. 1 tool)"));
            assertThat(belay.session("order-7").agent()).isEqualTo("lawyer");
            AgentSnippets.instruct(belay.session("case-7"));
            assertThat(belay.session("case-7").messages().getLast())
                    .isInstanceOfSatisfying(Message.AssistantMessage.class,
                            said -> assertThat(said.text()).isEqualTo("Yes. (Answer in rhymes. 1 tool)"));
            AgentSnippets.report(belay);
            assertThat(belay.waitingFor()).isEmpty();
            assertThat(AgentSnippets.statute(belay, "7")).isEqualTo("BGB 433: pay what you owe");
            AgentSnippets.close(belay.session("case-7"));
            assertThat(belay.session("case-7").labels()).containsEntry("team", "billing");
        }
    }

    @Test
    void theLimitedRuntimeOfThePageAnswersTheSessionsOfItsCustomerOnly() throws Exception {
        var memory = new SharedMemory();
        Model model = model(request -> text("done"));
        try (Belay one = AgentSnippets.forOneCustomer(model, memory.open(), "one")) {
            try (Belay two = AgentSnippets.forOneCustomer(model, memory.open(), "two")) {
                assertThat(two.health().sessions()).isNotEmpty();
                assertThat(one.session("one-orders").turn("Go.").run().ended().text()).isEqualTo("done");
                assertThat(one.session("two-claims").turn("Go.").run().ended().text())
                        .as("accepted here, answered there")
                        .isEqualTo("done");
            }
            InputHandle left = one.session("two-orders").turn("Go.").submit();
            one.session("one-claims").turn("Go.").run();
            assertThat(left.result()).isEmpty();
            assertThat(one.session("two-orders").head().orElseThrow().revision()).isZero();
        }
    }
}

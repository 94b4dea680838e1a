package dev.belay.tests.snippets;

import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.dispatch.DurableCalls;
import dev.belay.runtime.session.ChildSession;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.runtime.session.TurnSettings;
import dev.belay.runtime.store.Store;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolEffect;
import java.util.List;
import java.util.Map;

/** The code of {@code docs/agents.md}. */
final class AgentSnippets {

    private AgentSnippets() {}

    static final class Desk {
        @Tool(effect = ToolEffect.READ, undescribed = true)
        String invoice(String number) {
            return "invoice " + number + ": 40 EUR";
        }
    }

    // region delegate
    static final class Counsel {
        @Tool(effect = ToolEffect.IDEMPOTENT, undescribed = true)
        String askLawyer(String question, SessionToolContext context) throws InterruptedException {
            ChildSession lawyer = context.sessions().create("counsel", "lawyer"); // the same after a restart
            String answer = lawyer.turn("question", question).await().answer();
            lawyer.close("answered");
            return answer;
        }
    }
    // endregion

    static final class Statutes {
        @Tool(effect = ToolEffect.READ, undescribed = true)
        String statute(String name) {
            return name + ": pay what you owe";
        }
    }

    // region define
    static Belay open(Model quick, Model careful, Store store) {
        return Belay.builder()
                .store(store)
                .model(quick) // this builder defines the agent "default"
                .toolMethods(new Desk())
                .toolMethods(new Counsel())
                .agent("lawyer", a -> a.model(careful)
                        .instructions("You know the law. Name the statute.")
                        .toolMethods(new Statutes()))
                .build();
    }
    // endregion

    // region sessions
    static void use(Belay belay) throws InterruptedException {
        belay.session("order-7").turn("What do I owe?").run(); // new: of the agent "default"
        belay.agent("lawyer").session("case-7").turn("Must I pay?").run(); // agent_mismatch if it is of another one
        belay.session("case-7").turn("And if I do not?").run(); // opens any session, with the agent it has
        belay.session("order-7").config().agent("lawyer"); // from its next turn on
    }
    // endregion

    // region instructions
    static void instruct(Session session) throws InterruptedException {
        session.config().set(TurnSettings.NONE.withInstructions("Answer in French."));
        session.turn("And now in a poem.").instructions("Answer in rhymes.").run();
    }
    // endregion

    // region calls
    static String statute(Belay belay, String caseNumber) throws InterruptedException {
        DurableCalls calls = belay.agent("lawyer").calls(); // the tools of "lawyer", where "lawyer" is defined
        calls.submit("statute-" + caseNumber, List.of(new CallRequest("statute", "{\"name\":\"BGB 433\"}")));
        return calls.join("statute-" + caseNumber).orElseThrow().getFirst().text();
    }
    // endregion

    // region limit
    static Belay forOneCustomer(Model model, Store store, String customer) {
        return Belay.builder()
                .store(store)
                .model(model)
                .sessions(customer + "-orders", customer + "-claims") // and the sessions that their calls make
                .build();
    }
    // endregion

    // region operate
    static void report(Belay belay) {
        belay.waitingFor()
                .forEach((agent, since) -> System.err.println(
                        "work for " + agent + " waits since " + since
                                + ", and this runtime does not define it"));
    }

    static void close(Session session) {
        session.labels(Map.of("team", "billing"));
        session.close(); // an input is session_closed, until session.open()
    }
    // endregion
}

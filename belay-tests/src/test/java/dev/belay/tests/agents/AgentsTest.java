package dev.belay.tests.agents;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelException;
import dev.belay.model.ModelRequest;
import dev.belay.runtime.Belay;
import dev.belay.runtime.dispatch.CallCaps;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.policy.PolicyDecision;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.session.ChildSession;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.runtime.session.TurnSettings;
import dev.belay.runtime.store.SessionId;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolEffect;
import java.io.StringReader;
import java.io.StringWriter;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract U: a session belongs to an agent, which answers it with its own model, instructions and tools. */
class AgentsTest {

    private final SessionBench bench = new SessionBench();

    @AfterEach
    void close() {
        bench.close();
    }

    /** Says which model answers, after which instructions, with which tools. */
    private static Model telling(String name) {
        return model(request -> text(name + " " + instructions(request) + request.tools()
                .stream()
                .map(tool -> tool.name())
                .toList()));
    }

    private static String instructions(ModelRequest request) {
        return request.messages().getFirst() instanceof Message.SystemMessage said ? said.text() + " " : "";
    }

    private static StaticToolProvider tools(String name) {
        return StaticToolProvider.builder()
                .raw(tool(name, ToolEffect.READ), (in, context) -> "by " + name)
                .build();
    }

    private Belay clerkAndLawyer() {
        return bench.open(telling("clerk"), builder -> builder.tools(tools("files"))
                .agent("lawyer", a -> a.model(telling("lawyer"))
                        .instructions("Know the law.")
                        .tools(tools("statutes"))));
    }

    private static String ask(Session session) throws InterruptedException {
        return session.turn("Who are you?").run().ended().text();
    }

    @Test
    void agentAnswersItsSessionsWithItsModelInstructionsAndTools() throws Exception {
        Belay belay = clerkAndLawyer();
        assertThat(ask(belay.session("a"))).isEqualTo("clerk [files]");
        assertThat(ask(belay.agent("lawyer").session("b"))).isEqualTo("lawyer Know the law. [statutes]");
        assertThat(belay.agent("lawyer").tools().catalog().specs()).extracting(tool -> tool.name())
                .containsExactly("statutes");
    }

    @Test
    void sessionIsOpenedWithTheAgentItHas() throws Exception {
        Belay belay = clerkAndLawyer();
        ask(belay.agent("lawyer").session("b"));
        assertThat(ask(belay.session("b"))).startsWith("lawyer");
        assertThat(belay.session("b").agent()).isEqualTo("lawyer");
        assertThat(belay.session("new").agent()).isEqualTo("default");
        assertThat(belay.session("b").tools().list()).extracting(tool -> tool.name())
                .containsExactly("statutes");
    }

    @Test
    void sessionOfAnotherAgentIsRefusedAndBothAreNamed() throws Exception {
        Belay belay = clerkAndLawyer();
        Session early = belay.agent("lawyer").session("a");
        ask(belay.session("a"));
        assertThatThrownBy(() -> belay.agent("lawyer").session("a")).isInstanceOf(BelayException.class)
                .hasMessageContaining("of the agent \"default\", not of \"lawyer\"")
                .extracting(e -> ((BelayException) e).code())
                .isEqualTo("agent_mismatch");
        assertThatThrownBy(() -> ask(early)).hasMessageContaining("not of \"lawyer\"");
        assertThatThrownBy(() -> early.begin("Go.")).hasMessageContaining("not of \"lawyer\"");
    }

    @Test
    void unknownAgentIsRefusedAndTheKnownAreNamed() {
        assertThatThrownBy(() -> clerkAndLawyer().agent("layer")).isInstanceOf(BelayException.class)
                .hasMessageContaining("no agent \"layer\" here; there are [default, lawyer]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Lawyer", "law yer", "a/b", "ä", "default",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"})
    void nameThatIsNotAllowedIsRefused(String name) {
        assertThatThrownBy(() -> Belay.builder().agent(name, a -> a.model(telling("x"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("agent");
    }

    @Test
    void agentIsDefinedOnceAndHasAModel() {
        assertThatThrownBy(() -> Belay.builder().agent("a", a -> {}).agent("a", a -> {}))
                .hasMessageContaining("there is an agent \"a\" already");
        assertThatThrownBy(() -> Belay.builder().agent("a", a -> {}).build())
                .hasMessageContaining("the agent \"a\" has no model: call model(…) in its definition");
        assertThatThrownBy(() -> Belay.builder().agent("a", a -> a.model("big", telling("x"))).build())
                .hasMessageContaining("one model of the agent \"a\" must answer");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Lawyer", "a b", "a/b", "ä",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"})
    void nameOfAnAgentIsShortAndPlain(String name) {
        assertThatThrownBy(() -> Belay.builder().agent(name, a -> a.model(telling("x"))).build())
                .hasMessageContaining("an agent is named by 1 to 64 of a to z");
    }

    @Test
    void runtimeWithoutTheDefaultAgentMakesNoSessionOfIt() throws Exception {
        try (Belay belay = Belay.builder().agent("lawyer", a -> a.model(telling("lawyer"))).build()) {
            assertThatThrownBy(() -> ask(belay.session("new"))).isInstanceOf(BelayException.class)
                    .hasMessageContaining("defines no agent \"default\"")
                    .hasMessageContaining("[lawyer]");
            assertThatThrownBy(() -> belay.session("new").config().set(TurnSettings.NONE))
                    .hasMessageContaining("defines no agent \"default\"");
            assertThatThrownBy(() -> belay.agent("default")).hasMessageContaining("there are [lawyer]")
                    .hasMessageContaining("model(…) of the builder");
            assertThat(ask(belay.agent("lawyer").session("s"))).isEqualTo("lawyer []");
            assertThat(ask(belay.session("s"))).isEqualTo("lawyer []");
        }
    }

    @Test
    void sessionIsGivenAwayFromTheNextTurnOn() throws Exception {
        Belay belay = clerkAndLawyer();
        ask(belay.session("a"));
        belay.session("a").config().agent("lawyer");
        assertThat(ask(belay.session("a"))).startsWith("lawyer Know the law.");
        assertThat(belay.session("a").messages()).hasSize(4);
        assertThat(belay.session("none").config().agent("lawyer"))
                .isEqualTo(new VerbResult.NotPossible("there is no session none"));
        assertThatThrownBy(() -> belay.session("a").config().agent("Not A Name"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void instructionsOfTheTurnStandOverThoseOfTheSessionAndTheAgentAndAreNoHistory() throws Exception {
        Belay belay = clerkAndLawyer();
        Session session = belay.agent("lawyer").session("b");
        assertThat(ask(session)).startsWith("lawyer Know the law.");
        session.config().set(TurnSettings.NONE.withInstructions("Be brief."));
        ask(session); // takes the setting
        assertThat(ask(session)).startsWith("lawyer Be brief. [");
        assertThat(session.turn("?").instructions("Rhyme.").run().ended().text())
                .startsWith("lawyer Rhyme. [");
        assertThat(session.turn("?").instructions("").run().ended().text()).startsWith("lawyer [");
        assertThat(ask(session)).startsWith("lawyer Be brief. [");
        assertThat(session.messages()).noneMatch(Message.SystemMessage.class::isInstance);
    }

    @Test
    void forksAndImportsHaveTheAgentOfTheirOriginUnlessOneIsNamed() throws Exception {
        Belay belay = clerkAndLawyer();
        Session origin = belay.agent("lawyer").session("b");
        ask(origin);
        assertThat(ask(origin.fork("fork"))).startsWith("lawyer");
        var exported = new StringWriter();
        origin.export(exported);
        assertThat(ask(belay.importSession(new StringReader(exported.toString()), "read")))
                .startsWith("lawyer");
        ask(belay.session("a"));
        var plain = new StringWriter();
        belay.session("a").export(plain);
        assertThat(ask(belay.agent("lawyer").importSession(new StringReader(plain.toString()), "given")))
                .startsWith("lawyer");
    }

    /** A tool of the clerk that asks a specialist. */
    private StaticToolProvider delegating(AtomicReference<SessionId> made) {
        return StaticToolProvider.builder()
                .raw(tool("delegate", ToolEffect.IDEMPOTENT), (in, context) -> {
                    ChildSession child = ((SessionToolContext) context).sessions().create("case", "lawyer");
                    made.set(child.id());
                    String said = child.turn("t", "Help.").await().text();
                    child.close("done");
                    return said;
                })
                .build();
    }

    @Test
    void toolDelegatesToAnAgentWithItsOwnModelInstructionsAndTools() throws Exception {
        var made = new AtomicReference<SessionId>();
        Belay belay = bench.open(calling(List.of(call("a", "delegate"))), builder -> builder
                .tools(delegating(made))
                .agent("lawyer", a -> a.model(telling("lawyer"))
                        .instructions("Know the law.")
                        .tools(tools("statutes"))));
        assertThat(ask(belay.session("a"))).isEqualTo("done: lawyer Know the law. [statutes]");

        Session child = belay.session(made.get());
        assertThat(child.agent()).isEqualTo("lawyer");
        assertThatThrownBy(() -> ask(child)).as("closed with the call")
                .isInstanceOf(BelayException.class)
                .extracting(e -> ((BelayException) e).code())
                .isEqualTo("session_closed");
        assertThat(child.messages()).hasSize(2);
        assertThat(child.open()).isEqualTo(VerbResult.DONE);
        assertThat(ask(child)).startsWith("lawyer");
    }

    @Test
    void childHasTheAgentOfItsParentUnlessOneIsNamed() throws Exception {
        var agents = new AtomicReference<List<String>>();
        var tools = StaticToolProvider.builder()
                .raw(tool("delegate", ToolEffect.IDEMPOTENT), (in, context) -> {
                    var sessions = ((SessionToolContext) context).sessions();
                    agents.set(List.of(sessions.create("same").id().value(),
                            sessions.create("other", "default").id().value()));
                    return "made";
                })
                .build();
        Belay belay = bench.open(telling("clerk"), builder -> builder.agent("lawyer",
                a -> a.model(calling(List.of(call("a", "delegate")))).tools(tools)));
        ask(belay.agent("lawyer").session("b"));
        assertThat(agents.get().stream().map(belay::session).map(Session::agent))
                .containsExactly("lawyer", "default");
    }

    @Test
    void aSessionThatIsNotBelowTheOneThatMakesItIsNoChildOfIt() throws Exception {
        var opened = new AtomicReference<Belay>();
        var made = new AtomicReference<SessionId>();
        var tools = StaticToolProvider.builder()
                .raw(tool("delegate", ToolEffect.READ), (in, context) -> {
                    var sessions = ((SessionToolContext) context).sessions();
                    SessionId id = sessions.create("case").id();
                    assertThat(sessions.create("case").id()).as("its own child is found again").isEqualTo(id);
                    assertThat(opened.get().session(id).delete()).isEqualTo(VerbResult.DONE);
                    opened.get().session(id).config().set(TurnSettings.NONE.withInstructions("Not below."));
                    made.set(id);
                    return sessions.create("case").id().value();
                })
                .build();
        Belay belay = bench.open(calling(List.of(call("a", "delegate"))), builder -> builder.tools(tools));
        opened.set(belay);
        assertThat(ask(belay.session("a"))).contains("session_exists")
                .contains(made.get() + " exists that is not below session a; it is left as it is");
    }

    @Test
    void childOfAnUnknownAgentIsAFailureThatNamesTheKnown() throws Exception {
        Belay belay = bench.open(calling(List.of(call("a", "delegate"))),
                builder -> builder.tools(delegating(new AtomicReference<>())));
        assertThat(ask(belay.session("a"))).contains("unknown_agent").contains("there are [default]");
    }

    @Test
    void processThatACallStartsUsesTheToolsOfItsAgent() throws Exception {
        var started = new AtomicReference<String>();
        var tools = StaticToolProvider.builder()
                .raw(tool("begin", ToolEffect.IDEMPOTENT), (in, context) -> started(context, started))
                .raw(tool("statutes", ToolEffect.READ), (in, context) -> "read")
                .build();
        Belay belay = bench.open(telling("clerk"), builder -> builder.agent("lawyer",
                a -> a.model(calling(List.of(call("a", "begin")))).tools(tools)));
        ask(belay.agent("lawyer").session("b"));
        assertThat(belay.processes().get(started.get()).awaitEnd().toString()).contains("read");
        var direct = belay.processes()
                .start(ProcessStart.tool("statutes", dev.belay.json.Json.EMPTY_OBJECT).agent("lawyer"));
        assertThat(direct.awaitEnd().toString()).contains("read");
    }

    private static String started(ToolContext context, AtomicReference<String> id) {
        var process = ((SessionToolContext) context).processes()
                .start("p", ProcessStart.tool("statutes", dev.belay.json.Json.EMPTY_OBJECT));
        id.set(process.id().value());
        return "begun";
    }

    @Test
    void closedSessionRefusesInputsCanBeReadAndOpenedAgain() throws Exception {
        Belay belay = clerkAndLawyer();
        Session session = belay.session("a");
        assertThat(session.close()).isEqualTo(new VerbResult.NotPossible("there is no session a"));
        ask(session);
        assertThat(session.close()).isEqualTo(VerbResult.DONE);
        assertThat(session.close()).as("closed before").isEqualTo(VerbResult.ALREADY);
        assertThatThrownBy(() -> ask(session)).isInstanceOf(BelayException.class)
                .hasMessageContaining("session a is closed");
        assertThatThrownBy(() -> session.begin("Go.")).hasMessageContaining("session a is closed");
        assertThat(session.messages()).hasSize(2);
        assertThat(session.open()).isEqualTo(VerbResult.DONE);
        assertThat(session.open()).isEqualTo(VerbResult.ALREADY);
        assertThat(ask(session)).startsWith("clerk");
    }

    @Test
    void labelsStayWithTheSession() throws Exception {
        Belay belay = clerkAndLawyer();
        Session session = belay.session("a");
        ask(session);
        session.labels(Map.of("team", "billing", "urgent", ""));
        assertThat(belay.session("a").labels()).containsEntry("team", "billing").containsEntry("urgent", "");
        ask(session);
        assertThat(session.labels()).hasSize(2);
        assertThatThrownBy(() -> session.labels(Map.of("", "x")))
                .isInstanceOf(IllegalArgumentException.class);
        Map<String, String> many = new HashMap<>();
        for (int i = 0; i < 16; i++) {
            many.put("label-" + i, "x");
        }
        session.labels(many);
        assertThat(session.labels()).hasSize(16);
        many.put("one more", "x");
        assertThatThrownBy(() -> session.labels(many)).hasMessageContaining("at most 16 labels");
        assertThat(session.labels()).hasSize(16);
    }

    @Test
    void settingMakesTheSessionOfTheAgentThatIsDemanded() throws Exception {
        Belay belay = clerkAndLawyer();
        Session session = belay.agent("lawyer").session("new");
        session.config().set(TurnSettings.NONE.withInstructions("Be brief."));
        assertThat(ask(session)).startsWith("lawyer");
    }

    @Test
    void childThatIsClosedTakesBackWhatWaitsAndCancelsWhatRuns() throws Exception {
        var made = new AtomicReference<SessionId>();
        var asked = new CountDownLatch(1);
        var tools = StaticToolProvider.builder()
                .raw(tool("delegate", ToolEffect.IDEMPOTENT), (in, context) -> {
                    ChildSession child = ((SessionToolContext) context).sessions().create("case", "lawyer");
                    made.set(child.id());
                    child.turn("a", "Help.");
                    asked.await();
                    child.turn("b", "And here."); // waits, because the turn before it is asking its model
                    child.close("not needed");
                    return "closed";
                })
                .build();
        Belay belay = bench.open(calling(List.of(call("a", "delegate"))), builder -> builder.tools(tools)
                .agent("lawyer", lawyer -> lawyer.model(model(request -> {
                    asked.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    throw new ModelException(ModelException.Kind.INTERRUPTED, "stopped");
                }))));
        assertThat(ask(belay.session("s"))).isEqualTo("done: closed");
        Session child = belay.session(made.get());
        assertThat(child.input("a")
                .orElseThrow()
                .await(Duration.ofSeconds(30))
                .orElseThrow()
                .ended()

                .summary())
                .isEqualTo("the turn was cancelled: not needed");
        assertThat(child.input("b")).as("taken back").isEmpty();
        assertThat(child.turns(1, 9)).hasSize(1);
        assertThat(child.head().orElseThrow().active()).isNull();
    }

    @Test
    void childIsFoundAgainOnlyByItsOwnAgent() throws Exception {
        var tools = StaticToolProvider.builder()
                .raw(tool("delegate", ToolEffect.IDEMPOTENT), (in, context) -> {
                    var sessions = ((SessionToolContext) context).sessions();
                    sessions.create("case", "lawyer");
                    sessions.create("case", "default");
                    return "made";
                })
                .build();
        Belay belay = bench.open(calling(List.of(call("a", "delegate"))), builder -> builder.tools(tools)
                .agent("lawyer", a -> a.model(telling("lawyer"))));
        assertThat(ask(belay.session("s"))).contains("agent_mismatch");
    }

    @Test
    void capsHoldForTheBodiesOfAllAgentsTogether() throws Exception {
        var isFirst = new AtomicBoolean(true);
        var second = new CountDownLatch(1);
        var together = new AtomicBoolean();
        Set<Thread> calls = ConcurrentHashMap.newKeySet();
        Policy notes = call -> {
            calls.add(Thread.currentThread());
            return PolicyDecision.ALLOW;
        };
        var tools = StaticToolProvider.builder().raw(tool("work", ToolEffect.READ), (in, context) -> {
            if (isFirst.getAndSet(false)) {
                while (second.getCount() > 0 && calls.stream().noneMatch(AgentsTest::waitsForAPlace)) {
                    Thread.onSpinWait();
                }
                together.set(second.getCount() == 0);
            } else {
                second.countDown();
            }
            return "done";
        }).build();
        Model calling = calling(List.of(call("a", "work")));
        Belay belay = bench.open(calling, builder -> builder.tools(tools)
                .caps(CallCaps.NONE.withRuntime(1))
                .policy(notes)
                .agent("lawyer", a -> a.model(calling).tools(tools)));
        var one = belay.session("a").turn("Go.").submit();
        var two = belay.agent("lawyer").session("b").turn("Go.").submit();
        one.awaitCommit();
        two.awaitCommit();
        assertThat(together).isFalse();
        assertThat(second.getCount()).as("both ran").isZero();
    }

    /** Two threads of calls run: one holds the only place, the other one is seen where it waits for it. */
    private static boolean waitsForAPlace(Thread call) {
        return Stream.of(call.getStackTrace())
                .anyMatch(frame -> frame.getClassName().endsWith("Slots$Ticket"));
    }
}

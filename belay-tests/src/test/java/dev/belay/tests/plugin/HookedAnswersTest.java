package dev.belay.tests.plugin;

import static dev.belay.tests.plugin.PluginBench.plugin;
import static dev.belay.tests.plugin.PluginStores.PATIENCE;
import static dev.belay.tests.plugin.PluginStores.until;
import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.MessageJson;
import dev.belay.model.ModelRequest;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.plugin.AfterVerdict;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.TurnCall;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.ToolResult;
import dev.belay.tool.option.Approval;
import dev.belay.tool.option.OnDoubt;
import dev.belay.tool.option.Scheduling;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a hook has taken out of an answer from outside stays out of it, in every place that is read later. */
class HookedAnswersTest {

    private static final SessionId S = new SessionId("s");
    private static final Resolution SECRET = Resolution.ok(Json.string("the secret"));

    @TempDir
    Path folder;

    private final BlockingQueue<String> tokens = new LinkedBlockingQueue<>();
    private final List<ModelRequest> requests = new CopyOnWriteArrayList<>();
    private ToolDefinition ask = tool("ask", ToolEffect.IDEMPOTENT).scheduling(Scheduling.SERIAL);
    private PluginStores stores;

    @AfterEach
    void close() {
        stores.close();
    }

    /** Takes the outcome of a tool away. */
    private static PluginFactory hiding(String tool) {
        return plugin("hiding", on -> on.toolCalls()
                .after((call, outcome) -> call.tool().name().equals(tool)
                        ? AfterVerdict.complete(Json.string("[redacted]"))
                        : AfterVerdict.keep()));
    }

    @SuppressWarnings("UnnecessaryLambda")
    private UnaryOperator<BelayBuilder> hiding() {
        return builder -> builder.plugin(hiding("ask"));
    }

    /** The tool {@code ask} hands out its key and parks. */
    private ToolProvider asking() {
        return StaticToolProvider.builder().raw(ask, (arguments, context) -> {
            tokens.add(context.completionKey().token());
            return ToolResult.pending();
        }).build();
    }

    private Belay open(JournalProbe probe, ToolProvider tools, UnaryOperator<BelayBuilder> with) {
        var model = SessionBench.calling(List.of(call("a", "ask")),
                List.of(call("b", "ask"), call("c", "ask")));
        return stores.open(SessionBench.model(request -> {
            requests.add(request);
            return model.complete(request);
        }), probe, builder -> with.apply(builder.tools(tools)));
    }

    private Belay open(UnaryOperator<BelayBuilder> with) {
        return open(JournalProbe.NONE, asking(), with);
    }

    private String token() throws InterruptedException {
        return Objects.requireNonNull(tokens.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS),
                "no key was handed out");
    }

    private static String text(List<Message> messages) {
        return String.join("\n",
                messages.stream().map(message -> MessageJson.of(message).toString()).toList());
    }

    /** Everything that can be read of the session. */
    private static String everything(Session session) {
        return text(session.messages()) + "\n" + session.calls(1) + "\n" + session.turns(1, 9);
    }

    private Session abandoned() {
        BelayClient client = stores.client();
        until(() -> client.abandon(S, 1, "nobody waits for it").equals(VerbResult.DONE));
        return client.session(S);
    }

    /** A session whose first call has parked and whose process is gone. */
    private void parked(String where, UnaryOperator<BelayBuilder> with) throws Exception {
        stores = new PluginStores(where, folder);
        Belay belay = open(with);
        belay.session(S).turn("Go.").submit();
        until(() -> belay.pending(null, 9).items().size() == 1);
        belay.close();
    }

    /** A runtime that dies after a write. */
    private static final class Dies implements JournalProbe {

        private final String write;
        private final CountDownLatch dead = new CountDownLatch(1);

        Dies(String write) {
            this.write = write;
        }

        @Override
        public void at(Moment moment, String name) {
            if (moment == Moment.AFTER && name.endsWith(write)) {
                dead.countDown();
                throw new StackOverflowError("the process dies at " + name);
            }
        }

        void await() throws InterruptedException {
            assertThat(dead.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void anAbandonedTurnHoldsWhatTheModelWasToldOfAParkedCall(String where) throws Exception {
        stores = new PluginStores(where, folder);
        Belay belay = open(hiding());
        belay.session(S).turn("Go.").submit();
        belay.resolve(token(), SECRET);
        belay.resolve(token(), SECRET);
        token();
        Session session = abandoned();
        assertThat(everything(session)).contains("[redacted]")
                .doesNotContain("the secret", "after_hook_failed");
        assertThat(session.calls(1).stream().limit(2).map(TurnCall::known))
                .containsOnly(new ToolOutcome.Success(Json.string("[redacted]")));
        assertThat(text(session.request(1, 2).orElseThrow().messages()))
                .isEqualTo(text(requests.getLast().messages()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void anAnswerOfAPersonIsHeldAsHooksHaveLeftIt(String where) throws Exception {
        ask = ask.approval(Approval.ALWAYS);
        stores = new PluginStores(where, folder);
        Belay belay = open(hiding());
        belay.session(S).turn("Go.").submit();
        for (int i = 0; i < 2; i++) {
            until(() -> !belay.approvals().open(null, 9).items().isEmpty());
            var open = belay.approvals().open(null, 9).items().getFirst();
            belay.approvals()
                    .decide(open.keyId(), open.request().digest(),
                            new ApprovalAnswer.Answer(Json.string("the secret")));
        }
        until(() -> !belay.approvals().open(null, 9).items().isEmpty());
        assertThat(everything(abandoned())).contains("[redacted]")
                .doesNotContain("the secret", "after_hook_failed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void whatWasSaidAboutADoubtIsHeldAsHooksHaveLeftIt(String where) throws Exception {
        Belay belay = inDoubt(where, hiding());
        happened(belay);
        assertThat(token()).as("the next call").isNotNull();
        assertThat(everything(abandoned())).contains("[redacted]")
                .doesNotContain("the secret", "after_hook_failed");
    }

    /** A runtime after one that died while the body of the first call ran. */
    private Belay inDoubt(String where, UnaryOperator<BelayBuilder> with) throws Exception {
        ask = tool("ask", ToolEffect.ONCE).scheduling(Scheduling.SERIAL).onDoubt(OnDoubt.HOLD);
        stores = new PluginStores(where, folder);
        var dies = new Dies("attempt/1 STARTED");
        open(dies, asking(), with).session(S).turn("Go.").submit();
        dies.await();
        Belay belay = open(with);
        until(() -> !belay.doubts().open(0, 9).isEmpty());
        return belay;
    }

    private static void happened(BelayClient client) {
        assertThat(client.doubts()
                .happened(client.doubts().open(0, 9).getFirst().id(), Json.string("the secret"), "I know"))
                .isEqualTo(VerbResult.DONE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void anAnswerThatNoHookHasSeenIsWithheldFromAnAbandonedTurn(String where) throws Exception {
        parked(where, hiding());
        stores.client().resolve(token(), SECRET);
        Session session = stores.client().session(S);
        assertThat(session.calls(1)).as("before anything has looked")
                .noneMatch(call -> call.outcome().isPresent());
        assertThat(everything(abandoned())).contains("after_hook_failed").doesNotContain("the secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void soIsAnAnswerToACallWhoseBodyTookItsKeyAndDied(String where) throws Exception {
        stores = new PluginStores(where, folder);
        var started = new CountDownLatch(1);
        Belay belay = open(JournalProbe.NONE, StaticToolProvider.builder().raw(ask, (arguments, context) -> {
            tokens.add(context.completionKey().token());
            started.await();
            return "never";
        }).build(), hiding());
        belay.session(S).turn("Go.").submit();
        String token = token();
        belay.close();
        stores.client().resolve(token, SECRET);
        assertThat(everything(abandoned())).contains("after_hook_failed").doesNotContain("the secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void soIsAnAnswerOfAPerson(String where) throws Exception {
        ask = ask.approval(Approval.ALWAYS);
        parked(where, hiding());
        BelayClient client = stores.client();
        var open = client.approvals().open(null, 9).items().getFirst();
        client.approvals()
                .decide(open.keyId(), open.request().digest(),
                        new ApprovalAnswer.Answer(Json.string("the secret")));
        assertThat(everything(abandoned())).contains("after_hook_failed").doesNotContain("the secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void soIsWhatWasSaidAboutADoubt(String where) throws Exception {
        inDoubt(where, hiding()).close();
        happened(stores.client());
        assertThat(everything(abandoned())).contains("after_hook_failed").doesNotContain("the secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void anAnswerToAnotherToolIsKept(String where) throws Exception {
        parked(where, builder -> builder.plugin(plugin("hiding", on -> on.toolCalls()
                .after("other", (call, outcome) -> AfterVerdict.complete(Json.string("[redacted]"))))));
        stores.client().resolve(token(), SECRET);
        assertThat(everything(abandoned())).contains("the secret").doesNotContain("after_hook_failed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aRecordedVerdictCountsInARuntimeWithoutItsPlugin(String where) throws Exception {
        stores = new PluginStores(where, folder);
        var dies = new Dies("after-hooks COMPLETED");
        Belay first = open(dies, asking(), hiding());
        first.session(S).turn("Go.").submit();
        first.resolve(token(), SECRET);
        dies.await();
        Belay second = open(builder -> builder);
        token();
        assertThat(text(requests.getLast().messages())).contains("[redacted]").doesNotContain("the secret");
        assertThat(second.stuck()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aVerdictAboutAReplyOfAProgramsLoopCountsWithoutItsPluginToo(String where) throws Exception {
        stores = new PluginStores(where, folder);
        var desk = new PayDesk();
        desk.answer = call -> switch (call.input()) {
            case PayDesk.PayTools.Pay in -> call.complete(in, "the secret");
        };
        var dies = new Dies("after-hooks COMPLETED");
        Belay first = stores.open(PayDesk.model(), dies, builder -> builder.plugin(hiding("pay")));
        try {
            desk.turn(PayDesk.Loop.HOSTED, first);
        } catch (StackOverflowError | RuntimeException dead) {
            first.close();
        }
        dies.await();
        Belay second = stores.open(PayDesk.model(), builder -> builder);
        assertThat(desk.turn(PayDesk.Loop.HOSTED, second).text()).contains("[redacted]")
                .doesNotContain("the secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void hooksLookAtAnAnswerToAToolThatHasChanged(String where) throws Exception {
        parked(where, hiding());
        ask = ask.version(2);
        stores.client().resolve(token(), SECRET);
        open(hiding());
        token();
        assertThat(text(requests.getLast().messages())).contains("[redacted]").doesNotContain("the secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void anAnswerToAToolThatIsGoneIsWithheld(String where) throws Exception {
        parked(where, hiding());
        stores.client().resolve(token(), SECRET);
        Belay belay = open(JournalProbe.NONE, StaticToolProvider.builder().build(), hiding());
        until(() -> belay.session(S).messages().size() > 1);
        assertThat(text(requests.getLast().messages())).contains("after_hook_failed")
                .doesNotContain("the secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void hooksLookAtAnAnswerThatIsFoundWhenTheBodyWouldRunAgain(String where) throws Exception {
        stores = new PluginStores(where, folder);
        var never = new CountDownLatch(1);
        Belay first = open(JournalProbe.NONE, StaticToolProvider.builder().raw(ask, (arguments, context) -> {
            tokens.add(context.completionKey().token());
            never.await();
            return "never";
        }).build(), hiding());
        first.session(S).turn("Go.").submit();
        String token = token();
        first.close();
        stores.client().resolve(token, SECRET);
        open(hiding());
        token();
        assertThat(text(requests.getLast().messages())).contains("[redacted]").doesNotContain("the secret");
    }
}

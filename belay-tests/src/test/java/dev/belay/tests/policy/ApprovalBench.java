package dev.belay.tests.policy;

import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.operate.OpenApproval;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.policy.Match;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.policy.PolicyRule;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.Actor;
import dev.belay.tests.operate.OperatorBench;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.Dynamic;
import dev.belay.tool.Nested;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolResult;
import dev.belay.tool.Tools;
import dev.belay.toolset.Round;
import dev.belay.toolset.RoundEnd;
import dev.belay.toolset.Step;
import dev.belay.toolset.ToolCall;
import dev.belay.toolset.ToolHooks;
import dev.belay.toolset.ToolReply;
import dev.belay.toolset.Toolset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A tool that refunds, and asks above 100, in both stores, in the loop of the runtime and in a loop of a program's own. */
final class ApprovalBench implements AutoCloseable {

    static final PolicyRule BIG = PolicyRule.ask("big")
            .tools("refund")
            .where("/amount", Match.above(100))
            .reason("over 100");
    static final Policy ASKING = Policy.rules(BIG);
    static final Actor ANNA = new Actor("anna", "web");
    private static final Toolset<AnyTool> TOOLS = Toolset.of(AnyTool.class);

    /** Any tool, in a program's own loop. */
    @Tools
    sealed interface AnyTool {
        @Nested
        record Any(Dynamic call) implements AnyTool {}
    }

    /** What a tool does: it returns a text or a {@link ToolResult}. */
    interface Body {
        Object run(Json arguments, ToolContext context) throws Exception;
    }

    /** A tool that the model may call. */
    record Callable(ToolDefinition definition, Body body) {}

    final OperatorBench stores;
    final boolean ownLoop;
    /** The arguments of bodies that ran, in their order. */
    final List<String> refunds = new CopyOnWriteArrayList<>();
    final Set<String> keys = ConcurrentHashMap.newKeySet();
    private final AtomicInteger inputs = new AtomicInteger();
    /** How a program's own loop answers a call; runs it unless a test says otherwise. */
    Function<ToolCall<AnyTool>, ToolReply> answer = this::execute;
    /** Of a program's own loop. */
    ToolHooks<AnyTool> hooks = ToolHooks.of(TOOLS);
    /** Whether the tools are gone from the program. */
    boolean gone;
    /** Whether the runtime has the tools too where a program's own loop calls them; processes and memberships are about those. */
    boolean served;
    /** Under which sessions are made, if not the default one. */
    @Nullable
    String agent;
    private final List<Callable> beside = new ArrayList<>();
    Body body = (arguments, context) -> {
        keys.add(context.idempotencyKey().value());
        refunds.add(arguments.text());
        return "refunded " + arguments.get("amount").orElseThrow();
    };
    ToolDefinition refund = ToolDefinition.raw("refund", "Refunds.", Json.of("""
            {"type": "object", "properties": {"amount": {"type": "number"}, "to": {"type": "string"}},
             "required": ["amount"], "additionalProperties": false}"""), Json.of("{\"type\": \"string\"}"))
            .effect(ToolEffect.ONCE)
            .preview(in -> "refunds " + in.get("amount").orElseThrow());

    ApprovalBench(String where, Path folder) {
        stores = new OperatorBench(where.split(" ", 2)[0], folder);
        ownLoop = where.endsWith("own-loop");
    }

    @Override
    public void close() {
        stores.close();
    }

    static CallPart call(String id, String arguments) {
        return new CallPart(id, "refund", arguments);
    }

    /** A model that makes one call, and says what came of it, whatever it is told besides. */
    static Model once(CallPart call) {
        return model(request -> request.messages().stream().anyMatch(Message.ToolMessage.class::isInstance)
                ? text("done: " + SessionBench.lastReplies(request))
                : calls(List.of(call)));
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // passed on, not stored
    final Belay worker(List<CallPart>... rounds) {
        return worker(calling(rounds), builder -> builder.policy(ASKING));
    }

    Belay worker(Model model, UnaryOperator<BelayBuilder> with) {
        return serving(stores.worker(model, builder -> with.apply(tools(builder))));
    }

    /** Another tool, which the model may call beside {@code refund}. */
    void beside(Callable tool) {
        beside.removeIf(other -> other.definition().name().equals(tool.definition().name()));
        beside.add(tool);
    }

    /** A tool {@code delegate} whose calls run a turn of a session below, under another agent. */
    void delegatingTo(String agent) {
        beside(new Callable(SessionBench.tool("delegate", ToolEffect.ONCE),
                (arguments, context) -> ((SessionToolContext) context).sessions()
                        .create("child", agent)
                        .turn("go", "Go.")
                        .await()
                        .text()));
    }

    BelayBuilder tools(BelayBuilder builder) {
        return gone || (ownLoop && !served) ? builder : builder.tools(provider());
    }

    /** A second agent with the same tools, and a policy of its own or that of the builder. */
    BelayBuilder tools(BelayBuilder builder, String other, Model model, @Nullable Policy policy) {
        return builder.agent(other, own -> {
            own.model(model);
            if (policy != null) {
                own.policy(policy);
            }
            if (!ownLoop) {
                own.tools(provider());
            }
        });
    }

    /** All tools, in the loop of the runtime. */
    StaticToolProvider provider() {
        return provider(callables());
    }

    /** The tool {@code refund} alone. */
    StaticToolProvider refunding() {
        return provider(List.of(refunds()));
    }

    static StaticToolProvider provider(List<Callable> tools) {
        var provider = StaticToolProvider.builder();
        tools.forEach(tool -> provider.raw(tool.definition(), tool.body()::run));
        return provider.build();
    }

    private List<Callable> callables() {
        List<Callable> all = new ArrayList<>(beside);
        all.addFirst(refunds());
        return all;
    }

    private Callable refunds() {
        return new Callable(refund, (arguments, context) -> body.run(arguments, context));
    }

    /** Goes on with turns of the own loop, as the runtime does with its own. */
    Belay serving(Belay belay) {
        if (ownLoop) {
            belay.onReady("desk", this::loop);
        }
        return belay;
    }

    void loop(OpenTurn turn) {
        try {
            rounds(turn);
        } catch (BelayException e) {
            if (!e.code().equals("turn_cancelled")) { // closing the turn commits it as cancelled
                throw e;
            }
        }
    }

    private void rounds(OpenTurn turn) {
        while (true) {
            if (!(step(turn) instanceof Step.NeedsTools<AnyTool, String>(var round))
                    || commit(round) instanceof RoundEnd.Parked) {
                return;
            }
        }
    }

    private RoundEnd commit(Round<AnyTool> round) {
        var plan = round.apply(hooks);
        return plan.commit(plan.pending().stream().map(answer).toList());
    }

    private Step<AnyTool, String> step(OpenTurn turn) {
        return turn.step()
                .tools(TOOLS)
                .fill(AnyTool.Any.class,
                        gone ? List.of() : callables().stream().map(Callable::definition).toList())
                .run();
    }

    /** The next round; there must be one. */
    Round<AnyTool> round(OpenTurn turn) {
        return ((Step.NeedsTools<AnyTool, String>) step(turn)).round();
    }

    ToolReply execute(ToolCall<AnyTool> call) {
        return switch (call.input()) {
            case AnyTool.Any(Dynamic in) -> call.attempt(in, context -> result(in, context));
        };
    }

    @SuppressWarnings("unchecked") // of a raw tool
    private ToolResult<Json> result(Dynamic in, ToolContext context) throws Exception {
        Object does = callables().stream()
                .filter(tool -> tool.definition().name().equals(in.tool().name()))
                .findFirst()
                .orElseThrow()
                .body()
                .run(in.arguments(), context);
        return does instanceof ToolResult<?> result
                ? (ToolResult<Json>) result
                : ToolResult.ok(Json.string((String) does));
    }

    InputHandle submit(Belay belay) {
        return submit(belay, "in-" + inputs.incrementAndGet());
    }

    InputHandle submit(Belay belay, String id) {
        if (!ownLoop) {
            return session(belay).turn("Go.").id(id).submit();
        }
        try (OpenTurn turn = session(belay).begin("Go.", id, "desk")) {
            if (turn.result().isEmpty()) {
                loop(turn);
            }
        }
        return belay.session("s").input(id).orElseThrow();
    }

    private Session session(Belay belay) {
        return agent == null ? belay.session("s") : belay.agent(agent).session("s");
    }

    /** Submits a turn whose bodies may wait for something else. */
    InputHandle submitBeside(Belay belay) {
        String id = "in-" + inputs.incrementAndGet();
        Thread.ofVirtual().start(() -> submit(belay, id));
        OperatorBench.until(() -> belay.session("s").input(id).isPresent());
        return belay.session("s").input(id).orElseThrow();
    }

    TurnResult.Ended run(Belay belay) throws InterruptedException {
        return submit(belay).awaitCommit();
    }

    /** Submits a turn, and waits until it has asked. */
    InputHandle ask(Belay belay) {
        return ask(belay, 1);
    }

    InputHandle ask(Belay belay, int requests) {
        InputHandle input = submit(belay);
        asked(belay, requests);
        return input;
    }

    /** Waits until so many requests are open. */
    static List<OpenApproval> asked(Belay belay, int requests) {
        OperatorBench.until(() -> belay.approvals().open(null, 99).items().size() == requests);
        return belay.approvals().open(null, 99).items();
    }

    static OpenApproval only(BelayClient client) {
        return client.approvals().open(null, 9).items().getFirst();
    }

    static VerbResult decide(BelayClient client, ApprovalAnswer answer) {
        OpenApproval open = only(client);
        return client.as(ANNA).approvals().decide(open.keyId(), open.request().digest(), answer);
    }

    static String reason(VerbResult refused) {
        return ((VerbResult.NotPossible) refused).reason();
    }
}

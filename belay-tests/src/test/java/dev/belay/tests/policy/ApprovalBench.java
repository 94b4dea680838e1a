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
import dev.belay.tool.Tools;
import dev.belay.toolset.Round;
import dev.belay.toolset.RoundEnd;
import dev.belay.toolset.Step;
import dev.belay.toolset.ToolCall;
import dev.belay.toolset.ToolHooks;
import dev.belay.toolset.ToolReply;
import dev.belay.toolset.Toolset;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A tool that refunds, and asks above 100, in both stores, in the loop of the runtime and in a loop of a program's own. */
final class ApprovalBench implements AutoCloseable {

    /** A test that is given each store with each loop, for {@link ApprovalBench#ApprovalBench}. */
    @Retention(RetentionPolicy.RUNTIME)
    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite", "memory own-loop", "sqlite own-loop"})
    @interface Everywhere {}

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

    /** What the tool does. */
    interface Body {
        String run(Json arguments, ToolContext context) throws Exception;
    }

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
    boolean gone;
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
    final Belay worker(List<CallPart>... rounds) {
        return worker(calling(rounds), builder -> builder.policy(ASKING));
    }

    Belay worker(Model model, UnaryOperator<BelayBuilder> with) {
        return serving(stores.worker(model, builder -> with.apply(tools(builder))));
    }

    BelayBuilder tools(BelayBuilder builder) {
        return ownLoop || gone ? builder : builder.tools(provider());
    }

    /** A second agent with the same tool. */
    BelayBuilder tools(BelayBuilder builder, String agent, Model model) {
        return builder.agent(agent, own -> {
            own.model(model);
            if (!ownLoop) {
                own.tools(provider());
            }
        });
    }

    StaticToolProvider provider() {
        return StaticToolProvider.builder()
                .raw(refund, (arguments, context) -> body.run(arguments, context))
                .build();
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
                .fill(AnyTool.Any.class, gone ? List.of() : List.of(refund))
                .run();
    }

    /** The next round; there must be one. */
    Round<AnyTool> round(OpenTurn turn) {
        return ((Step.NeedsTools<AnyTool, String>) step(turn)).round();
    }

    ToolReply execute(ToolCall<AnyTool> call) {
        return switch (call.input()) {
            case AnyTool.Any(Dynamic in) -> call.run(in,
                    context -> Json.string(body.run(in.arguments(), context)));
        };
    }

    InputHandle submit(Belay belay) {
        return submit(belay, "in-" + inputs.incrementAndGet());
    }

    InputHandle submit(Belay belay, String id) {
        if (!ownLoop) {
            return belay.session("s").turn("Go.").id(id).submit();
        }
        try (OpenTurn turn = belay.session("s").begin("Go.", id, "desk")) {
            if (turn.result().isEmpty()) {
                loop(turn);
            }
        }
        return belay.session("s").input(id).orElseThrow();
    }

    TurnResult run(Belay belay) throws InterruptedException {
        return submit(belay).await();
    }

    /** Submits a turn, and waits until it has asked. */
    InputHandle ask(Belay belay) {
        return ask(belay, 1);
    }

    InputHandle ask(Belay belay, int requests) {
        InputHandle input = submit(belay);
        OperatorBench.until(() -> belay.approvals().open(null, 99).items().size() == requests);
        return input;
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

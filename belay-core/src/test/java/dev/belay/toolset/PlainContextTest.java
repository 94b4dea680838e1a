package dev.belay.toolset;

import static dev.belay.toolset.Shop.TOOLS;
import static dev.belay.toolset.Shop.asked;
import static dev.belay.toolset.Shop.call;
import static dev.belay.toolset.Shop.round;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.Part;
import dev.belay.model.script.ScriptStep;
import dev.belay.model.script.ScriptedModel;
import dev.belay.tool.Dynamic;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolResult;
import dev.belay.tool.context.CallId;
import dev.belay.tool.context.Cancellation;
import dev.belay.tool.context.IdempotencyKey;
import dev.belay.tool.context.Incarnation;
import dev.belay.tool.option.OutputBudget;
import dev.belay.tool.option.RetryPolicy;
import dev.belay.toolset.Shop.ShopTools;
import dev.belay.toolset.Shop.ShopTools.Echo;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Contract N.13 and F.5: what a body finds around it on a plain transcript. */
class PlainContextTest {

    private static final Map<String, Consumer<ToolContext>> CAPABILITIES = capabilities();

    private static Map<String, Consumer<ToolContext>> capabilities() {
        Map<String, Consumer<ToolContext>> all = new LinkedHashMap<>();
        all.put("callId", ToolContext::callId);
        all.put("idempotencyKey", ToolContext::idempotencyKey);
        all.put("deadline", ToolContext::deadline);
        all.put("cancellation", ToolContext::cancellation);
        all.put("progress", ToolContext::progress);
        all.put("completionKey", ToolContext::completionKey);
        all.put("attachments", ToolContext::attachments);
        all.put("model", ToolContext::model);
        all.put("durable", ToolContext::durable);
        all.put("fence", ToolContext::fence);
        return all;
    }

    private static final Echo IN = new Echo("a");

    private static ToolCall<ShopTools> echo() {
        return call("echo", "{\"text\":\"a\"}");
    }

    private static ScriptStep twoEchoes() {
        return ScriptStep.call("echo", "{\"text\":\"a\"}").andCall("echo", "{\"text\":\"a\"}");
    }

    private static IdempotencyKey key(ToolCall<ShopTools> call) {
        List<IdempotencyKey> keys = new ArrayList<>();
        call.run(IN, ctx -> {
            keys.add(ctx.idempotencyKey());
            return "";
        });
        return keys.getFirst();
    }

    private static List<IdempotencyKey> keys(Round<ShopTools> round) {
        return round.calls().stream().map(PlainContextTest::key).toList();
    }

    @Test
    void theListOfCapabilitiesIsComplete() {
        assertThat(CAPABILITIES.keySet()).containsExactlyInAnyOrderElementsOf(
                List.of(ToolContext.class.getMethods()).stream().map(Method::getName).toList());
    }

    @Test
    void aBodyRunsAtOnceOnTheCallersThread() {
        List<Thread> ran = new ArrayList<>();
        ToolCall<ShopTools> call = echo();
        call.run(IN, ctx -> {
            ran.add(Thread.currentThread());
            return "";
        });
        call.attempt(IN, ctx -> {
            ran.add(Thread.currentThread());
            return ToolResult.ok("");
        });
        assertThat(ran).containsExactly(Thread.currentThread(), Thread.currentThread());
    }

    @Test
    void aBodyKnowsItsCallAndNoDeadline() {
        List<Object> seen = new ArrayList<>();
        echo().run(IN, ctx -> {
            seen.add(ctx.callId());
            seen.add(ctx.deadline().isPresent());
            seen.add(ctx.cancellation());
            ctx.progress();
            return "";
        });
        assertThat(seen).containsExactly(new CallId("scripted_1"), false, Cancellation.NEVER);
    }

    @Test
    void whatNeedsARuntimeIsUnavailable() {
        for (String capability : List.of("completionKey", "fence", "attachments", "model")) {
            assertThat(codeOf(capability)).as(capability).isEqualTo("capability_unavailable");
        }
        assertThat(codeOf("durable")).isEqualTo("durable_effects_unavailable");
    }

    private static String codeOf(String capability) {
        List<String> codes = new ArrayList<>();
        ToolReply reply = echo().run(IN, ctx -> {
            try {
                use(capability, ctx);
            } catch (ToolException e) {
                codes.add(e.failure().code());
                throw e;
            }
            return "";
        });
        assertThat(reply.outcome().text()).startsWith("Error (" + codes.getFirst() + "): ");
        return codes.getFirst();
    }

    private static void use(String capability, ToolContext context) {
        Objects.requireNonNull(CAPABILITIES.get(capability)).accept(context);
    }

    @Test
    void thereIsNoRetryNoResourceAndNoCut() {
        ToolDefinition tool = ToolDefinition.raw("work", "Works.", Json.of("{\"type\":\"object\"}"))
                .effect(ToolEffect.READ)
                .exclusive("desk")
                .retry(RetryPolicy.attempts(3))
                .budget(new OutputBudget(100, 2, OutputBudget.Keep.HEAD));
        Transcript transcript = asked();
        Round<ShopTools> round = round(transcript.step(
                new ScriptedModel().then(ScriptStep.call("work", "{}").andCall("work", "{}")))
                .tools(TOOLS)
                .fill(ShopTools.Mcp.class, List.of(tool)));
        List<Dynamic> in = round.calls().stream().map(call -> ((ShopTools.Mcp) call.input()).call()).toList();
        List<String> runs = new ArrayList<>();
        ToolReply failed = round.calls().get(0).run(in.get(0), ctx -> {
            runs.add(round.calls().get(1).run(in.get(1), beside -> Json.string("beside")).outcome().text());
            throw new IOException("try again");
        });
        String large = "line\n".repeat(20_000);
        ToolReply whole = round.calls().get(1).run(in.get(1), ctx -> Json.string(large));
        round.commit(List.of(failed, whole));
        assertThat(runs).containsExactly("beside");
        assertThat(transcript.messages().getLast()).isInstanceOfSatisfying(Message.ToolMessage.class,
                replies -> assertThat(replies.replies()).extracting(Part.ReplyPart::text)
                        .containsExactly("Error (tool_failed): try again", large));
    }

    /** Contract F.5. */
    @Test
    void afterTheCallEveryCapabilitySaysThatItEnded() {
        List<ToolContext> kept = new ArrayList<>();
        ToolCall<ShopTools> call = echo();
        call.run(IN, ctx -> {
            kept.add(ctx);
            return "";
        });
        call.run(IN, ctx -> {
            kept.add(ctx);
            throw new IllegalStateException("ends too");
        });
        call.attempt(IN, ctx -> {
            kept.add(ctx);
            return ToolResult.failure("ends too");
        });
        assertThat(kept).hasSize(3).allSatisfy(context -> {
            for (String capability : CAPABILITIES.keySet()) {
                assertThatThrownBy(() -> use(capability, context)).as(capability)
                        .isInstanceOfSatisfying(ToolException.class,
                                thrown -> assertThat(thrown.failure().code()).isEqualTo("call_ended"));
            }
        });
    }

    @Test
    void aBodyThatWantsToParkIsAFailure() {
        assertThat(echo().attempt(IN, ctx -> ToolResult.pending()).outcome().text())
                .startsWith("Error (pending_tool_missing_completion_key): ");
    }

    /** Contract G.4: equal calls of one message differ by their position. */
    @Test
    void idempotencyKeysDifferPerCall() {
        assertThat(keys(round(twoEchoes()))).doesNotHaveDuplicates();
    }

    /** Contract S.1: the same call id in two rounds has two keys. */
    @Test
    void idempotencyKeysDifferPerRound() {
        Transcript transcript = asked();
        Set<IdempotencyKey> keys = new LinkedHashSet<>();
        for (int i = 0; i < 3; i++) {
            Round<ShopTools> round = round(transcript, ScriptStep.call("echo", "{\"text\":\"a\"}"));
            assertThat(round.expectOne().id()).isEqualTo(new CallId("scripted_1"));
            keys.addAll(keys(round));
            round.commit(round.calls().stream().map(call -> call.complete(IN, "")).toList());
        }
        assertThat(keys).hasSize(3);
    }

    @Test
    void aRoundThatWasDroppedDoesNotLendItsKeysToTheNext() {
        Transcript transcript = asked();
        Round<ShopTools> dropped = round(transcript, twoEchoes());
        List<IdempotencyKey> keys = new ArrayList<>(keys(dropped));
        dropped.discard();
        keys.addAll(keys(round(transcript, twoEchoes())));
        assertThat(keys).doesNotHaveDuplicates();
    }

    @Test
    void idempotencyKeysDifferPerTranscriptAndFork() {
        Transcript transcript = asked();
        List<IdempotencyKey> keys = new ArrayList<>();
        for (Transcript each : List.of(transcript, transcript.fork(), transcript.fork(), asked())) {
            keys.addAll(keys(round(each, twoEchoes())));
        }
        assertThat(keys).hasSize(8).doesNotHaveDuplicates();
    }

    @Test
    void theSameIncarnationAndPlaceGiveTheSameKey() {
        var incarnation = new Incarnation(1, 2);
        List<IdempotencyKey> first = keys(round(new Transcript(incarnation).user("x"), twoEchoes()));
        List<IdempotencyKey> again = keys(
                round(new Transcript(incarnation).user("another text"), twoEchoes()));
        assertThat(again).isEqualTo(first);
        Round<ShopTools> round = round(twoEchoes());
        assertThat(keys(round)).isEqualTo(keys(round));
        assertThat(keys(round(asked().fork(incarnation), twoEchoes()))).isEqualTo(first);
        assertThat(first.getFirst())
                .isEqualTo(IdempotencyKey.of(new IdempotencyKey.Place(incarnation, 0, 0, 0),
                        TOOLS.byName("echo").definition().id()));
    }

    /** The position counts every call of the message, also those that cannot be run. */
    @Test
    void anIssueKeepsItsPlaceAmongTheKeys() {
        var incarnation = new Incarnation(1, 2);
        var behind = round(new Transcript(incarnation).user("x"),
                ScriptStep.call("nonsense", "{}").andCall("echo", "{\"text\":\"a\"}"));
        var second = round(new Transcript(incarnation).user("x"), twoEchoes()).calls().get(1);
        assertThat(key(behind.calls().getFirst())).isEqualTo(key(second));
    }

    @Test
    void theSameSetInTwoPlacesHasTwoKeys() {
        var incarnation = new Incarnation(1, 2);
        List<IdempotencyKey> keys = new ArrayList<>();
        for (String name : List.of("crm_get_user", "old_get_user")) {
            ToolCall<ShopTools> call = round(new Transcript(incarnation).user("x")
                    .step(new ScriptedModel().call(name, "{\"userId\":1}"))
                    .tools(TOOLS)
                    .all()).expectOne();
            call.run(new Shop.CrmTools.GetUser(1), ctx -> {
                keys.add(ctx.idempotencyKey());
                return new Shop.User(Json.NULL.text());
            });
        }
        assertThat(keys).hasSize(2).doesNotHaveDuplicates();
    }
}

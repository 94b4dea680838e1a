package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelRequest;
import dev.belay.runtime.Belay;
import dev.belay.runtime.catalog.Membership;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.runtime.store.SessionId;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolBody;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.context.DirectModel.DirectRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Contract T.1, T.2, F.5: what a body may do with the session around it. */
class CapabilitiesTest {

    private final SessionBench bench = new SessionBench();

    @AfterEach
    void close() {
        bench.close();
    }

    private interface Body {
        Object run(SessionToolContext context) throws Exception;
    }

    /** A session in which the model calls the body once and says what it answered; other sessions say what they heard. */
    private Belay calling(Body body) {
        var tools = StaticToolProvider.builder()
                .raw(tool("act", ToolEffect.READ),
                        (arguments, context) -> body.run((SessionToolContext) context))
                .build();
        return bench.open(acting(), builder -> builder.tools(tools));
    }

    private static Model acting() {
        return model(request -> {
            String said = first(request);
            if (!said.equals("Act.")) {
                return text("heard " + said);
            }
            return SessionBench.roundsSinceUser(request) == 0
                    ? calls(List.of(call("a", "act")))
                    : text(SessionBench.lastReplies(request));
        });
    }

    private static String first(ModelRequest request) {
        return ((Message.UserMessage) request.messages()
                .stream()
                .filter(Message.UserMessage.class::isInstance)
                .findFirst()
                .orElseThrow()).text();
    }

    @Test
    void aBodySeesItsSessionWithTheRunningTurn() throws Exception {
        Belay belay = calling(
                context -> context.sessions().current() + " " + context.sessions().model().name() + " "
                        + context.sessions().snapshot().revision() + " "
                        + context.sessions().snapshot().messages().size() + " "
                        + context.sessions().snapshot().messages().getLast());
        assertThat(belay.session("s").turn("Act.").run().ended().text())
                .isEqualTo("s default 0 1 " + Message.user("Act."));
        assertThat(belay.session("s").turn("Act again.").run().ended().text())
                .isEqualTo("s default 1 5 " + Message.user("Act again."));
    }

    @Test
    void aBodySeesTheRoundsOfTheRunningTurn() throws Exception {
        Belay belay = bench.open(model(request -> switch (SessionBench.roundsSinceUser(request)) {
            case 0, 1 -> calls(List.of(call("a", "act")));
            default -> text(SessionBench.lastReplies(request));
        }), builder -> builder.instructions("Act.")
                .tools(StaticToolProvider.builder()
                        .raw(tool("act", ToolEffect.READ), ToolBody.with(SessionToolContext.class,
                                (in, context) -> context.sessions()
                                        .snapshot(context.sessions().current())
                                        .messages()
                                        .stream()
                                        .map(message -> message.getClass().getSimpleName())
                                        .toList()
                                        .toString()))
                        .build()));
        assertThat(belay.session("s").turn("Go.").run().ended().text())
                .isEqualTo("[UserMessage, AssistantMessage, ToolMessage]");
    }

    @Test
    void aBodySeesWhatTheModelIsOffered() throws Exception {
        Belay belay = calling(context -> context.sessions().toolCatalog().names().toString());
        assertThat(belay.session("s").turn("Act.").run().ended().text()).isEqualTo("[act]");
    }

    @Test
    void aChildSessionIsTheSameWhenAskedForAgain() throws Exception {
        Belay belay = calling(context -> {
            var first = context.sessions().create("helper");
            var again = context.sessions().create("helper");
            var other = context.sessions().create("other");
            String answer = first.turn("one", "Think.").await().text();
            String same = again.turn("one", "Think.").await().text();
            return first.id().equals(again.id()) + " " + first.id().equals(other.id()) + " "
                    + answer.equals(same)
                    + " " + context.sessions().snapshot(first.id()).messages().size();
        });
        assertThat(belay.session("s").turn("Act.").run().ended().text()).isEqualTo("true false true 2");
    }

    @Test
    void onlyOnesOwnChildrenCanBeRead() throws Exception {
        Belay belay = calling(context -> {
            context.sessions().snapshot(new SessionId("secret"));
            return "read";
        });
        belay.session("secret").turn("A secret.").run();
        assertThat(belay.session("s").turn("Act.").run().ended().text())
                .startsWith("Error (snapshot_not_granted)");
    }

    @Test
    void aSessionThatTheBuilderGrantsCanBeRead() throws Exception {
        Belay belay = bench.open(model(request -> SessionBench.roundsSinceUser(request) == 0
                ? calls(List.of(call("a", "read")))
                : text(SessionBench.lastReplies(request))),
                builder -> builder.snapshots((reader, read) -> reader.value().equals("boss")
                        && read.value().equals("worker"))
                        .tools(StaticToolProvider.builder()
                                .raw(tool("read", ToolEffect.READ), ToolBody.with(SessionToolContext.class,
                                        (in, context) -> context.sessions()
                                                .snapshot(new SessionId("worker"))
                                                .messages()
                                                .size()))
                                .build()));
        belay.session("worker").turn("Work.").run();
        assertThat(belay.session("boss").turn("Look.").run().ended().text()).isEqualTo("4");
        assertThat(belay.session("other").turn("Look.").run().ended().text()).isEqualTo(
                "Error (snapshot_not_granted): session worker was not made by this call and was not granted to session other; only"
                        + " its own session, those it has made and those that are granted can be read");
    }

    @Test
    void aBodyTakesBackWhatWasDecidedAboutTools() throws Exception {
        Belay belay = bench.open(model(request -> SessionBench.roundsSinceUser(request) == 0
                ? calls(List.of(call("a", "reset")))
                : text(request.tools().stream().map(tool -> tool.name()).toList().toString())),
                builder -> builder.tools(StaticToolProvider.builder()
                        .raw(tool("reset", ToolEffect.READ), ToolBody.with(SessionToolContext.class,
                                (in, context) -> {
                                    context.sessions().resetToolMembership(List.of("other"));
                                    return "reset";
                                }))
                        .raw(tool("other", ToolEffect.READ), (in, context) -> "other")
                        .build()));
        belay.session("s").tools().setMembership(List.of("other"), false);
        assertThat(belay.session("s").tools().catalog().names()).containsExactly("reset");
        assertThat(belay.session("s").turn("Go.").run().ended().text()).isEqualTo("[reset, other]");
        assertThat(belay.session("s").tools().list()).extracting(tool -> tool.membership())
                .containsOnly(Membership.DEFAULT);
    }

    @Test
    void sessionsBelowEachOtherEndAtTheirDepth() throws Exception {
        var deepest = new AtomicInteger();
        Belay belay = bench.open(model(request -> SessionBench.roundsSinceUser(request) == 0
                ? calls(List.of(call("a", "deeper")))
                : text(SessionBench.lastReplies(request))),
                builder -> builder.tools(StaticToolProvider.builder()
                        .raw(tool("deeper", ToolEffect.READ), (arguments, context) -> {
                            deepest.incrementAndGet();
                            return ((SessionToolContext) context).sessions()
                                    .create("below")
                                    .turn("t", "Deeper.")
                                    .await()
                                    .text();
                        })
                        .build()));
        assertThat(belay.session("s").turn("Deeper.").run().ended().text()).contains("resource_limit");
        assertThat(deepest).hasValue(6);
    }

    @Test
    void aBodyMayAskAModelOnce() throws Exception {
        Belay belay = calling(context -> context.model()
                .complete(DirectRequest.of(Message.user("Is it so?")), "act")
                .text());
        assertThat(belay.session("s").turn("Act.").run().ended().text()).isEqualTo("heard Is it so?");
    }

    @Test
    void whatABodysOwnQuestionsCostIsCountedForTheTurn() throws Exception {
        Belay belay = calling(context -> context.model()
                .complete(DirectRequest.of(Message.user("Is it so?")), "act")
                .text());
        // a round with a call costs 10, an answer 15, as does the body's own question
        assertThat(belay.session("s").turn("Act.").run().ended().usage().total()).hasValue(40);
    }

    @Test
    void whatAResumableBodyAskedIsCountedOnceHoweverOftenItIsEntered() throws Exception {
        var tokens = new LinkedBlockingQueue<String>();
        var tools = StaticToolProvider.builder()
                .raw(tool("act", ToolEffect.IDEMPOTENT).resumable(true), (arguments, context) -> {
                    String said = context.model()
                            .complete(DirectRequest.of(Message.user("Is it so?")), "act")
                            .text();
                    var event = context.durable().externalEventKey("go");
                    tokens.add(event.token());
                    return said + " " + context.durable().awaitEvent(event).asString();
                })
                .build();
        Belay belay = bench.open(acting(), builder -> builder.tools(tools).parkAfter(Duration.ZERO));
        var handle = belay.session("s").turn("Act.").submit();
        belay.resolve(tokens.take(), Resolution.ok(Json.string("now")));
        assertThat(handle.awaitCommit().text()).isEqualTo("heard Is it so? now");
        assertThat(handle.awaitCommit().usage().total()).hasValue(40);
    }

    @Test
    void afterItsCallEveryCapabilityThrows() throws Exception {
        var kept = new AtomicReference<SessionToolContext>();
        Belay belay = calling(context -> {
            kept.set(context);
            return "done";
        });
        belay.session("s").turn("Act.").run();
        for (Body use : List.<Body>of(context -> context.sessions(), context -> context.model(),
                context -> context.callId(), context -> context.completionKey())) {
            String code = "";
            try {
                use.run(kept.get());
            } catch (ToolException e) {
                code = e.failure().code();
            }
            assertThat(code).isEqualTo("call_ended");
        }
    }

    /** Tools by methods. */
    static final class Methods {

        /** Says which session it is in. */
        @Tool(effect = ToolEffect.READ, name = "act", undescribed = true)
        String act(SessionToolContext context) {
            return context.sessions().current().value();
        }
    }

    @Test
    void aMethodMayTakeTheContextOfTheSession() throws Exception {
        Belay belay = bench.open(acting(), builder -> builder.toolMethods(new Methods()));
        assertThat(belay.session("s").turn("Act.").run().ended().text()).isEqualTo("s");
    }
}

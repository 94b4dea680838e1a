package dev.belay.tests.snippets;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.operate.MisconfiguredTurn;
import dev.belay.runtime.session.EventCursor;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.SessionEvents;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.runtime.session.StuckTurn;
import dev.belay.runtime.session.TurnBounds;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.TurnResult;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolBody;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.context.Attachments;
import dev.belay.tool.context.DirectModel.DirectRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The code of {@code docs/sessions.md}, {@code docs/tools-in-sessions.md} and of stuck turns in {@code docs/operations-repair.md}. */
final class SessionSnippets {

    private SessionSnippets() {}

    // region hello
    static class Weather {
        @Tool(effect = ToolEffect.READ, undescribed = true)
        double temperature(String city) {
            return city.equals("Oslo") ? -3.5 : 21;
        }
    }

    static void hello(Model model) throws InterruptedException {
        try (var belay = Belay.builder().model(model).toolMethods(new Weather()).build()) {
            System.out.println(belay.session("me").turn("How cold is it in Oslo?").run().answer());
        }
    }
    // endregion

    // region durable
    static Belay open(Model model, Path file) {
        return Belay.builder()
                .model(model) // the only required setting
                .toolMethods(new Weather())
                .store(JdbcStore.sqlite(file)) // default: in memory
                .instructions("You answer in one sentence.")
                .bounds(TurnBounds.DEFAULT.withMaxRounds(20).withMaxTokens(100_000))
                .build(); // continues turns that another process left
    }
    // endregion

    // region turn
    static String ask(Belay belay, String question, String requestId) throws InterruptedException {
        TurnResult result = belay.session("order-42")
                .turn(question)
                .id(requestId) // the same id is answered once
                .run();
        return switch (result) {
            case TurnResult.Resting resting -> resting.toString(); // what it waits for, and what answers that
            case TurnResult.Finished finished -> finished.text(); // text, or the value of a tool
            case TurnResult.Refused refused -> "It would not: " + refused.reason();
            case TurnResult.Stopped stopped -> stopped.cause() + ": " + stopped.message();
        };
    }
    // endregion

    // region rest
    static String told(Belay belay) throws InterruptedException {
        TurnResult result = belay.session("order-42").turn("Refund it.").run();
        while (result instanceof TurnResult.Resting resting) {
            System.out.println(resting); // what it waits for, and what answers that
            result = resting.await();
        }
        return result.answer();
    }
    // endregion

    // region submit
    static Optional<TurnResult.Ended> later(Belay belay) {
        InputHandle handle = belay.session("order-42").turn("Refund it.").id("mail-17").submit();
        handle.cancel("the customer changed their mind"); // ordered against the commit
        return belay.session("order-42").input("mail-17").flatMap(InputHandle::result); // in any process
    }
    // endregion

    // region stream
    static void listen(Session session) throws InterruptedException {
        session.turn("Tell me a story.").stream(event -> {
            if (event instanceof TurnEvent.Text text) {
                System.out.print(text.chunk());
            }
        });
    }

    static String readOn(Session session, String cursor) throws InterruptedException {
        SessionEvents events = session.events(EventCursor.parse(cursor));
        events.next(Duration.ofSeconds(20)).ifPresent(System.out::println); // a Gap first, if events are missing
        return events.cursor().toString(); // the client sends it back to continue
    }
    // endregion

    // region membership
    static void membership(Session session) {
        session.tools().setMembership(List.of("refund"), false); // durable, from the next request on
        session.tools().resetMembership(List.of("refund")); // back to the runtime's default
    }
    // endregion

    // region capabilities
    static class Delegation {

        /**
         * Lets a fresh session think about a question.
         *
         * @param question what to think about
         */
        @Tool(effect = ToolEffect.IDEMPOTENT, resumable = true)
        String think(String question, SessionToolContext context) throws InterruptedException {
            return context.sessions()
                    .create("thinker") // the same session again after a restart
                    .turn("think", question)
                    .await() // in a resumable body a step: it holds no thread
                    .text();
        }
    }
    // endregion

    // region attachments
    static class Pictures {

        /**
         * Draws a chart.
         *
         * @param title what stands above it
         */
        @Tool(effect = ToolEffect.IDEMPOTENT)
        Attachments.Reference draw(String title, ToolContext context) {
            byte[] png = render(title);
            return context.attachments().put(png, "image/png"); // the model reads and passes on the reference
        }

        /**
         * Says what is to be seen in a chart.
         *
         * @param chart as it was drawn
         */
        @Tool(effect = ToolEffect.READ)
        String look(Attachments.Reference chart, ToolContext context) {
            return context.model()
                    .complete(DirectRequest.of(Message.user("What does this show?"))
                            .withAttachments(List.of(chart)), "look") // else context.attachments().get(chart)
                    .text();
        }
    }
    // endregion

    private static byte[] render(String title) {
        return title.getBytes(StandardCharsets.UTF_8);
    }

    // region operate
    static void operate(Belay belay, String token) {
        for (StuckTurn stuck : belay.stuck()) {
            if (stuck.because().contains("NoClassDefFoundError")) {
                belay.abandon(stuck, "the library that it needs is gone"); // commits it as recorded
            } else {
                belay.retry(stuck); // the cause is gone
            }
        }
        for (MisconfiguredTurn turn : belay.misconfigured()) { // these go on by themselves in a right program
            if (turn.code().equals("unknown_model")) {
                belay.abandon(turn.session(), turn.turn(), "its model does not exist any more");
            }
        }
        belay.resolve(token, new Resolution.Cancelled("no answer came")); // a parked call, by its key
    }
    // endregion

    static StaticToolProvider counting() {
        // region context
        return StaticToolProvider.builder()
                .raw(ToolDefinition.raw("count", "Counts the messages so far.",
                        Json.of("{\"type\":\"object\"}")),
                        ToolBody.with(SessionToolContext.class,
                                (in, context) -> context.sessions().snapshot().messages().size()))
                .build();
        // endregion
    }
}

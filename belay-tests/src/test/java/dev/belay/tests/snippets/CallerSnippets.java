package dev.belay.tests.snippets;

import dev.belay.json.Json;
import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.dispatch.ContextCarrier;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.toolset.Answer;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

/** The code of {@code docs/sessions.md} and {@code docs/operations-repair.md} about what a caller gets. */
final class CallerSnippets {

    private CallerSnippets() {}

    // region typed
    record Verdict(boolean refund, int cents) {}

    static String decide(Session session) throws InterruptedException {
        return switch (session.turn("Do we refund order 42?").answer(Verdict.class)) {
            case Answer.Given<Verdict>(Verdict verdict) ->
                verdict.refund() ? "refund " + verdict.cents() : "keep";
            case Answer.Refused<Verdict>(String reason) -> "It would not: " + reason;
        };
    }
    // endregion

    // region record
    static Verdict copy(Verdict verdict) {
        Json json = Json.from(verdict); // {"refund":true,"cents":1250}
        return json.as(Verdict.class);
    }
    // endregion

    // region queue
    static InputHandle mail(Session session, String text, String messageId) {
        return session.turn(text).id(messageId).queue().submit(); // answered by itself, in its order
    }
    // endregion

    // region patience
    static Belay patient(Model model) {
        return Belay.builder()
                .model(model)
                .modelPatience(Duration.ofHours(2)) // default: 10 minutes
                .build();
    }
    // endregion

    // region again
    static String tryAgain(Session session) throws InterruptedException {
        return switch (session.again()) {
            case Session.Again.Done(InputHandle input) -> input.awaitCommit().text();
            case Session.Again.Already(InputHandle input) -> input.awaitCommit().text(); // asked for before
            case Session.Again.NotPossible(String reason) -> reason;
        };
    }
    // endregion

    // region listener
    static Belay observed(Model model, Consumer<String> log) {
        return Belay.builder()
                .model(model)
                .listener((session, event) -> {
                    if (event instanceof TurnEvent.ModelWaiting || event instanceof TurnEvent.Committed) {
                        log.accept(session + " " + event.toJson());
                    }
                })
                .build();
    }
    // endregion

    // region carrier
    record Tenants(ThreadLocal<String> current) implements ContextCarrier {

        @Override
        public String name() {
            return "tenant"; // recorded with inputs
        }

        @Override
        public Map<String, String> capture() {
            String tenant = current.get();
            return tenant == null ? Map.of() : Map.of("id", tenant);
        }

        @Override
        public Restored restore(Map<String, String> captured) {
            String before = current.get();
            current.set(captured.get("id"));
            return () -> current.set(before);
        }
    }
    // endregion
}

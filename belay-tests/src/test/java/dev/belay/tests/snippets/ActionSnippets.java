package dev.belay.tests.snippets;

import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.plugin.Nothing;
import dev.belay.runtime.plugin.PluginRegistrar;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.action.ActionHandle;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.Store;
import dev.belay.tool.context.CompletionKey;
import dev.belay.tool.context.PluginState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The code of docs/plugin-actions.md. */
final class ActionSnippets {

    static final PluginState<Notes, Add> NOTES = PluginState.of("notes", Notes.class, new Notes(List.of()),
            Add.class, Notes::plus);

    private ActionSnippets() {}

    record Notes(List<String> lines) {

        Notes plus(Add more) {
            var all = new ArrayList<>(lines);
            all.add(more.line());
            return new Notes(List.copyOf(all));
        }
    }

    record Add(String line) {}

    // region register
    static void register(PluginRegistrar on) {
        on.actions()
                .query("notes.show", Nothing.class, Notes.class, (in, view) -> view.get(NOTES));
        on.actions().command("notes.add", Add.class, Notes.class, (add, context) -> {
            context.update(NOTES, add);
            context.emit("notes.changed", context.get(NOTES)); // reaches the session's stream
            return context.get(NOTES);
        });
        on.actions().command("notes.raw", (json, context) -> json); // JSON on both sides
    }
    // endregion

    // region call
    static Notes call(Session session) throws InterruptedException {
        session.actions().call("notes.add", new Add("milk")); // waits until it is recorded
        return session.actions().call("notes.show", Nothing.NOTHING, Notes.class); // at once
    }
    // endregion

    // region submit
    static Optional<Json> submit(Session session, String requestId) throws InterruptedException {
        ActionHandle given = session.actions().submit("notes.add", new Add("milk"), requestId);
        return given.await(Duration.ofSeconds(20)); // empty: ask again later, with input(requestId)
    }
    // endregion

    // region client
    static Json fromElsewhere(Store store) throws InterruptedException {
        try (BelayClient client = Belay.client(store)) { // no plugins here: a runtime on the store carries it out
            return client.session("s").actions().call("notes.add", new Add("bread"));
        }
    }
    // endregion

    // region monitor
    static void watch(PluginRegistrar on) {
        on.monitors().start("post", context -> {
            CompletionKey letter = context.durable().externalEventKey("letter");
            Json text = context.durable().awaitEvent(letter); // no thread while it waits, and after a restart
            context.tell("letter.came", text.asString()); // the model reads it at the next question
        });
    }
    // endregion

    // region waiting
    static void operate(BelayClient belay) {
        belay.waitingForPlugins().forEach(one -> System.out.println(one.session() + ": " + one.reason()));
        belay.resetPlugin(new SessionId("s"), "notes"); // drops what is kept for it; Done, Already or NotPossible
    }
    // endregion
}

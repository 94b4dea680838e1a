package dev.belay.tests.snippets;

import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.history.Compaction;
import dev.belay.runtime.history.SentRequest;
import dev.belay.runtime.plugin.HistoryHook;
import dev.belay.runtime.plugin.PluginRegistrar;
import dev.belay.runtime.plugin.RollingHistory;
import dev.belay.runtime.session.Session;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The code of {@code docs/history.md}. */
final class HistorySnippets {

    private HistorySnippets() {}

    // region open
    static Belay open(Model model, Model small) {
        return Belay.builder()
                .model(model)
                .model("small", small)
                .maxContextTokens(128_000) // rolling history is on
                .configurePlugins(stack -> stack.replace(new RollingHistory(
                        RollingHistory.Config.DEFAULT.withModel("small").withHead(1_000))))
                .build();
    }
    // endregion

    // region read
    static void read(Session session, PrintStream out) {
        for (Compaction step : session.history()) {
            out.println("before round " + step.round() + " of turn " + step.turn() + ": " + step.dropped()
                    + " messages dropped, " + step.shortened() + " shortened, by " + step.plugin() + " with "
                    + step.models());
        }
        SentRequest sent = session.request(17, 1).orElseThrow(); // turn 17, round 1
        sent.messages().forEach(out::println);
    }
    // endregion

    // region view
    static void view(PluginRegistrar on) {
        on.history()
                .view((view, messages) -> messages.stream()
                        .filter(message -> !message.equals(Message.user("ping"))) // leaves whole messages out
                        .toList());
    }
    // endregion

    // region compactor
    static void compactor(PluginRegistrar on) {
        on.history().compactor((HistoryHook.Request request) -> {
            if (request.running() == 0) {
                return Optional.empty(); // there is nothing older: the next compactor may try
            }
            List<Message> kept = new ArrayList<>();
            kept.add(Message.user("[" + request.running() + " older messages were left out.]"));
            kept.addAll(request.messages().subList(request.running(), request.messages().size()));
            return Optional.of(kept);
        });
    }
    // endregion
}

package dev.belay.tests.history;

import static dev.belay.tests.history.HistoryBench.look;
import static dev.belay.tests.history.HistoryBench.plugin;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.Message;
import dev.belay.model.Message.ToolMessage;
import dev.belay.model.ModelRequest;
import dev.belay.model.Part.ReplyPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.history.SentRequest;
import dev.belay.runtime.plugin.HistoryHook;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.store.SessionStore;
import dev.belay.runtime.store.memory.SharedMemory;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Contract O.9, O.3: views of the history. */
class ViewTest {

    private final HistoryBench bench = new HistoryBench();

    SessionStore store() {
        return new SharedMemory().open();
    }

    private static PluginFactory view(HistoryHook.View view) {
        return plugin("own", on -> on.history().view(view));
    }

    private static Message shorter(Message message) {
        return message instanceof ToolMessage tools
                ? new ToolMessage(tools.replies()
                        .stream()
                        .map(reply -> new ReplyPart(reply.callId(), reply.toolName(), reply.status(), "seen"))
                        .toList())
                : message;
    }

    private static HistoryHook.View shortening() {
        return (view, messages) -> messages.stream().map(ViewTest::shorter).toList();
    }

    @Test
    void theModelSeesTheViewAndTheConversationStays() throws Exception {
        try (Belay belay = Belay.builder()
                .store(store())
                .model(bench.looking(1))
                .tools(look(1))
                .plugin(view(shortening()))
                .build()) {
            Session session = belay.session("s");
            session.turn("Look.").run();
            assertThat(bench.requests.getLast().messages().getLast().toString()).contains("seen");
            assertThat(session.messages().get(2).toString()).contains(HistoryBench.LONG);
            assertThat(session.request(1, 2).orElseThrow().messages())
                    .isEqualTo(bench.requests.getLast().messages());
        }
    }

    @Test
    void aLoopOfYourOwnSeesItToo() {
        try (Belay belay = Belay.builder()
                .store(store())
                .model(bench.looking(0))
                .plugin(view((view, messages) -> messages.subList(messages.size() - 1, messages.size())))
                .build()) {
            for (int i = 0; i < 3; i++) {
                try (OpenTurn turn = belay.session("s").begin("Question " + i)) {
                    turn.step().answer();
                }
            }
            assertThat(bench.requests.getLast().messages()).containsExactly(Message.user("Question 2"));
            assertThat(belay.session("s").request(3, 1).orElseThrow().messages())
                    .containsExactly(Message.user("Question 2"));
        }
    }

    @Test
    void aViewThatFailsOrIsNotWellFormedIsLeftOut() throws Exception {
        for (HistoryHook.View bad : List.<HistoryHook.View>of((view, messages) -> {
            throw new IllegalStateException("no view");
        }, (view, messages) -> List.of(), (view, messages) -> messages.stream()
                .filter(message -> !(message instanceof ToolMessage))
                .toList())) {
            bench.requests.clear();
            try (Belay belay = Belay.builder()
                    .store(store())
                    .model(bench.looking(1))
                    .tools(look(1))
                    .plugin(view(bad))
                    .build()) {
                Session session = belay.session("s");
                assertThat(session.turn("Look.").run().isFinished()).isTrue();
                assertThat(bench.requests.getLast().messages()).hasSize(3);
                SentRequest sent = session.request(1, 2).orElseThrow();
                assertThat(sent.messages()).isEqualTo(bench.requests.getLast().messages());
                assertThat(sent.failed()).singleElement()
                        .asString()
                        .startsWith("own: its view is left out: ");
            }
        }
    }

    @Test
    void viewsSeeThePartSinceTheLastCompaction() throws Exception {
        List<Integer> sizes = new CopyOnWriteArrayList<>();
        try (Belay belay = Belay.builder()
                .store(store())
                .model(bench.looking(1))
                .tools(look(1))
                .maxContextTokens(8_000)
                .plugin(view((view, messages) -> {
                    sizes.add(messages.size());
                    return messages;
                }))
                .build()) {
            for (int i = 0; i < 40; i++) {
                belay.session("s").turn("Question " + i).run();
            }
            assertThat(belay.session("s").history()).hasSizeGreaterThan(3);
            assertThat(sizes).allMatch(size -> size < 40);
            assertThat(bench.requests).extracting(ModelRequest::messages)
                    .allSatisfy(messages -> assertThat(dev.belay.model.History.problems(messages)).isEmpty());
        }
    }
}

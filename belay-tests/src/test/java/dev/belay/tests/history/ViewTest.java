package dev.belay.tests.history;

import static dev.belay.tests.history.HistoryBench.look;
import static dev.belay.tests.history.HistoryBench.plugin;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.FinishReason;
import dev.belay.model.Message;
import dev.belay.model.Message.AssistantMessage;
import dev.belay.model.Message.ToolMessage;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.NativePayload;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.Part.TextPart;
import dev.belay.model.Usage;
import dev.belay.runtime.Belay;
import dev.belay.runtime.history.SentRequest;
import dev.belay.runtime.plugin.HistoryHook;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.tests.session.SessionBench;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract O.9, O.3: views of the history. */
class ViewTest {

    private final HistoryBench bench = new HistoryBench();

    Store store() {
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
                assertThat(session.turn("Look.").run()).isInstanceOf(TurnResult.Finished.class);
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
    void anAssistantMessageThatAViewChangesLosesItsProvidersFormAndOthersKeepIt() throws Exception {
        var payload = new NativePayload("test", Json.of("{\"signature\":\"abc\"}"));
        try (Belay belay = Belay.builder()
                .store(store())
                .model(bench.answering(request -> new ModelResponse(
                        new AssistantMessage(List.of(new TextPart("answer " + bench.requests.size())),
                                payload),
                        FinishReason.STOP, Usage.NONE, "m", "")))
                .plugin(view((view, messages) -> messages.stream()
                        .map(one -> one instanceof AssistantMessage said && said.text().equals("answer 1")
                                ? new AssistantMessage(List.of(new TextPart("changed")), said.nativePayload())
                                : one)
                        .toList()))
                .build()) {
            for (int i = 0; i < 3; i++) {
                belay.session("s").turn("Question " + i).run();
            }
            List<Message> sent = bench.requests.getLast().messages();
            assertThat(sent.get(1)).isEqualTo(new AssistantMessage(List.of(new TextPart("changed"))));
            assertThat(((AssistantMessage) sent.get(3)).nativePayload()).isEqualTo(payload);
            assertThat(((AssistantMessage) belay.session("s").messages().get(1)).nativePayload())
                    .as("in the conversation")
                    .isEqualTo(payload);
        }
    }

    private static boolean isRound(Message message) {
        return message instanceof AssistantMessage || message instanceof ToolMessage;
    }

    /** Leaves out the newest round if there is one, and all older ones if it is told so. */
    private static HistoryHook.View dropping(boolean olderToo) {
        return (view, messages) -> {
            int question = messages.lastIndexOf(Message.user("Look again."));
            int from = olderToo ? 0 : Math.max(0, question);
            return question < 0
                    ? messages
                    : IntStream.range(0, messages.size())
                            .filter(at -> at < from || !isRound(messages.get(at)))
                            .mapToObj(messages::get)
                            .toList();
        };
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void roundsOfTheRunningTurnGoOnlyIfAllOlderOnesDo(boolean olderToo) throws Exception {
        try (Belay belay = Belay.builder()
                .store(store())
                .model(bench.answering(request -> bench.requests.size() % 2 == 1
                        ? SessionBench
                                .calls(List.of(SessionBench.call("call-" + bench.requests.size(), "look")))
                        : SessionBench.text("done")))
                .tools(look(1))
                .plugin(view(dropping(olderToo)))
                .build()) {
            Session session = belay.session("s");
            session.turn("Look.").run();
            session.turn("Look again.").run();
            SentRequest sent = session.request(2, 2).orElseThrow();
            assertThat(sent.messages()).isEqualTo(bench.requests.getLast().messages());
            if (olderToo) {
                assertThat(sent.messages()).containsExactly(Message.user("Look."),
                        Message.user("Look again."));
                assertThat(sent.failed()).isEmpty();
            } else {
                assertThat(sent.messages()).isEqualTo(session.messages().subList(0, 7));
                assertThat(sent.failed())
                        .containsExactly("own: its view is left out: it leaves out a round of"
                                + " the running turn and keeps older ones");
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

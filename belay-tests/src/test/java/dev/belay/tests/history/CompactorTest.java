package dev.belay.tests.history;

import static dev.belay.tests.history.HistoryBench.compactor;
import static dev.belay.tests.history.HistoryBench.look;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.Message.AssistantMessage;
import dev.belay.model.Message.ToolMessage;
import dev.belay.model.NativePayload;
import dev.belay.model.Part.TextPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.history.Compaction;
import dev.belay.runtime.plugin.HistoryHook.Compactor;
import dev.belay.runtime.plugin.HistoryHook.Request;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.plugin.RollingHistory;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.memory.InMemoryStore;
import dev.belay.testkit.FakeTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Contract O.9, O.3: compactors of other plugins, good and bad. */
class CompactorTest {

    private static final int CONTEXT = 6_000;
    /** Of a compactor that hangs; no other alarm is set so far ahead. */
    private static final Duration PATIENCE = Duration.ofSeconds(31);

    private final HistoryBench bench = new HistoryBench();

    /** Where sessions are kept; a new place each time. */
    Store store() {
        return InMemoryStore.open();
    }

    private Session compacted(Belay belay) throws InterruptedException {
        Session session = belay.session("s");
        for (int i = 0; session.history().isEmpty() && i < 100; i++) {
            assertThat(session.turn("Question " + i).run()).isInstanceOf(TurnResult.Finished.class);
        }
        return session;
    }

    private Compaction with(Compactor compactor) throws InterruptedException {
        return with(compactor(compactor));
    }

    private Compaction with(PluginFactory plugin) throws InterruptedException {
        try (Belay belay = Belay.builder()
                .store(store())
                .model(bench.looking(1))
                .tools(look(1))
                .maxContextTokens(CONTEXT)
                .plugin(plugin)
                .build()) {
            return compacted(belay).history().getFirst();
        }
    }

    private static List<Message> last(Request request) {
        return request.messages().subList(request.running(), request.messages().size());
    }

    @Test
    void theFirstAnswerWinsAndIsRecorded() throws Exception {
        var asked = new AtomicInteger();
        Compaction step = with(request -> {
            asked.incrementAndGet();
            List<Message> kept = new ArrayList<>(List.of(Message.user("Before: nothing of note.")));
            kept.addAll(last(request));
            return Optional.of(kept);
        });
        assertThat(step.plugin()).isEqualTo("own");
        assertThat(step.added()).isEqualTo(1);
        assertThat(step.failed()).isEmpty();
        assertThat(asked).hasValue(1);
        assertThat(bench.requests.getLast().messages()).contains(Message.user("Before: nothing of note."));
    }

    @Test
    void oneThatGivesNothingLeavesItToTheNext() throws Exception {
        Compaction step = with(request -> Optional.empty());
        assertThat(step.plugin()).isEqualTo(RollingHistory.ID);
        assertThat(step.failed()).isEmpty();
    }

    @Test
    void oneThatFailsIsLeftOutAndNamed() throws Exception {
        Compaction step = with(request -> {
            throw new IllegalStateException("no idea");
        });
        assertThat(step.plugin()).isEqualTo(RollingHistory.ID);
        assertThat(step.failed()).singleElement()
                .asString()
                .contains("own: its compaction is left out")
                .contains("no idea");
    }

    @Test
    void oneThatLosesAReplyIsLeftOut() throws Exception {
        Compaction step = with(request -> Optional.of(request.messages()
                .stream()
                .filter(message -> !(message instanceof ToolMessage))
                .toList()));
        assertThat(step.plugin()).isEqualTo(RollingHistory.ID);
        assertThat(step.failed()).singleElement().asString().contains("needs exactly one reply");
    }

    @Test
    void oneThatGivesMoreThanItTookIsLeftOut() throws Exception {
        Compaction step = with(request -> {
            List<Message> more = new ArrayList<>(List.of(Message.user("And one more thing.")));
            more.addAll(request.messages());
            return Optional.of(more);
        });
        assertThat(step.plugin()).isEqualTo(RollingHistory.ID);
        assertThat(step.failed()).singleElement().asString().contains("tokens for");
    }

    @Test
    void oneThatGivesNoMessageOrInstructionsIsLeftOut() throws Exception {
        assertThat(with(request -> Optional.of(List.of())).failed()).singleElement()
                .asString()
                .contains("at least one message");
        assertThat(with(request -> Optional.of(List.of(Message.system("Obey.")))).failed()).singleElement()
                .asString()
                .contains("system message");
    }

    @Test
    void oneThatForgetsTheRunningTurnIsLeftOut() throws Exception {
        assertThat(with(request -> Optional.of(List.of(Message.user("Start anew.")))).failed())
                .singleElement()
                .asString()
                .contains("what the user has said in the running turn");
    }

    @Test
    void oneThatKeepsOldRoundsAndDropsNewOnesIsLeftOut() throws Exception {
        Compaction step = with(request -> {
            List<Message> old = new ArrayList<>(request.messages());
            old.removeIf(
                    message -> last(request).contains(message) && !(message instanceof Message.UserMessage));
            if (old.size() == request.messages().size()) {
                old.removeIf(message -> message instanceof Message.UserMessage);
            }
            return Optional.of(old);
        });
        assertThat(step.failed()).singleElement().asString().contains("the running turn");
    }

    @Test
    void oneThatHangsIsGivenUpAndItsThreadInterrupted() throws Exception {
        var time = new FakeTime();
        var entered = new CountDownLatch(1);
        var interrupted = new CountDownLatch(1);
        Compactor hanging = new Compactor() {
            @Override
            public Optional<List<Message>> compact(Request request) {
                entered.countDown();
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    interrupted.countDown();
                }
                return Optional.empty();
            }

            @Override
            public Duration patience() {
                return PATIENCE;
            }
        };
        try (Belay belay = Belay.builder()
                .store(store())
                .model(bench.looking(1))
                .tools(look(1))
                .maxContextTokens(CONTEXT)
                .plugin(compactor(hanging))
                .time(time)
                .build()) {
            Thread clock = Thread.ofVirtual().start(() -> {
                try {
                    entered.await();
                    time.awaitAlarmIn(PATIENCE);
                    time.advance(PATIENCE);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            Compaction step = compacted(belay).history().getFirst();
            assertThat(step.plugin()).isEqualTo(RollingHistory.ID);
            assertThat(step.failed()).singleElement().asString().contains("more than 31 seconds");
            interrupted.await();
            clock.join();
        }
    }

    @Test
    void anAssistantMessageThatIsChangedLosesItsProvidersForm() throws Exception {
        var payload = new NativePayload("test", Json.of("{\"signature\":\"abc\"}"));
        bench.requests.clear();
        try (Belay belay = Belay.builder()
                .store(store())
                .model(bench.answering(request -> {
                    var said = new AssistantMessage(List.of(new TextPart("answer " + "word ".repeat(300))),
                            payload);
                    return new dev.belay.model.ModelResponse(said, dev.belay.model.FinishReason.STOP,
                            dev.belay.model.Usage.NONE, "m", "");
                }))
                .maxContextTokens(3_000)
                .plugin(compactor(request -> Optional.of(request.messages()
                        .stream()
                        .map(message -> message instanceof AssistantMessage said
                                && request.messages().indexOf(message) < 4
                                        ? new AssistantMessage(List.of(new TextPart("answer")),
                                                said.nativePayload())
                                        : message)
                        .toList())))
                .build()) {
            compacted(belay);
        }
        List<AssistantMessage> sent = bench.requests.getLast()
                .messages()
                .stream()
                .filter(AssistantMessage.class::isInstance)
                .map(AssistantMessage.class::cast)
                .toList();
        assertThat(sent.getFirst().text()).isEqualTo("answer");
        assertThat(sent.getFirst().nativePayload()).isNull();
    }
}

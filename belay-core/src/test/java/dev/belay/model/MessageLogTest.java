package dev.belay.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.model.Message.AssistantMessage;
import dev.belay.model.Part.CallPart;
import java.util.ArrayList;
import java.util.List;
import java.util.RandomAccess;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class MessageLogTest {

    private static final Message ASK = Message.user("go");
    private static final Message CALL = Message.assistant(new CallPart("1", "f", "{}"));

    @Test
    void anAppendedMessageIsLastAndTheOldLogStays() {
        MessageLog one = MessageLog.empty().append(ASK);
        MessageLog three = one.append(List.of(CALL, Message.system("s")));
        assertThat(MessageLog.empty()).isEmpty();
        assertThat(one).containsExactly(ASK).isInstanceOf(RandomAccess.class);
        assertThat(three).containsExactly(ASK, CALL, Message.system("s"));
        assertThat(three.getLast()).isEqualTo(Message.system("s"));
    }

    @Test
    void itIsAListLikeAnyOther() {
        List<Message> list = List.of(ASK, CALL);
        assertThat((List<Message>) MessageLog.of(list)).isEqualTo(list).hasSameHashCodeAs(list);
        assertThat(list).isEqualTo(MessageLog.of(list));
        assertThat(MessageLog.of(MessageLog.of(list)).subList(1, 2)).containsExactly(CALL);
        assertThat(MessageLog.empty().append(List.of())).isSameAs(MessageLog.empty());
        MessageLog log = MessageLog.of(list);
        assertThat(MessageLog.of(log)).isSameAs(log);
        assertThat(List.copyOf(log)).isEqualTo(list);
    }

    @Test
    @SuppressWarnings("NullAway") // what a caller without the checker may do
    void nothingElseGoesIn() {
        MessageLog log = MessageLog.of(List.of(ASK));
        assertThatThrownBy(() -> log.append((Message) null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> log.add(CALL)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> log.set(0, CALL)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> log.remove(0)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(log::clear).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> log.get(-1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> log.get(1)).isInstanceOf(IndexOutOfBoundsException.class);
        log.append(CALL);
        assertThatThrownBy(() -> log.get(1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void twoAppendsToOneLogAreForks() {
        for (int length = 0; length < 70; length++) {
            MessageLog past = numbered(length);
            MessageLog left = past.append(Message.user("left"));
            MessageLog right = past.append(Message.user("right"));
            MessageLog more = left.append(Message.user("more"));
            assertThat(past).as("length %d", length).hasSize(length);
            assertThat(left.getLast()).isEqualTo(Message.user("left"));
            assertThat(right.getLast()).isEqualTo(Message.user("right"));
            assertThat(right.subList(0, length)).isEqualTo(past);
            assertThat(more.subList(0, length + 1)).isEqualTo(left);
        }
    }

    @Test
    void threadsThatAppendToOneLogEachGetTheirs() throws Exception {
        int threads = 4;
        int rounds = 300;
        try (var pool = Executors.newFixedThreadPool(threads)) {
            var start = new CyclicBarrier(threads);
            List<MessageLog> pasts = new ArrayList<>();
            for (int i = 0; i < rounds; i++) {
                pasts.add(numbered(i % 40));
            }
            List<Future<List<MessageLog>>> running = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                Message own = Message.user("thread " + thread);
                running.add(pool.submit(() -> {
                    List<MessageLog> logs = new ArrayList<>();
                    for (MessageLog past : pasts) {
                        start.await();
                        logs.add(past.append(own).append(own));
                    }
                    return logs;
                }));
            }
            for (int thread = 0; thread < threads; thread++) {
                Message own = Message.user("thread " + thread);
                List<MessageLog> logs = running.get(thread).get();
                for (int i = 0; i < rounds; i++) {
                    List<Message> expected = new ArrayList<>(numbered(i % 40));
                    expected.addAll(List.of(own, own));
                    assertThat((List<Message>) logs.get(i)).isEqualTo(expected);
                    assertThat(logs.get(i).hash()).isEqualTo(MessageLog.of(expected).hash());
                }
            }
        }
    }

    /** The values were made with sha256sum from the lines of the golden file. */
    @Test
    void theHashIsPinned() {
        MessageLog log = MessageLog.empty();
        assertThat(log.hash()).isEqualTo("f0511c669ec2751303c71540234b2c8882742f4e9fee0b89702d0b7407826579");
        log = log.append(Message.system("You are a clerk."));
        assertThat(log.hash()).isEqualTo("cb1bd0d263467e6e8e0dabb0ba046dc288e1c26ebd97e7f2ab051aed0a8f0ff3");
        log = log.append(new AssistantMessage(List.of(),
                new NativePayload("p", Json.of(" {\"a\": 1.0,\n \"b\": []}\n"))));
        assertThat(log.hash()).isEqualTo("7199c8ac89d27e0c44ac04e428307c565312c5fc05554f27491c32b4529332d4");
    }

    @Test
    void theHashIsOfTheMessagesAndNotOfTheWayTheyCame() {
        MessageLog past = numbered(30);
        MessageLog asked = past.append(ASK);
        MessageLog fork = past.append(CALL);
        assertThat(fork.append(ASK).hash()).isEqualTo(MessageLog.of(List.copyOf(fork)).append(ASK).hash());
        assertThat(asked.hash()).isNotEqualTo(fork.hash());
        assertThat(past.hash()).isEqualTo(numbered(30).hash()).isNotEqualTo(asked.hash());
        assertThat(MessageLog.of(List.of(ASK, CALL)).hash())
                .isNotEqualTo(MessageLog.of(List.of(CALL, ASK)).hash());
    }

    @Test
    void aRequestTakesALogAsItIs() {
        MessageLog log = MessageLog.of(List.of(Message.system("s"), ASK));
        ModelRequest request = ModelRequest.builder(log).build();
        assertThat(request.messages()).isSameAs(log);
        assertThat(request.toBuilder().build().messages()).isSameAs(log);
        assertThat(request).isEqualTo(ModelRequest.of(Message.system("s"), ASK));
    }

    @Test
    void anyOtherListIsCopied() {
        List<Message> list = new ArrayList<>(List.of(ASK));
        ModelRequest request = ModelRequest.builder(list).build();
        list.add(CALL);
        assertThat(request.messages()).containsExactly(ASK);
    }

    /** Compared with work that does grow, so that the speed of the machine does not count. */
    @Test
    void whatIsNewDoesNotCostMoreAfterALongPast() {
        List<Message> past = List.copyOf(numbered(20_000));
        MessageLog log = MessageLog.of(past);
        log.hash();
        assertThat(quickest(() -> ModelRequest.builder(log).build())).as("a request")
                .isLessThan(quickest(() -> ModelRequest.builder(past).build()) / 20);
        assertThat(quickest(() -> log.append(ASK).hash())).as("a message more")
                .isLessThan(quickest(() -> MessageLog.of(past).hash()) / 20);
        assertThat(quickest(log::characters)).as("its length")
                .isLessThan(quickest(() -> MessageLog.of(past).characters()) / 20);
    }

    @Test
    void theLengthIsWhatAModelReads() {
        assertThat(MessageLog.empty().characters()).isZero();
        MessageLog one = MessageLog.of(List.of(Message.system("12345"), ASK));
        assertThat(one.characters()).isEqualTo(7);
        MessageLog two = one.append(Message.assistant(new Part.ReasoningPart("123"), new Part.TextPart("1"),
                new CallPart("id", "name", "{}")));
        assertThat(two.characters()).isEqualTo(17);
        assertThat(two.append(Message.replies(
                new Part.ReplyPart("id", "name", Part.ReplyPart.Status.OK, "1234"))).characters())
                .isEqualTo(21);
        assertThat(one.append(Message.assistant("another way")).characters()).as("a fork").isEqualTo(18);
        assertThat(one.characters()).isEqualTo(7);
    }

    private static long quickest(Supplier<?> work) {
        long quickest = Long.MAX_VALUE;
        for (int i = 0; i < 20; i++) {
            long start = System.nanoTime();
            assertThat(work.get()).isNotNull();
            quickest = Math.min(quickest, System.nanoTime() - start);
        }
        return quickest;
    }

    private static MessageLog numbered(int length) {
        MessageLog log = MessageLog.empty();
        for (int i = 0; i < length; i++) {
            log = log.append(Message.user("message " + i));
        }
        return log;
    }

    @Test
    void aFrameStandsAroundTheMessagesAndLeavesTheLogAlone() {
        MessageLog log = MessageLog.of(List.of(Message.system("old"), Message.user("hi")));
        MessageLog framed = log.framed(Message.system("new"), Message.user("now"));
        assertThat(framed).containsExactly(Message.system("new"), Message.user("hi"), Message.user("now"));
        assertThat(log.framed(null, Message.user("now"))).containsExactly(Message.system("old"),
                Message.user("hi"), Message.user("now"));
        assertThat(MessageLog.of(List.of(Message.user("hi"))).framed(Message.system("new"), null))
                .containsExactly(Message.system("new"), Message.user("hi"));
        assertThat(log.append(Message.user("more"))).containsExactly(Message.system("old"),
                Message.user("hi"),
                Message.user("more"));
        MessageLog copied = MessageLog.empty().append(List.copyOf(framed));
        assertThat(framed.characters()).isEqualTo(copied.characters());
        assertThat(framed.bytes()).isEqualTo(copied.bytes());
        assertThat(framed.append(Message.user("more"))).isEqualTo(copied.append(Message.user("more")));
        assertThat(List.of(log.hash(), framed.hash(), log.framed(Message.system("new"), null).hash()))
                .doesNotHaveDuplicates();
    }

    @Test
    void aFrameBehindCallsWithoutRepliesIsNotWellFormed() {
        MessageLog log = MessageLog.of(List.of(Message.user("hi"),
                Message.assistant(new Part.CallPart("a", "look", "{}"))));
        assertThatThrownBy(() -> ModelRequest.builder(log.framed(null, Message.user("now"))).build())
                .isInstanceOf(InvalidRequestException.class);
    }
}

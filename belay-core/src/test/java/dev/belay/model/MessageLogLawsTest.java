package dev.belay.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.belay.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A log says of its messages what a list says of them, however it came about. */
class MessageLogLawsTest {

    private static final int RUNS = 3_000;

    @Test
    void problemsOfEveryLengthAreThoseOfTheList() {
        int sound = 0;
        int broken = 0;
        for (long seed = 0; seed < RUNS; seed++) {
            var random = new Random(seed);
            List<Message> history = new RandomMessages(random).history(random.nextInt(8),
                    random.nextBoolean());
            MessageLog log = MessageLog.empty();
            for (int length = 0; length <= history.size(); length++) {
                List<RequestProblem> expected = History.problems(history.subList(0, length));
                assertThat(History.problems(log)).as("seed %d, length %d", seed, length).isEqualTo(expected);
                sound += expected.isEmpty() ? 1 : 0;
                broken += log.isSound() ? 0 : 1;
                if (length < history.size()) {
                    log = log.append(history.get(length));
                }
            }
        }
        assertThat(sound).as("well-formed").isGreaterThan(RUNS);
        assertThat(broken).as("beyond repair").isGreaterThan(RUNS);
    }

    @Test
    void requestsAreRefusedForTheSameReasons() {
        for (long seed = 0; seed < RUNS; seed++) {
            var random = new Random(seed);
            List<Message> history = new RandomMessages(random).history(random.nextInt(5), true);
            InvalidRequestException ofList = catchThrowableOfType(InvalidRequestException.class,
                    () -> ModelRequest.builder(history).build());
            InvalidRequestException ofLog = catchThrowableOfType(InvalidRequestException.class,
                    () -> ModelRequest.builder(MessageLog.of(history)).build());
            assertThat(ofLog == null).as("seed %d", seed).isEqualTo(ofList == null);
            if (ofLog != null && ofList != null) {
                assertThat(ofLog.problems()).as("seed %d", seed).isEqualTo(ofList.problems());
                assertThat(ofLog).as("seed %d", seed).hasMessage(ofList.getMessage());
            }
        }
    }

    /** Halves of characters included: what was stored and read again is the same conversation. */
    @Test
    void whatIsReadBackHasTheSameHash() {
        for (long seed = 0; seed < RUNS; seed++) {
            var random = new Random(seed);
            var messages = new RandomMessages(random, random.nextBoolean());
            MessageLog log = MessageLog.empty();
            MessageLog read = MessageLog.empty();
            for (int left = random.nextInt(6); left > 0; left--) {
                Message message = messages.message();
                log = log.append(message);
                read = read.append(MessageJson.message(Json.of(MessageJson.of(message).text())));
            }
            assertThat(read.hash()).as("seed %d", seed).isEqualTo(log.hash());
        }
    }

    /** A tree of forks beside a tree of copies. */
    @Test
    void forksHoldWhatCopiesHold() {
        for (long seed = 0; seed < RUNS / 10; seed++) {
            var random = new Random(seed);
            var messages = new RandomMessages(random);
            List<MessageLog> logs = new ArrayList<>(List.of(MessageLog.empty()));
            List<List<Message>> copies = new ArrayList<>(List.of(List.of()));
            for (int step = 0; step < 60; step++) {
                int from = random.nextInt(3) == 0 ? random.nextInt(logs.size()) : logs.size() - 1;
                List<Message> more = new ArrayList<>();
                for (int left = random.nextInt(3); left >= 0; left--) {
                    more.add(messages.message());
                }
                List<Message> copy = new ArrayList<>(copies.get(from));
                copy.addAll(more);
                copies.add(copy);
                logs.add(logs.get(from).append(more));
                if (random.nextInt(4) == 0) {
                    logs.get(random.nextInt(logs.size())).hash();
                }
            }
            for (int i = 0; i < logs.size(); i++) {
                assertThat((List<Message>) logs.get(i)).as("seed %d, log %d", seed, i)
                        .isEqualTo(copies.get(i));
                assertThat(logs.get(i).hash()).as("seed %d, log %d", seed, i)
                        .isEqualTo(MessageLog.of(copies.get(i)).hash());
                assertThat(History.problems(logs.get(i))).as("seed %d, log %d", seed, i)
                        .isEqualTo(History.problems(copies.get(i)));
            }
        }
    }
}

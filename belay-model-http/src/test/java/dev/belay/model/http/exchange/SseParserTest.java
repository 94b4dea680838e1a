package dev.belay.model.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.model.http.ServerEvent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Bytes become the same events wherever they were cut. */
class SseParserTest {

    private static final int PLENTY = 1 << 20;

    @Test
    void anEventHasATypeAndData() throws EventTooLongException {
        assertThat(whole("event: ping\ndata: {}\n\ndata: hello\n\n")).containsExactly(
                new ServerEvent("ping", "{}"),
                new ServerEvent("message", "hello"));
    }

    @Test
    void dataOfSeveralLinesIsJoined() throws EventTooLongException {
        assertThat(whole("data: a\ndata:b\ndata\ndata:  c\n\n"))
                .containsExactly(new ServerEvent("message", "a\nb\n\n c"));
    }

    @Test
    void linesEndInAnyWay() throws EventTooLongException {
        List<ServerEvent> expected = List.of(new ServerEvent("x", "1\n2"), new ServerEvent("message", "3"));
        assertThat(whole("event:x\ndata:1\ndata:2\n\ndata:3\n\n")).isEqualTo(expected);
        assertThat(whole("event:x\r\ndata:1\r\ndata:2\r\n\r\ndata:3\r\n\r\n")).isEqualTo(expected);
        assertThat(whole("event:x\rdata:1\rdata:2\r\rdata:3\r\r")).isEqualTo(expected);
        assertThat(whole("event:x\r\ndata:1\rdata:2\n\r\ndata:3\r\r\n")).isEqualTo(expected);
    }

    @Test
    void aReturnEndsALineBeforeTheNextByteIsThere() throws EventTooLongException {
        SseParser parser = new SseParser(PLENTY);
        feed(parser, "data:1\r\r");
        assertThat(parser.poll()).isEqualTo(new ServerEvent("message", "1"));
        feed(parser, "\ndata:2\r\n\r\n");
        assertThat(parser.poll()).isEqualTo(new ServerEvent("message", "2"));
    }

    @Test
    void whatIsNotDataIsSkipped() throws EventTooLongException {
        assertThat(whole(": comment\n:\nid: 7\nretry: 10\nunknown: x\nevent: lonely\n\n\n\ndata: x\n\n"))
                .containsExactly(new ServerEvent("message", "x"));
    }

    @Test
    void linesThatAreNoFieldAreKeptWithinABound() throws EventTooLongException {
        SseParser parser = new SseParser(PLENTY);
        feed(parser, ": comment\nid: 7\nretry: 10\nGateway down\n\nzebra: late\ndata: x\n\n");
        assertThat(parser.stray()).isEqualTo("Gateway down\nzebra: late");
        feed(parser, "x".repeat(5_000) + "\n\n" + "y".repeat(5_000) + "\n\n");
        assertThat(parser.stray()).hasSizeLessThan(1_010).endsWith("xxx");
    }

    @Test
    void theLastEmptyLineMayBeMissing() throws EventTooLongException {
        assertThat(whole("data: x")).containsExactly(new ServerEvent("message", "x"));
        assertThat(whole("data: x\n")).containsExactly(new ServerEvent("message", "x"));
        assertThat(whole("event: x\n")).isEmpty();
    }

    @Test
    void anEventHasABound() {
        assertThatThrownBy(() -> whole("data: " + "x".repeat(100), 50))
                .isInstanceOf(EventTooLongException.class);
        assertThatThrownBy(() -> whole("data: xxxxxxxxxxx\n".repeat(10), 50))
                .isInstanceOf(EventTooLongException.class);
    }

    @Test
    void theBoundIsForEachEventAlone() throws EventTooLongException {
        assertThat(whole("data: xxxxxxxxxxx\n\n".repeat(100), 50)).hasSize(100);
        assertThat(whole(": keep-alive\n".repeat(100) + "data: x\n\n", 50)).hasSize(1);
    }

    @Test
    void everyCutIsTheSame() throws EventTooLongException {
        String text = ": żółć\r\nevent: ł\r\ndata: {\"a\":\"🧗 日本\"}\r\rdata: 1\ndata: é\n\r\n:x\n\ndata: last";
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        List<ServerEvent> expected = List.of(new ServerEvent("ł", "{\"a\":\"🧗 日本\"}"),
                new ServerEvent("message", "1\né"),
                new ServerEvent("message", "last"));
        for (int first = 0; first <= bytes.length; first++) {
            for (int second = first; second <= bytes.length; second++) {
                assertThat(parsed(bytes, PLENTY, first, second)).as("cut at %d and %d", first, second)
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void randomStreamsSurviveRandomCuts() throws EventTooLongException {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            List<ServerEvent> expected = new ArrayList<>();
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(8); i >= 0; i--) {
                String data = words(random);
                String end = List.of("\n", "\r\n", "\r").get(random.nextInt(3));
                text.append(random.nextBoolean() ? ":noise" + end : "")
                        .append("event: t")
                        .append(i)
                        .append(end);
                data.lines().forEach(line -> text.append("data: ").append(line).append(end));
                text.append(end);
                expected.add(
                        new ServerEvent("t" + i, data.lines().reduce((a, b) -> a + "\n" + b).orElseThrow()));
            }
            byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
            int[] cuts = random.ints(5, 0, bytes.length + 1).sorted().toArray();
            assertThat(parsed(bytes, PLENTY, cuts)).as("seed %d", seed).isEqualTo(expected);
        }
    }

    private static String words(Random random) {
        String alphabet = "abc:é日🧗 \n";
        StringBuilder words = new StringBuilder("x");
        for (int i = random.nextInt(12); i > 0; i--) {
            int at = alphabet.offsetByCodePoints(0,
                    random.nextInt(alphabet.codePointCount(0, alphabet.length())));
            words.appendCodePoint(alphabet.codePointAt(at));
        }
        return words.append('y').toString();
    }

    private static List<ServerEvent> whole(String text) throws EventTooLongException {
        return whole(text, PLENTY);
    }

    private static List<ServerEvent> whole(String text, int bound) throws EventTooLongException {
        return parsed(text.getBytes(StandardCharsets.UTF_8), bound);
    }

    private static List<ServerEvent> parsed(byte[] bytes, int bound, int... cuts)
            throws EventTooLongException {
        SseParser parser = new SseParser(bound);
        List<ServerEvent> events = new ArrayList<>();
        int from = 0;
        for (int cut : cuts) {
            parser.feed(bytes, from, cut - from);
            drain(parser, events);
            from = cut;
        }
        parser.feed(bytes, from, bytes.length - from);
        parser.end();
        drain(parser, events);
        return events;
    }

    private static void drain(SseParser parser, List<ServerEvent> events) {
        for (ServerEvent event = parser.poll(); event != null; event = parser.poll()) {
            events.add(event);
        }
    }

    private static void feed(SseParser parser, String text) throws EventTooLongException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        parser.feed(bytes, 0, bytes.length);
    }
}

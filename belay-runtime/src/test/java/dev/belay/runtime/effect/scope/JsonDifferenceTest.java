package dev.belay.runtime.effect.scope;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Pins how a difference between a record and a request reads (contract L.2). */
class JsonDifferenceTest {

    @Test
    void equalValuesHaveNone() {
        assertThat(JsonDifference.between(Json.of("{\"a\":1.0,\"b\":[\"x\"]}"),
                Json.of("{ \"b\" : [\"\\u0078\"], \"a\" : 1 }"))).isEmpty();
    }

    @Test
    void everyPlaceIsNamedByItsPointer() {
        assertThat(difference("""
                {"tool":"refund","arguments":{"amount":10,"notes":["a","b"],"a/b~c":true,"gone":null}}
                """,
                """
                        {"tool":"refund","arguments":{"amount":10.5,"notes":["a","c","d"],"a/b~c":false,"new":{"x":1}}}
                        """))
                .isEqualTo("""
                        6 places differ:
                          /arguments/a~1b~0c: recorded true, now false
                          /arguments/amount: recorded 10, now 10.5
                          /arguments/gone: recorded null, now nothing
                          /arguments/new: recorded nothing, now {"x":1}
                          /arguments/notes/1: recorded "b", now "c"
                          /arguments/notes/2: recorded nothing, now "d\"""");
    }

    @Test
    void anotherKindIsShownWhole() {
        assertThat(difference("{\"a\":[1, 2]}", "{\"a\":{\"0\":1}}")).isEqualTo("""
                1 place differs:
                  /a: recorded [1,2], now {"0":1}""");
        assertThat(difference("1", "\"1\"")).isEqualTo("""
                1 place differs:
                  the whole: recorded 1, now "1\"""");
    }

    @Test
    void digitsThatADoubleLosesStillDiffer() {
        assertThat(difference("{\"id\":9007199254740993}", "{\"id\":9007199254740992}")).isEqualTo("""
                1 place differs:
                  /id: recorded 9007199254740993, now 9007199254740992""");
    }

    @Test
    void onlyTheFirstEightPlacesAreNamed() {
        assertThat(difference(list(10, 0), list(10, 1))).isEqualTo("""
                10 places differ:
                  /0: recorded 0, now 1
                  /1: recorded 0, now 1
                  /2: recorded 0, now 1
                  /3: recorded 0, now 1
                  /4: recorded 0, now 1
                  /5: recorded 0, now 1
                  /6: recorded 0, now 1
                  /7: recorded 0, now 1
                  and 2 more""");
    }

    @Test
    void longValuesAreCut() {
        String shown = difference("\"" + "x".repeat(3_000) + "\"", "1");
        assertThat(shown)
                .isEqualTo("1 place differs:\n  the whole: recorded \""
                        + "x".repeat(2_047) + "…, now 1");
    }

    private static String list(int size, int value) {
        return IntStream.range(0, size)
                .mapToObj(unused -> Integer.toString(value))
                .collect(Collectors.joining(",", "[", "]"));
    }

    private static String difference(String recorded, String now) {
        return JsonDifference.between(Json.of(recorded), Json.of(now)).orElseThrow();
    }
}

package dev.belay.model.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArrivingArgumentsTest {

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"a\":{\"b\":\"}\\\"{\"}}", " {\"a\":[{},{}]}"})
    void argumentsAreWholeWhenTheirLastBraceCameAndUntilMoreComes(String text) {
        ArrivingArguments arguments = new ArrivingArguments();
        for (int i = 0; i < text.length(); i++) {
            assertThat(arguments.isWhole()).isFalse();
            arguments.add(text.substring(i, i + 1));
        }
        assertThat(arguments.isWhole()).isTrue();
        assertThat(arguments.are(text)).isTrue();
        arguments.add(" ");
        assertThat(arguments.isWhole()).isTrue();
        arguments.add("{");
        assertThat(arguments.isWhole()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "[]", "}", "{a}", "{}{}", "\"{}\""})
    void otherTextIsNeverWhole(String text) {
        ArrivingArguments arguments = new ArrivingArguments();
        arguments.add(text);
        assertThat(arguments.isWhole()).isFalse();
    }

    /** A million pieces; parsing all of them again for each would look at 500 thousand million characters. */
    @Test
    void askingAfterEachPieceTakesLinearTime() {
        boolean whole = assertTimeoutPreemptively(Duration.ofMinutes(1), () -> {
            ArrivingArguments arguments = new ArrivingArguments();
            arguments.add("{\"a\":[");
            for (int i = 0; i < 1_000_000; i++) {
                arguments.add("1,");
                assertThat(arguments.isWhole()).isFalse();
            }
            arguments.add("1]}");
            return arguments.isWhole();
        });
        assertThat(whole).isTrue();
    }
}

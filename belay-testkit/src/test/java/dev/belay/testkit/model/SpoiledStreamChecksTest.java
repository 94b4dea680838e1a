package dev.belay.testkit.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.model.ModelException;
import java.io.EOFException;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SpoiledStreamChecksTest {

    @Test
    void aMistakeOfTheReaderIsNoFaultOfTheAnswer() {
        JsonException broken = Assertions.catchThrowableOfType(JsonException.class, () -> Json.of("{"));

        assertThat(SpoiledStreamChecks.isFaultOfTheAnswer(failure(null))).isTrue();
        assertThat(SpoiledStreamChecks.isFaultOfTheAnswer(failure(broken))).isTrue();
        assertThat(SpoiledStreamChecks.isFaultOfTheAnswer(failure(new EOFException()))).isTrue();
        assertThat(SpoiledStreamChecks.isFaultOfTheAnswer(failure(new NullPointerException()))).isFalse();
        assertThat(SpoiledStreamChecks.isFaultOfTheAnswer(failure(new IndexOutOfBoundsException())))
                .isFalse();
    }

    private static ModelException failure(@Nullable Throwable cause) {
        return new ModelException(ModelException.Kind.PROTOCOL, "the answer cannot be read", cause);
    }
}

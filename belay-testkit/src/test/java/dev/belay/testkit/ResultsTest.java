package dev.belay.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.Wait;
import dev.belay.runtime.session.TurnResult;
import org.junit.jupiter.api.Test;

/** Code that reads results can be tested with results that a test makes. */
class ResultsTest {

    @Test
    void aRestHasItsWaitsAndWhatComesNext() throws Exception {
        TurnResult.Resting resting = Results.resting(Results.finished("paid"),
                Results.waiting(Wait.Kind.APPROVAL, "refund", "{}"));

        assertThat(resting.waits()).singleElement().hasToString("refund {}, key key-of-refund");
        assertThatThrownBy(resting::answer).isInstanceOfSatisfying(BelayException.class,
                e -> assertThat(e.code()).isEqualTo("turn_resting"));
        assertThat(resting.await().answer()).isEqualTo("paid");
    }

    @Test
    void aRefusalHasNoAnswer() {
        assertThatThrownBy(() -> Results.refused("no").answer()).isInstanceOfSatisfying(BelayException.class,
                e -> assertThat(e.code()).isEqualTo("turn_refused"));
    }
}

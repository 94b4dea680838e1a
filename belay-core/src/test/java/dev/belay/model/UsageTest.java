package dev.belay.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class UsageTest {

    @Test
    void plusAddsWhatIsReported() {
        Usage sum = Usage.of(10, 5).withCacheRead(3).plus(Usage.of(7, 2).withCacheWrite(4).withReasoning(1));
        assertThat(sum).isEqualTo(Usage.of(17, 7).withCacheRead(3).withCacheWrite(4).withReasoning(1));
        assertThat(Usage.NONE.plus(Usage.NONE)).isEqualTo(Usage.NONE);
    }

    @Test
    void aLaterReportWinsFieldByField() {
        Usage start = Usage.NONE.withInput(25).withCacheRead(20).withOutput(1);
        Usage delta = Usage.NONE.withOutput(15).withCacheRead(20);
        assertThat(start.merge(delta)).isEqualTo(Usage.of(25, 15).withCacheRead(20));
    }

    @Test
    void aReportedZeroIsNotAbsent() {
        assertThat(Usage.of(25, 3).merge(Usage.NONE.withInput(0)).input()).hasValue(0);
        assertThat(Usage.NONE.input()).isEmpty();
        assertThat(Usage.NONE.withInput(0)).isNotEqualTo(Usage.NONE);
    }

    @Test
    void totalIsInputPlusOutput() {
        assertThat(Usage.of(2, 3).withCacheRead(1).withReasoning(1).total()).hasValue(5);
        assertThat(Usage.NONE.withOutput(3).total()).hasValue(3);
        assertThat(Usage.NONE.total()).isEmpty();
    }

    @Test
    void negativeCountsAreRefused() {
        assertThatThrownBy(() -> Usage.NONE.withCacheWrite(-1)).hasMessageContaining("cacheWrite")
                .hasMessageContaining("not -1");
    }

    @Test
    void noSumOverflows() {
        Usage huge = Usage.of(Long.MAX_VALUE, 1);
        assertThat(huge.plus(Usage.of(1, 0))).isEqualTo(huge);
        assertThat(huge.total()).hasValue(Long.MAX_VALUE);
    }
}

package dev.belay.runtime.session.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.runtime.session.EventCursor;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.store.SessionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Events of sessions are bounded by their weight, in one stream and in all of them. */
class StreamWeightTest {

    private static final int CHUNK = 10_000;
    private static final long MEGABYTE = 1 << 20;

    private static TurnEvent heavy(int n) {
        return new TurnEvent.Text(n, 1, "x".repeat(CHUNK));
    }

    @Test
    void streamOfHeavyEventsDropsTheOldestAndTellsTheGap() throws Exception {
        SessionStream stream = new SessionStreams("p", 8 * MEGABYTE, new Listeners(List.of()))
                .of(new SessionId("s"));
        EventCursor start = stream.now();
        for (int i = 0; i < 1_000; i++) {
            stream.tell(heavy(i));
        }
        assertThat(stream.bytes()).isBetween(MEGABYTE / 2, MEGABYTE);
        var gap = stream.read(start, Duration.ZERO, () -> true).orElseThrow();
        assertThat(gap.event()).isInstanceOfSatisfying(TurnEvent.Gap.class,
                told -> assertThat(told.missed()).isBetween(900L, 990L));
        var next = stream.read(gap.after(), Duration.ZERO, () -> true).orElseThrow();
        assertThat(next.event().turn()).as("the oldest that is left").isEqualTo(gap.after().next());
    }

    @Test
    void eventThatIsHeavierThanTheBoundIsStillRead() throws Exception {
        SessionStream stream = new SessionStreams("p", 0, new Listeners(List.of())).of(new SessionId("s"));
        EventCursor start = stream.now();
        stream.tell(heavy(7));
        assertThat(stream.read(start, Duration.ZERO, () -> true).orElseThrow().event().turn()).isEqualTo(7);
    }

    @Test
    void lightEventsAfterHeavyOnesAreAllKept() throws Exception {
        SessionStream stream = new SessionStreams("p", 8 * MEGABYTE, new Listeners(List.of()))
                .of(new SessionId("s"));
        for (int i = 0; i < 200; i++) {
            stream.tell(heavy(i));
        }
        EventCursor at = stream.now();
        for (int i = 0; i < 2_000; i++) {
            stream.tell(new TurnEvent.Text(i, 1, "x"));
        }
        for (int i = 0; i < 2_000; i++) {
            var read = stream.read(at, Duration.ZERO, () -> true).orElseThrow();
            assertThat(read.event()).isEqualTo(new TurnEvent.Text(i, 1, "x"));
            at = read.after();
        }
    }

    @Test
    void streamsThatWereUsedLongestAgoAreDropped() throws Exception {
        var streams = new SessionStreams("p", 8 * MEGABYTE, new Listeners(List.of()));
        SessionStream first = streams.of(new SessionId("s0"));
        EventCursor start = first.now();
        first.tell(heavy(0));
        for (int i = 1; i < 2_000; i++) {
            streams.of(new SessionId("s" + i)).tell(heavy(i));
        }
        assertThat(streams.of(new SessionId("s0"))).isNotSameAs(first);
        assertThat(
                streams.of(new SessionId("s0")).read(start, Duration.ZERO, () -> true).orElseThrow().event())
                .isEqualTo(new TurnEvent.Gap(-1));
        assertThat(streams.of(new SessionId("s1999")).bytes()).as("kept").isPositive();
    }

    @Test
    void whatADroppedStreamIsStillToldDropsNoOther() {
        var streams = new SessionStreams("p", 8 * MEGABYTE, new Listeners(List.of()));
        List<SessionStream> dropped = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            SessionStream stream = streams.of(new SessionId("s" + i));
            stream.tell(heavy(i));
            if (i < 20) {
                dropped.add(stream);
            }
        }
        SessionStream kept = streams.of(new SessionId("s1999"));
        for (SessionStream stream : dropped) {
            for (int i = 0; i < 100; i++) {
                stream.tell(heavy(i));
            }
        }
        streams.of(new SessionId("new"));
        assertThat(streams.of(new SessionId("s1999"))).isSameAs(kept);
        for (int i = 2_000; i < 4_000; i++) {
            streams.of(new SessionId("s" + i)).tell(heavy(i));
        }
        assertThat(streams.of(new SessionId("s1999"))).as("the bound still holds").isNotSameAs(kept);
    }
}

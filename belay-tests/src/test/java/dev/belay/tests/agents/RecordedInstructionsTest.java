package dev.belay.tests.agents;

import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.tests.session.SessionBench;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Contract U.4: the record of a round has a hash of its instructions, and not their words. */
class RecordedInstructionsTest {

    private final SessionBench bench = new SessionBench();

    @AfterEach
    void close() {
        bench.close();
    }

    private String requestOf(Belay belay, String session, String instructions) throws Exception {
        belay.session(session).turn("Hello.").id("in").instructions(instructions).run();
        Json round = bench.record(session, 1, "round/1");
        assertThat(round.text()).doesNotContain(instructions);
        return round.get("asked").orElseThrow().get("request").orElseThrow().asString();
    }

    @Test
    void recordOfARoundHasTheHashOfItsInstructionsAndNotTheirWords() throws Exception {
        Belay belay = bench.open(model(request -> text("done")), builder -> builder);
        String brief = requestOf(belay, "a", "Be brief.");
        assertThat(requestOf(belay, "b", "Be brief.")).isEqualTo(brief).hasSize(64);
        assertThat(requestOf(belay, "c", "Rhyme.")).isNotEqualTo(brief);
    }
}

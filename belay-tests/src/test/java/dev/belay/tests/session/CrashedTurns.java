package dev.belay.tests.session;

import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.session.TurnEnd;
import dev.belay.runtime.session.TurnResult;
import java.util.List;
import java.util.function.Supplier;

/**
 * Plays a scenario once without a fault, which lists its writes, then once for each write and each moment of it at which the
 * process dies and a new one goes on.
 */
final class CrashedTurns {

    /** What happens in a scenario. Made anew for each play, so that it can count. */
    interface Scenario {

        Model model();

        BelayBuilder with(BelayBuilder builder);

        /** Starts what is to happen; called again in each new process, so everything in it has an id. */
        void begin(Belay belay) throws Exception;

        /** Waits for the end, as the world does its part. */
        TurnResult.Ended end(Belay belay) throws Exception;

        /** What must be the same, crash or not; asked at the end. */
        String evidence(Belay belay) throws Exception;
    }

    /**
     * What came of one play.
     *
     * @param where the process died, or nowhere
     * @param written by the process that died
     * @param result of the turn
     * @param messages of the session
     * @param evidence of the scenario
     */
    record Play(String where, List<String> written, TurnResult.Ended result, List<Message> messages,
            String evidence) {

        /** The result, whether or not the process that died may have asked a model in vain. */
        TurnResult.Ended recorded() {
            return TurnResult.Ended.of(result.session(), result.turn(), result.input(),
                    TurnEnd.of(result.toJson().get("end").orElseThrow()),
                    result.rounds(), result.usage(), result.cost(), 0, List.of(), List.of());
        }
    }

    private final Supplier<Scenario> scenarios;

    CrashedTurns(Supplier<Scenario> scenarios) {
        this.scenarios = scenarios;
    }

    /** The play without a fault first, then one for each crash. */
    List<Play> play() throws Exception {
        return new Crashes<>(() -> new Seen(scenarios.get())).play()
                .stream()
                .map(play -> new Play(play.where(), play.written(), play.end().result(),
                        play.end().messages(), play.end().evidence()))
                .toList();
    }

    private record End(TurnResult.Ended result, List<Message> messages, String evidence) {}

    /** A scenario with all that can be seen at its end. */
    private record Seen(Scenario scenario) implements Crashes.Scenario<End> {

        @Override
        public Model model() {
            return scenario.model();
        }

        @Override
        public BelayBuilder with(BelayBuilder builder) {
            return scenario.with(builder);
        }

        @Override
        public void begin(Belay belay) throws Exception {
            scenario.begin(belay);
        }

        @Override
        public End end(Belay belay) throws Exception {
            TurnResult.Ended result = scenario.end(belay);
            return new End(result, List.copyOf(belay.session(result.session()).messages()),
                    scenario.evidence(belay));
        }
    }
}

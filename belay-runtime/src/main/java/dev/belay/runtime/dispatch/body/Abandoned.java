package dev.belay.runtime.dispatch.body;

import dev.belay.json.Json;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.call.BodyRunner;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A body whose call went on without it.
 *
 * @param release gives its resource back, when its thread has ended
 * @param late takes what it answers then
 */
record Abandoned(Runnable release, Consumer<Json> late) {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.dispatch");

    /** Its thread has ended. An echo of the stop is no answer: it would settle a doubt without knowing anything. */
    void ended(String tool, BodyEnd end) {
        try {
            if (Stop.isOwn(end)
                    && end instanceof BodyEnd.Answered(BodyRunner.Ended.With(ToolOutcome outcome, var control))) {
                late.accept(OutcomeJson.of(outcome));
            }
        } catch (RuntimeException e) {
            LOG.warn("A late result of tool {} could not be kept", tool, e);
        } finally {
            release.run();
        }
    }
}

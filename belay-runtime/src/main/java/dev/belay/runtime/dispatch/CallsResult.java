package dev.belay.runtime.dispatch;

import dev.belay.BelayException;
import dev.belay.Wait;
import dev.belay.runtime.operate.RestText;
import dev.belay.tool.ToolOutcome;
import java.util.List;

/** What came of a batch of calls: their outcomes, or that it rests because nothing can go on until a person or a service outside acts. */
public sealed interface CallsResult {

    /**
     * One outcome for each call, in order.
     *
     * @throws BelayException {@code turn_resting} with what it waits for, if there are none yet
     */
    List<ToolOutcome> outcomes();

    /** All calls have an outcome. */
    record Ended(List<ToolOutcome> outcomes) implements CallsResult {

        /** Copies the list. */
        public Ended {
            outcomes = List.copyOf(outcomes);
        }
    }

    /** A batch that rests. The rest is stored; this process may end meanwhile. Thread-safe. */
    final class Resting implements CallsResult {

        private final String batch;
        private final List<Wait> waits;
        private final Wait.Next<CallsResult> next;

        /**
         * Made by the runtime and by the test kit.
         *
         * @param next waits for what comes after the rest
         */
        public Resting(String batch, List<Wait> waits, Wait.Next<CallsResult> next) {
            this.batch = batch;
            this.waits = List.copyOf(waits);
            this.next = next;
        }

        /** What it waits for, the longest first. */
        public List<Wait> waits() {
            return waits;
        }

        /**
         * Waits until the set of waits is another one, or the batch has ended. It never returns for the waits that this result lists.
         *
         * @throws BelayException {@code runtime_closed} when the runtime closes; the rest stays stored
         */
        public CallsResult await() throws InterruptedException {
            return next.after(waits);
        }

        @Override
        public List<ToolOutcome> outcomes() {
            throw new BelayException("turn_resting", this
                    + "\nLook at the result with a switch (Ended, Resting), or block with join(\"" + batch
                    + "\")");
        }

        /** What it waits for, and what answers that. */
        @Override
        public String toString() {
            return RestText.of("batch " + batch, waits);
        }
    }
}

package dev.belay.runtime.process;

import dev.belay.Wait;
import dev.belay.runtime.operate.RestText;
import dev.belay.runtime.store.ProcessId;
import java.util.List;

/** What came of a process that was waited for: its end, or that it rests because nothing can go on until a person or a service outside acts. */
public sealed interface ProcessResult permits ProcessEnd, ProcessResult.Resting {

    /** A process that rests. The rest is stored; this process of the machine may end meanwhile. Thread-safe. */
    final class Resting implements ProcessResult {

        private final ProcessId process;
        private final List<Wait> waits;
        private final Wait.Next<ProcessResult> next;

        /**
         * Made by the runtime and by the test kit.
         *
         * @param next waits for what comes after the rest
         */
        public Resting(ProcessId process, List<Wait> waits, Wait.Next<ProcessResult> next) {
            this.process = process;
            this.waits = List.copyOf(waits);
            this.next = next;
        }

        /** What it waits for, the longest first; also what turns and processes wait for that it waits for. */
        public List<Wait> waits() {
            return waits;
        }

        /**
         * Waits until the set of waits is another one, or the process has ended. It never returns for the waits that this result lists.
         *
         * @throws dev.belay.BelayException {@code runtime_closed} when the runtime closes; the rest stays stored
         */
        public ProcessResult await() throws InterruptedException {
            return next.after(waits);
        }

        /** What it waits for, and what answers that. */
        @Override
        public String toString() {
            return RestText.of("process " + process, waits);
        }
    }
}

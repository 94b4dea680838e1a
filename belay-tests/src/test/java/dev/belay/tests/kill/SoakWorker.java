package dev.belay.tests.kill;

import dev.belay.model.FinishReason;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Usage;
import dev.belay.runtime.Belay;
import dev.belay.store.jdbc.JdbcStore;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;

/** Asks questions in many sessions for a while, one after another, and prints the heap that is left after a collection. */
final class SoakWorker {

    private static final int WINDOWS = 10;
    private static final String QUESTION = "q".repeat(2_000);
    private static final String ANSWER = "a".repeat(2_000);

    private SoakWorker() {}

    private record Talkative() implements Model {

        @Override
        public String id() {
            return "talkative";
        }

        @Override
        public ModelResponse complete(ModelRequest request, ModelListener listener) {
            return new ModelResponse(Message.assistant(ANSWER), FinishReason.STOP, Usage.of(500, 500),
                    "talkative", "r");
        }
    }

    /** Takes the file, the number of sessions and the seconds. */
    public static void main(String[] arguments) throws InterruptedException {
        ParentWatch.begin();
        int sessions = Integer.parseInt(arguments[1]);
        long window = Duration.ofSeconds(Long.parseLong(arguments[2])).toNanos() / WINDOWS;
        try (Belay belay = Belay.builder()
                .model(new Talkative())
                .store(JdbcStore.sqlite(Path.of(arguments[0])))
                .build()) {
            int turns = 0;
            for (int at = 0; at < WINDOWS; at++) {
                long end = System.nanoTime() + window;
                while (System.nanoTime() < end) {
                    belay.session("s" + turns % sessions).turn(QUESTION).run().answer();
                    turns++;
                }
                System.gc();
                System.out.println(
                        "heap " + ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
            }
            System.out.println("turns " + turns);
        }
    }
}

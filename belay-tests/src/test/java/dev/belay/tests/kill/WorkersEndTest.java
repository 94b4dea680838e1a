package dev.belay.tests.kill;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A worker ends when the process that started it is killed: an aborted run of the tests leaves no process behind. */
class WorkersEndTest {

    private static final List<Class<?>> WORKERS = List.of(DrainWorker.class, ClientWorker.class,
            KillWorker.class, ProcessWorker.class, StormWorker.class, OutageWorker.class, AgentWorker.class,
            CommandWorker.class);

    @TempDir
    private Path directory;

    /** Stands for the process of the tests: starts one worker of each kind and says their numbers. */
    static final class Starter {

        private Starter() {}

        public static void main(String[] args) throws Exception {
            ParentWatch.begin();
            try (var ledger = new Ledger()) {
                System.out.println("ready");
                for (Class<?> worker : WORKERS) {
                    Path folder = Files.createDirectory(Path.of(args[0]).resolve(worker.getSimpleName()));
                    int port = worker.equals(AgentWorker.class) ? 0 : ledger.port();
                    System.out
                            .println(new WorkerProcess(worker, folder.resolve("belay.db"), port).pid());
                }
                Thread.currentThread().join();
            }
        }
    }

    @Test
    @Timeout(120)
    void workersEndWithTheProcessThatStartedThem() throws Exception {
        List<ProcessHandle> workers = new ArrayList<>();
        try (var starter = new WorkerProcess(Starter.class, directory, 0)) {
            for (Class<?> worker : WORKERS) {
                long pid = Long.parseLong(starter.hear());
                ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
                assertThat(process.isAlive()).as(worker.getSimpleName()).isTrue();
                workers.add(process);
            }
            starter.kill();
            for (ProcessHandle process : workers) {
                assertThat(process.onExit().get(60, TimeUnit.SECONDS).isAlive()).isFalse();
            }
        }
    }
}

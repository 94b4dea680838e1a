package dev.belay.tests.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.FinishReason;
import dev.belay.model.Message;
import dev.belay.model.ModelResponse;
import dev.belay.model.Usage;
import dev.belay.model.script.ScriptedModel;
import dev.belay.runtime.Belay;
import dev.belay.runtime.session.InputHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code kill -9} of a process whose model runs a command. */
@Timeout(60)
class CommandKillTest {

    @TempDir
    Path directory;

    /** A time that no other process sleeps. */
    private final int seconds = Math.toIntExact(700_000_000 + ProcessHandle.current().pid());

    @Test
    void noModelReadsInDoubtWhileItsCommandRuns() throws Exception {
        Path file = directory.resolve("belay.db");
        try (var worker = new WorkerProcess(CommandWorker.class, file, seconds)) {
            while (!Files.exists(directory.resolve("begun")) || sleeping().size() < 2) {
                Thread.onSpinWait();
            }
            worker.kill();
        }
        AtomicReference<String> read = new AtomicReference<>("");
        AtomicReference<List<ProcessHandle>> running = new AtomicReference<>(
                List.of(ProcessHandle.current()));
        var model = new ScriptedModel().respond(request -> {
            running.set(sleeping());
            read.set(((Message.ToolMessage) request.messages().getLast()).replies().getFirst().text());
            return new ModelResponse(Message.assistant("I shall look"), FinishReason.STOP, Usage.of(1, 1),
                    "scripted", "");
        });
        try (Belay belay = CommandWorker.belay(file, model)) {
            InputHandle input = belay.session("s").input("i").orElseThrow();
            assertThat(input.awaitCommit().text()).isEqualTo("I shall look");
        }
        assertThat(read.get()).startsWith("Error (in_doubt): tool run_command started")
                .contains("the command was running when the process of its host died")
                .contains("it was ended with all of its processes that could be found")
                .contains("may have happened");
        assertThat(running.get()).isEmpty();
    }

    @AfterEach
    void end() {
        sleeping().forEach(ProcessHandle::destroyForcibly);
    }

    private List<ProcessHandle> sleeping() {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info().command().orElse("").endsWith("sleep"))
                .filter(process -> List.of(process.info().arguments().orElse(new String[0]))
                        .equals(List.of(Integer.toString(seconds))))
                .toList();
    }
}

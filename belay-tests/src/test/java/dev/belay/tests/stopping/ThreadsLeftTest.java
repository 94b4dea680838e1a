package dev.belay.tests.stopping;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.belay.runtime.Belay;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Contract V.2: a closed runtime leaves no thread but those of bodies that ignore the interrupt, and names these. */
@Timeout(60)
class ThreadsLeftTest {

    @TempDir
    Path folder;

    private final CountDownLatch running = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    /** Beginnings of the stacks of threads that other tests have left: their numbers. */
    private final List<String> others = new ArrayList<>();
    private int dumps;

    private void deaf() {
        running.countDown();
        while (mayEnd.getCount() > 0) {
            LockSupport.parkNanos(SessionBench.A_MOMENT); // as work that never looks at the interrupt
        }
    }

    /** The stacks of threads, virtual ones too, that run code of the runtime or the store. */
    private List<String> ours() throws IOException {
        Path file = folder.resolve("threads-" + dumps++ + ".txt");
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .dumpThreads(file.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.TEXT_PLAIN);
        return Stream.of(Files.readString(file).split("\\n\\s*\\n"))
                .filter(stack -> stack.contains("dev.belay.runtime") || stack.contains("dev.belay.store"))
                .filter(stack -> others.stream().noneMatch(stack::startsWith))
                .toList();
    }

    @Test
    void onlyTheThreadOfABodyThatIgnoresTheInterruptIsLeftAndItIsNamed() throws Exception {
        others.addAll(ours().stream().map(stack -> stack.substring(0, stack.indexOf('"'))).toList());
        Belay belay = Belay.builder()
                .model(calling(List.of(call("a", "deaf"))))
                .tools(StaticToolProvider.builder().raw(tool("deaf", ToolEffect.ONCE), (in, context) -> {
                    deaf();
                    return "";
                }).build())
                .store(JdbcStore.sqlite(folder.resolve("belay.db")))
                .build();
        belay.session("s").turn("Go.").submit();
        running.await();
        PrintStream before = System.err;
        var logged = new ByteArrayOutputStream();
        System.setErr(new PrintStream(logged, true, StandardCharsets.UTF_8));
        try {
            belay.close(Duration.ZERO);
        } finally {
            System.setErr(before);
        }
        assertThat(ours()).singleElement()
                .satisfies(stack -> assertThat(stack).contains("ThreadsLeftTest.deaf"));
        assertThat(logged.toString(StandardCharsets.UTF_8)).contains("Tool deaf of turn/", "does not end",
                "the program stops");
        mayEnd.countDown();
        while (!ours().isEmpty()) {
            LockSupport.parkNanos(SessionBench.A_MOMENT);
        }
    }
}

package dev.belay.toolbox.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.belay.json.Json;
import dev.belay.tool.ToolId;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.call.RecordedCall;
import dev.belay.tool.context.CallId;
import dev.belay.tool.context.IdempotencyKey;
import dev.belay.tool.context.Reconciliation;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kills host processes and checks that none of their commands survives. */
@Timeout(60)
class HostKillTest {

    /** Each leaves at least one process that would run for months. */
    private static final Map<String, String> KINDS = Map.ofEntries(
            Map.entry("plain", "touch SIGN; sleep MARK"),
            Map.entry("deaf", "trap '' TERM HUP INT; touch SIGN; sleep MARK; sleep MARK"),
            Map.entry("background", "sleep MARK & touch SIGN; wait"),
            Map.entry("nohup", "nohup sleep MARK >/dev/null 2>&1 & touch SIGN; wait"),
            Map.entry("forked twice", "(sh -c 'sleep MARK & touch SIGN' &); sleep MARK"),
            Map.entry("setsid", "setsid sh -c 'touch SIGN; sleep MARK; true' & sleep MARK"),
            Map.entry("setsid, forked twice",
                    "(setsid sh -c '(sleep MARK &); touch SIGN; sleep MARK' &); sleep MARK"),
            Map.entry("left by its parent",
                    "setsid sh -c 'setsid sleep MARK & touch SIGN' & wait; sleep MARK"),
            Map.entry("without its environment", "env -i /bin/sh -c 'sleep MARK & touch SIGN; wait'"),
            Map.entry("in another group", "env -i /bin/bash -c 'set -m; sleep MARK & touch SIGN; wait'"),
            Map.entry("without its environment and session",
                    "env -i setsid /bin/sh -c 'sleep MARK & touch SIGN; wait'; sleep MARK"));

    @TempDir
    Path root;

    private final Map<String, String> marks = new LinkedHashMap<>();
    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void end() {
        started.forEach(Process::destroyForcibly);
        ProcessHandle.allProcesses()
                .filter(process -> marks.values()
                        .stream()
                        .anyMatch(process.info().commandLine().orElse("")::contains))
                .forEach(ProcessHandle::destroyForcibly);
    }

    @Test
    void nothingOfACommandOutlivesAKilledHost() throws Exception {
        Process host = host();
        for (Map.Entry<String, String> kind : marks.entrySet()) {
            assertThat(Marked.running(kind.getValue())).as(kind.getKey()).isNotEmpty();
        }
        host.destroyForcibly().waitFor();
        for (Map.Entry<String, String> kind : marks.entrySet()) {
            awaitNone(kind.getKey(), kind.getValue());
        }
    }

    /** A host with a command of each kind, each of which has begun. */
    private Process host() throws Exception {
        List<String> command = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElseThrow(),
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                CommandHost.class.getName(), root.toString()));
        KINDS.forEach((kind, line) -> {
            String mark = Marked.mark();
            marks.put(kind, mark);
            command.add(line.replace("MARK", mark).replace("SIGN", sign(kind).toString()));
        });
        Process host = start(new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT));
        for (Map.Entry<String, String> kind : marks.entrySet()) {
            while (!Files.exists(sign(kind.getKey())) || Marked.running(kind.getValue()).isEmpty()) {
                assertThat(host.isAlive()).isTrue();
                Thread.onSpinWait();
            }
        }
        return host;
    }

    private Path sign(String kind) {
        return root.resolve(kind.replaceAll("\\W+", "-"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/bin/sh", "/bin/dash", "/bin/bash"})
    void everyShellEndsTheGroupAndWhatIsMarked(String shell) throws Exception {
        assumeTrue(Files.isExecutable(Path.of(shell)), () -> shell + " is not on this machine");
        String group = Marked.mark();
        String marked = Marked.mark();
        Process supervisor = kept(Supervisor.start(Path.of(shell), ProgramRun.marks(marked)));
        Process leader = start(new ProcessBuilder("/usr/bin/setsid", "/bin/sleep", group));
        start(sleeper(marked, marked));
        try (Writer pipe = supervisor.outputWriter()) {
            pipe.write(leader.pid() + "\n");
        }
        awaitNone("the group", group);
        awaitNone("what is marked", marked);
        assertThat(supervisor.waitFor()).isZero();
    }

    @Test
    void hostThatDiesBetweenTheTwoStartsIsCovered() throws Exception {
        String mark = Marked.mark();
        Process supervisor = kept(Supervisor.start(Supervisor.SHELL, ProgramRun.marks(mark)));
        start(sleeper(mark, mark));
        supervisor.getOutputStream().close();
        awaitNone("without a group", mark);
        assertThat(supervisor.waitFor()).isZero();
    }

    /** Every user of the machine can read the command lines of all processes. */
    @Test
    void theIdempotencyKeyOfACallStandsInNoCommandLine() throws Exception {
        String call = Marked.mark();
        var program = new ProgramRun.Program(call,
                List.of("/bin/sh", "-c", "grep -la \"$1\" /proc/[0-9]*/cmdline", "sh",
                        "[" + call.charAt(0) + "]" + call.substring(1)),
                root, Map.of("PATH", "/usr/bin:/bin"), "",
                Duration.ofMinutes(1));
        ProgramRun.Ended ended = ProgramRun.run(program, ProgramRun.THREADS, Optional::empty);
        assertThat(ended.out().text()).isEmpty();
    }

    @Test
    void supervisorEndsWithItsCall() throws Exception {
        String call = Marked.mark();
        var program = new ProgramRun.Program(call, List.of("/bin/echo", "hello"), root, Map.of(), "",
                Duration.ofMinutes(1));
        ProgramRun.Ended ended = ProgramRun.run(program, ProgramRun.THREADS, Optional::empty);
        assertThat(ended.out().text()).isEqualTo("hello\n");
        awaitNone("the supervisor", call);
    }

    @Test
    void doubtComesAfterTheEndOfWhatIsMarked() throws Exception {
        String mark = Marked.mark();
        IdempotencyKey key = new IdempotencyKey("%064x".formatted(System.nanoTime()));
        start(sleeper(mark, key.value()));
        assertThat(Marked.running(mark)).isNotEmpty();
        RecordedCall.Reconciler reconciler = CommandTools.in(root, CommandRules.DEFAULT)
                .definitions()
                .getFirst()
                .reconciler()
                .orElseThrow();
        Reconciliation<ToolOutcome> outcome = reconciler
                .reconcile(new RecordedCall(new ToolId("tool:run_command"),
                        new CallId("1"), key, Json.object(Map.of()), null));
        assertThat(Marked.running(mark)).isEmpty();
        assertThat(outcome)
                .isEqualTo(new Reconciliation.Unknown<>("the command was running when the process of"
                        + " its host died; it was ended with all of its processes that could be found"));
    }

    @Test
    void doubtSaysWhatMayStillRun() {
        DeadHost host = new DeadHost("the command");
        assertThat(host.words(DeadHost.Reach.GROUP, 0))
                .endsWith("its process group was ended; a process that had left the group may still run");
        assertThat(host.words(DeadHost.Reach.NOTHING, 0))
                .endsWith("it and the processes that it had started may still run");
        assertThat(host.words(DeadHost.Reach.FOUND, 2))
                .endsWith("2 of its processes could not be ended and still run");
    }

    @TestFactory
    Stream<DynamicTest> everyStarterGivesAProgramItsOwnSession() {
        return OwnSession.STARTERS.stream().map(starter -> DynamicTest.dynamicTest(starter.getFirst(), () -> {
            assumeTrue(OwnSession.isHere(starter), () -> starter.getFirst() + " is not on this machine");
            List<String> command = new ArrayList<>(starter);
            command.addAll(List.of("/bin/sleep", Marked.mark()));
            Process process = start(new ProcessBuilder(command));
            while (!ProcFiles.isOfSession(process.pid(), process.pid())) {
                assertThat(process.isAlive()).isTrue();
                Thread.onSpinWait();
            }
        }));
    }

    /** A process in the group of this one, which only its mark gives away. */
    private static ProcessBuilder sleeper(String mark, String call) {
        var builder = new ProcessBuilder("/bin/sleep", mark);
        builder.environment().put(ProgramRun.MARK, call + "-1");
        return builder;
    }

    private Process start(ProcessBuilder builder) throws IOException {
        return kept(builder.start());
    }

    private Process kept(Process process) {
        started.add(process);
        return process;
    }

    private static void awaitNone(String what, String mark) {
        assertTimeoutPreemptively(Duration.ofSeconds(30), () -> {
            while (!Marked.running(mark).isEmpty()) {
                Thread.onSpinWait();
            }
        }, what);
    }
}

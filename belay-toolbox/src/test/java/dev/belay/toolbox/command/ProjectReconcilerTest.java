package dev.belay.toolbox.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.call.Arguments;
import dev.belay.tool.call.PrepareCall;
import dev.belay.tool.call.RecordedCall;
import dev.belay.tool.context.CallId;
import dev.belay.tool.context.IdempotencyKey;
import dev.belay.tool.context.Reconciliation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A program of the project says whether a call has happened. */
@Timeout(60)
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "needs programs of a shell")
class ProjectReconcilerTest {

    private static final String KEY = "0a".repeat(32);

    @TempDir
    Path root;

    private Path tools;

    @BeforeEach
    void makeDirectory() throws IOException {
        tools = Files.createDirectories(root.resolve("tools"));
        permit(tools, "rwxr-xr-x");
        script("pay", "echo paid");
    }

    private void script(String name, String body) throws IOException {
        permit(Files.writeString(tools.resolve(name), "#!/bin/sh\n" + body + "\n"), "rwxr-xr-x");
    }

    private static void permit(Path path, String permissions) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    private ProjectTools load(String more) throws IOException {
        permit(Files.writeString(tools.resolve("pay.json"), """
                {"name": "pay", "description": "Pays.", "command": ["pay"], "input": {"type": "object"}%s}
                """.formatted(more)), "rw-r--r--");
        return ProjectTools.load(tools, root);
    }

    private Reconciliation<ToolOutcome> asked(String more) throws Exception {
        return asked(more, () -> {});
    }

    /** What the reconciler says of a call, after something has changed since it was prepared. */
    private Reconciliation<ToolOutcome> asked(String more, Change change) throws Exception {
        ProjectTools loaded = load(", \"reconcile\": [\"paid\", \"--look\"]" + more);
        ToolDefinition pay = loaded.definitions().getFirst();
        Json arguments = Json.of("{\"cents\": 5}");
        Json payload = loaded
                .prepare(new PrepareCall(pay, new CallId("c"), Arguments.require(pay, arguments)))
                .payload();
        change.happens();
        return pay.reconciler()
                .orElseThrow()
                .reconcile(new RecordedCall(pay.id(), new CallId("c"), new IdempotencyKey(KEY), arguments,
                        payload));
    }

    private interface Change {
        void happens() throws IOException;
    }

    @Test
    void aReconcilerThatHasChangedSinceTheCallWasPreparedIsNotAsked() throws Exception {
        script("paid", "exit 10");
        assertThat(asked("", () -> script("paid", "touch ran; exit 0")))
                .isInstanceOfSatisfying(Reconciliation.Unknown.class,
                        unknown -> assertThat(unknown.toString()).contains("paid\" has changed"));
        assertThat(root.resolve("ran")).doesNotExist();
    }

    private static Reconciliation<ToolOutcome> happened(Json output) {
        return Reconciliation.happened(new ToolOutcome.Success(output));
    }

    @Test
    void exitCode0IsAnEffectThatHappenedWithItsOutput() throws Exception {
        script("paid", "echo \"$BELAY_TOOL $BELAY_IDEMPOTENCY_KEY $1 $(cat) in $(pwd)\"");
        assertThat(asked("")).isEqualTo(happened(
                Json.string("pay " + KEY + " --look {\"cents\":5} in " + root.toRealPath() + "\n")));
    }

    @Test
    void theOutputOfAToolWithASchemaIsJson() throws Exception {
        script("paid", "echo '{\"receipt\": 7}'");
        assertThat(asked(", \"output\": {\"type\": \"object\"}"))
                .isEqualTo(happened(Json.of("{\"receipt\": 7}")));
        script("paid", "printf '%s' '{\"to\": \"cut \\ud83d\"}'"); // as Node writes it
        assertThat(asked(", \"output\": {\"type\": \"object\"}"))
                .isEqualTo(happened(Json.of("{\"to\": \"cut \uFFFD\"}")));
        script("paid", "echo 'receipt 7'");
        assertThat(asked(", \"output\": {\"type\": \"object\"}"))
                .isInstanceOfSatisfying(Reconciliation.Unknown.class,
                        unknown -> assertThat(unknown.known()).contains("wrote no JSON"));
    }

    @Test
    void exitCode10IsAnEffectThatDidNotHappen() throws Exception {
        script("paid", "echo 'no such payment'; exit 10");
        assertThat(asked(""))
                .isEqualTo(Reconciliation.didNotHappen("the reconciler of pay says so: no such payment"));
    }

    @Test
    void everyOtherEndLeavesItUnknown() throws Exception {
        for (int code : new int[]{1, 2, 9, 11, 127}) {
            script("paid", "echo no; echo 'the bank does not answer' >&2; exit " + code);
            assertThat(asked("")).isEqualTo(new Reconciliation.Unknown<>(
                    "the reconciler of pay ended with exit code " + code + ": the bank does not answer"));
        }
        script("paid", "sleep 100");
        assertThat(asked(", \"timeout\": 1")).isEqualTo(
                new Reconciliation.Unknown<>("the reconciler of pay did not end within 1 s"));
        script("paid", "exit 0");
        ProjectTools loaded = load(", \"reconcile\": [\"paid\"]");
        Files.delete(tools.resolve("paid"));
        assertThat(loaded.definitions()
                .getFirst()
                .reconciler()
                .orElseThrow()
                .reconcile(new RecordedCall(loaded.definitions().getFirst().id(), new CallId("c"),
                        new IdempotencyKey(KEY), Json.EMPTY_OBJECT, null)))
                .isInstanceOfSatisfying(Reconciliation.Unknown.class,
                        unknown -> assertThat(unknown.known()).contains("no executable \"paid\""));
    }

    @Test
    void theCallIsEndedBeforeItIsAskedAbout() throws Exception {
        Path lives = root.resolve("lives");
        var left = new ProcessBuilder("sh", "-c", "touch lives; exec sleep 100").directory(root.toFile());
        left.environment().put(ProgramRun.MARK, ProgramRun.marks(KEY).split("=", 2)[1] + "1");
        Process program = left.start();
        while (!Files.exists(lives)) {
            Thread.onSpinWait();
        }
        script("paid", "kill -0 " + program.pid() + " 2>/dev/null && echo running || echo ended");
        assertThat(asked("")).isEqualTo(happened(Json.string("ended\n")));
        assertThat(program.waitFor()).isNotZero();
    }

    @Test
    void aWrongDeclarationIsAProblemOfTheFile() throws IOException {
        assertThat(load(", \"reconcile\": [\"paid\"]").problems()).singleElement()
                .satisfies(problem -> assertThat(problem.reason()).contains("no executable \"paid\""));
        assertThat(load(", \"reconcile\": []").problems()).singleElement()
                .satisfies(problem -> assertThat(problem.reason()).startsWith("reconcile is empty"));
        script("paid", "exit 0");
        assertThat(load(", \"reconcile\": [\"paid\"], \"effect\": \"idempotent\"").problems()).singleElement()
                .satisfies(problem -> assertThat(problem.reason()).startsWith(
                        "reconcile is for the effect once"));
    }
}

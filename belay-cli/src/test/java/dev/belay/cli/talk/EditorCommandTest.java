package dev.belay.cli.talk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.belay.cli.CommandBench;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code [e]} with an editor of the user, in a real pseudo-terminal. */
@Timeout(180)
class EditorCommandTest {

    private static final String ENTER = "\r";

    @TempDir
    Path directory;

    @BeforeEach
    void prepare() throws IOException {
        assumeTrue(Pty.missing().isEmpty(), Pty.missing());
        Files.writeString(directory.resolve("script.jsonl"), """
                {"calls":[{"name":"write_file","arguments":{"path":"out.txt","content":"hello"}}]}
                {"text":"Done."}
                """);
    }

    @Test
    void theEditorHasAFileOfTheUserAloneAndTheCallIsShownAgain() throws Exception {
        try (Pty run = run(
                "ls -l \"$1\" >seen; cp \"$1\" before; echo \"$1\" >place; sed -i 's/hello/bye/' \"$1\"")) {
            run.question("Allow it?").type("e" + ENTER).await("+bye").question("Allow it?").type("y" + ENTER);
            assertThat(run.await("Done.").exit()).isZero();
        }
        assertThat(directory.resolve("out.txt")).hasContent("bye");
        assertThat(directory.resolve("before")).hasContent("""
                {
                  "path": "out.txt",
                  "content": "hello"
                }
                """);
        assertThat(Files.readString(directory.resolve("seen"))).startsWith("-rw-------");
        Path place = Path.of(Files.readString(directory.resolve("place")).strip());
        assertThat(place).doesNotExist();
        assertThat(place.getParent()).doesNotExist();
    }

    @Test
    void anEditorThatFailsAndOneThatLeavesNoJsonSendNothing() throws Exception {
        try (Pty run = run("test -e failed && { echo '{' >\"$1\"; exit 0; }; touch failed; exit 3")) {
            run.question("Allow it?")
                    .type("e" + ENTER)
                    .await("Nothing was sent: the editor ended with status 3");
            run.question("Allow it?").type("e" + ENTER).await("Nothing was sent. That is no JSON");
            run.question("Allow it?").type("n" + ENTER);
            assertThat(run.await("Done.").exit()).isZero();
        }
        assertThat(directory.resolve("out.txt")).doesNotExist();
    }

    @Test
    void whatIsFoldedAndWasNotLookedAtIsApprovedOnlyOnce() throws Exception {
        try (Pty run = run("true")) {
            run.await("? write_file")
                    .await("out.txt")
                    .await("+hello")
                    .await("[v] shows the rest")
                    .question("Allow it? [y] once, [e] edit");
            run.type("s" + ENTER).await("only after [v]").question("Allow it?");
            run.type("v" + ENTER)
                    .await("prepared:")
                    .await("digest: ")
                    .question("[s] in this session")
                    .type("s" + ENTER);
            assertThat(run.await("Done.").exit()).isZero();
        }
        assertThat(new CommandBench(directory).run("grants", "one").out()).contains("write_file");
    }

    private Pty run(String editor) throws IOException {
        Path program = Files.writeString(directory.resolve("editor"),
                "#!/bin/sh\ncd " + directory + "\n" + editor + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        return new Pty(directory, 80, Map.of("EDITOR", program.toString()), "run", "-s", "one", "--script",
                "script.jsonl",
                "Write");
    }
}

package dev.belay.toolbox.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.toolbox.Calls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that decide what the model may do are read and never written, however they are spelled. */
class FixedFilesTest {

    @TempDir
    Path root;

    private Calls tools;

    @BeforeEach
    void open() throws IOException {
        Files.writeString(root.resolve("belay.toml"), "rules");
        Files.createDirectories(root.resolve("lib"));
        Files.writeString(root.resolve("lib/server.py"), "program");
        Files.createSymbolicLink(root.resolve("linked"), Path.of("lib"));
        Files.createSymbolicLink(root.resolve("start.py"), Path.of("lib/server.py"));
        tools = calls(FileRules.DEFAULT);
    }

    private Calls calls(FileRules rules) {
        return new Calls(FileTools.writing(root, rules));
    }

    @Test
    void settingsOfTheCommandAreReadAndNotWritten() {
        assertThat(tools.text("read_file", "path", "belay.toml")).startsWith("rules");
        for (String spelling : new String[]{"belay.toml", "./belay.toml", "lib/../belay.toml", "BELAY.TOML",
            "belay.toml.", "lib/belay.toml", "new/belay.toml", "lib/belay.toml/x",
            root.resolve("belay.toml").toString()}) {
            assertThat(tools.code("write_file", "path", spelling, "content", "x")).as(spelling)
                    .isIn("protected_path", "not_a_directory");
        }
        assertThat(tools.text("edit_file", "path", "belay.toml", "find", "rules", "replace", "none"))
                .isEqualTo(
                        "Error (protected_path): \"belay.toml\" decides what the tools may do or what is started, so no"
                                + " tool writes it; it may be read. Work without the change, or ask the user to make it");
        assertThat(root.resolve("belay.toml")).hasContent("rules");
        assertThat(root.resolve("new")).doesNotExist();
    }

    @Test
    void aNamedProgramIsNotWrittenThroughALinkOrBehindIt() {
        for (String named : new String[]{"./start.py", "lib/server.py", "./linked/server.py",
            root.resolve("lib/server.py").toString()}) {
            Calls careful = calls(FileRules.DEFAULT.alsoFixed(named));
            for (String written : new String[]{"start.py", "lib/server.py", "linked/server.py"}) {
                assertThat(careful.code("write_file", "path", written, "content", "evil"))
                        .as("%s, by the rule %s", written, named)
                        .isEqualTo("protected_path");
                assertThat(careful.text("read_file", "path", written)).startsWith("program");
            }
            assertThat(careful.text("write_file", "path", "lib/other.py", "content", "x"))
                    .isEqualTo("written: lib/other.py, 1 bytes");
        }
        assertThat(root.resolve("lib/server.py")).hasContent("program");
    }

    @Test
    void aNamedProgramThatIsNotThereIsNotMade() {
        Calls careful = calls(FileRules.DEFAULT.alsoFixed("./bin/run.sh", "/nowhere/else.sh"));
        assertThat(careful.code("write_file", "path", "bin/run.sh", "content", "x"))
                .isEqualTo("protected_path");
        assertThat(careful.text("write_file", "path", "run.sh", "content", "x"))
                .as("a path is no name")
                .startsWith("written");
    }
}

package dev.belay.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A thousand killed processes left a gigabyte in the directory for temporary files. */
@Timeout(120)
class KilledProcessLeavesNoLibraryTest {

    @TempDir
    Path directory;

    private static List<String> files(Path directory) throws IOException {
        try (var all = Files.walk(directory)) {
            return all.filter(Files::isRegularFile).map(file -> file.getFileName().toString()).toList();
        }
    }

    @Test
    void killedProcessesLeaveNothingInTheTemporaryDirectory() throws Exception {
        assumeFalse(System.getProperty("os.name").startsWith("Windows"), "the command env is missing");
        Path temporary = Files.createDirectory(directory.resolve("tmp"));
        Path home = Files.createDirectory(directory.resolve("home"));
        List<String> through = List.of("env", "-u", "XDG_CACHE_HOME",
                "JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=" + temporary + " -Duser.home=" + home);
        for (int kill = 0; kill < 3; kill++) {
            Path file = directory.resolve("belay-" + kill + ".db");
            try (ChildJvm child = ChildJvm.start(through, "hold", file.toString(), "1")) {
                assertThat(child.line()).as("the owner").hasSize(32);
                child.kill();
            }
        }
        assertThat(files(temporary)).isEmpty();
        assertThat(files(home)).as("once, by the name that the driver looks for")
                .hasSize(1)
                .allSatisfy(name -> assertThat(name).contains("sqlitejdbc"));
    }
}

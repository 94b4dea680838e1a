package dev.belay.cli.talk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.cli.CommandBench;
import dev.belay.cli.CommandBench.Run;
import dev.belay.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Where trust is kept, what its lines are, and that no tool reaches it or the store. */
@Timeout(180)
class TrustPlaceTest {

    private static final String SERVER = "[mcp.s]\ncommand = [\"sh\", \"srv.sh\"]\n";
    private static final String[] START = {"run", "--script", "done.jsonl", "Hi"};

    @TempDir
    Path directory;

    private Path work;

    @BeforeEach
    void aWorkspace() throws IOException {
        work = workspace(directory.resolve("work"));
    }

    private static Path workspace(Path place) throws IOException {
        Files.createDirectories(place);
        Files.writeString(place.resolve("belay.toml"), SERVER);
        Files.writeString(place.resolve("srv.sh"), "exit 1\n");
        Files.writeString(place.resolve("done.jsonl"), "{\"text\":\"Done.\"}\n");
        return place;
    }

    private CommandBench bench(Path place) {
        return new CommandBench(place).set("HOME", directory.resolve("home").toString());
    }

    @Test
    void aPlaceWithALineBreakForgesNoLine() throws IOException {
        Path elsewhere = directory.resolve("elsewhere");
        assertThat(new CommandBench(work).set("HOME", elsewhere.toString()).run("trust").status()).isZero();
        for (String line : Files.readAllLines(elsewhere.resolve(".local/state/belay/trusted"))) {
            Path clone = workspace(directory.resolve("clone\n" + line + "\n"));
            assertThat(bench(clone).run("trust", "-C", clone.toString()).status()).as(line).isZero();
        }
        Run run = bench(work).run(START);
        assertThat(run.status()).as(run.err()).isEqualTo(3);
        assertThat(run.err()).contains("this workspace is not trusted");
    }

    @Test
    void aStoreWithALineBreakForgesNoLine() throws IOException {
        Path elsewhere = directory.resolve("elsewhere");
        assertThat(new CommandBench(work).set("HOME", elsewhere.toString()).run("trust").status()).isZero();
        String line = Files.readString(elsewhere.resolve(".local/state/belay/trusted")).strip();
        Path clone = Files.createDirectories(directory.resolve("clone"));
        Files.createDirectories(clone.resolve("s\n" + line).getParent());
        Files.writeString(clone.resolve("done.jsonl"), "{\"text\":\"Done.\"}\n");
        Files.writeString(clone.resolve("belay.toml"),
                "[store]\nurl = " + Json.string("s\n" + line).text() + "\n");
        assertThat(bench(clone).run("trust").status()).isZero();
        assertThat(bench(clone).run(START).status()).isZero();
        Run run = bench(work).run(START);
        assertThat(run.status()).as(run.err()).isEqualTo(3);
        assertThat(run.err()).contains("this workspace is not trusted");
    }

    @Test
    void aRelativeXdgStateHomeIsIgnored() {
        assertThat(bench(work).run("trust").status()).isZero();
        Run run = bench(work).set("XDG_STATE_HOME", "target/no-state").run(START);
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.err())
                .containsOnlyOnce(
                        "XDG_STATE_HOME=target/no-state is ignored, because it is no absolute path");
        assertThat(Path.of("target/no-state")).doesNotExist();
    }

    @Test
    void aRelativeHomeIsIgnored() {
        Run run = bench(work).set("HOME", "target/no-home").run("trust");
        assertThat(run.status()).as(run.err()).isEqualTo(3);
        assertThat(run.err()).contains("HOME=target/no-home is ignored, because it is no absolute path",
                "set HOME or XDG_STATE_HOME to an absolute path");
        assertThat(Path.of("target/no-home")).doesNotExist();
    }

    /** What a model is told that writes into a file below the workspace. */
    private String written(CommandBench bench, String file, String... more) throws IOException {
        Files.writeString(work.resolve("write.jsonl"),
                "{\"calls\":[{\"name\":\"write_file\",\"arguments\":{\"path\":\"" + file
                        + "\",\"content\":\"evil\"}}]}\n{\"text\":\"Done.\"}\n");
        assertThat(bench.run("trust").status()).isZero();
        String[] command = {"run", "-s", "w", "--approve", "all", "--script", "write.jsonl", "Write"};
        String[] all = Stream.of(command, more)
                .flatMap(Stream::of)
                .toArray(String[]::new);
        Run run = bench.run(all);
        assertThat(run.status()).as(run.err()).isZero();
        return run.err();
    }

    @Test
    void theDirectoryOfTrustIsKeptFromToolsAlsoBehindALink() throws IOException {
        Path real = Files.createDirectories(work.resolve("kept/state"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), real);
        CommandBench bench = bench(work).set("XDG_STATE_HOME", link.toString());
        assertThat(written(bench, "kept/state/belay/trusted")).contains("protected_path");
        assertThat(written(bench, "kept/state/belay/other.json")).contains("protected_path");
        assertThat(real.resolve("belay/other.json")).doesNotExist();
        assertThat(written(bench, "kept/state/other.json")).contains("  ok, ");
    }

    @Test
    void theStoreIsKeptFromToolsAlsoBehindALink() throws IOException {
        Files.createDirectories(work.resolve("data"));
        Path folder = Files.createSymbolicLink(directory.resolve("folder"), work.resolve("data"));
        String store = folder.resolve("s.db").toString();
        assertThat(written(bench(work), "data/s.db", "--store", store)).contains("protected_path");
        assertThat(written(bench(work), "data/s.db-wal", "--store", store)).contains("protected_path");
        Path link = Files.createSymbolicLink(directory.resolve("link.db"), work.resolve("data/s.db"));
        assertThat(written(bench(work), "data/s.db", "--store", link.toString())).contains("protected_path");
        assertThat(written(bench(work), "data/s.db-journal", "--store", link.toString()))
                .contains("protected_path");
    }
}

package dev.belay.cli.talk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.belay.cli.CommandBench;
import dev.belay.cli.CommandBench.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A machine that is full, locked, closed or half gone: real processes end with a sentence, and the session is intact. */
@Timeout(300)
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "needs bash")
class FaultyMachineTest {

    private static final String WRITE = "{\"calls\":[{\"name\":\"write_file\",\"arguments\":{\"path\":\"out.txt\",\"content\":\"hello\"}}]}\n";

    @TempDir
    Path directory;

    private RealCommand real;

    @BeforeEach
    void prepare() throws IOException {
        real = new RealCommand(directory);
        Files.writeString(directory.resolve("write.jsonl"), WRITE);
        Files.writeString(directory.resolve("done.jsonl"), "{\"text\":\"Done.\"}\n");
    }

    @Test
    void onADiskThatIsFullATurnIsKeptAndGoesOnOnceThereIsRoom() throws Exception {
        String mount = "unshare -rm sh -c 'mount -t tmpfs -o size=4000k tmpfs small && cd small && ";
        Files.createDirectories(directory.resolve("small"));
        assumeTrue(real.works(mount + "true'"), "a disk of a small size cannot be mounted here");
        Run run = real.shell(mount + """
                belay run -s one --script ../write.jsonl Write; echo "parked $?"
                cat /dev/zero >filler
                belay resume one --approve all --script ../done.jsonl; echo "full $?"
                belay run -s two --script ../done.jsonl Hi; echo "new $?"
                rm filler
                belay resume one --approve all --script ../done.jsonl; echo "room $?"
                cat out.txt; belay doubts'
                """);
        assertThat(run.out()).isEqualTo("parked 5\nfull 1\nnew 1\nDone.\nroom 0\nhello");
        assertThat(run.err())
                .containsPattern("belay: .*belay.db .*(Make room|Check the disk and the room on it)")
                .contains("nothing is in doubt")
                .doesNotContain("    at ");
    }

    @Test
    void aDiskThatFillsBeforeACallBeginsLeavesItsTurnStuckAndSaysHowItGoesOn() throws Exception {
        Run run = real.shell(onASmallDisk("5600k", """
                belay run -s one --approve all --script ../large.jsonl Write; echo "full $?"
                mount -o remount,size=50000k $PWD
                belay turns retry one
                belay resume one --approve all --script ../large.jsonl; echo "room $?"
                wc -c <out.txt"""));
        assertThat(run.out()).isEqualTo("full 1\nretrying turn 1 of one\nDone.\nroom 0\n700000\n");
        assertThat(run.err())
                .contains("Make room", "'belay turns retry one' and 'belay resume one' let it go on")
                .doesNotContain("    at ");
    }

    @Test
    void aDiskThatFillsUnderAnAnswerOfTheModelIsSaidAndTheTurnGoesOnOnceThereIsRoom() throws Exception {
        Run run = real.shell(onASmallDisk("1200k", """
                : >../err.txt
                belay run -s one --approve all --script ../large.jsonl Write 2>../err.txt & run=$!
                until grep -q "Make room" ../err.txt; do sleep 0.02; done
                mount -o remount,size=50000k $PWD
                wait $run; echo "room $?"
                wc -c <out.txt"""));
        assertThat(run.out()).isEqualTo("Done.\nroom 0\n700000\n");
        assertThat(Files.readString(directory.resolve("err.txt")))
                .containsOnlyOnce("cannot be written and waits: ")
                .doesNotContain("    at ");
    }

    private String onASmallDisk(String size, String lines) throws Exception {
        String mount = "unshare -rm sh -c 'mount -t tmpfs -o size=" + size + " tmpfs small && cd small && ";
        Files.createDirectories(directory.resolve("small"));
        assumeTrue(real.works(mount + "true'"), "a disk of a small size cannot be mounted here");
        Files.writeString(directory.resolve("large.jsonl"), WRITE.replace("hello", "x".repeat(700_000))
                + "{\"text\":\"Done.\"}\n");
        return mount + lines + "'";
    }

    @Test
    void aRecordingThatCannotBeWrittenFailsTheCommandAndTheAnswerIsPrinted() throws Exception {
        assumeTrue(Files.exists(Path.of("/dev/full")), "there is no /dev/full");
        Files.writeString(directory.resolve("two.jsonl"),
                "{\"calls\":[{\"name\":\"list_dir\",\"arguments\":{}}]}\n{\"text\":\"Five.\"}\n");
        Run run = real.shell("belay run -s one --script two.jsonl --record /dev/full Hi");
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out()).isEqualTo("Five.\n");
        assertThat(run.err()).containsOnlyOnce("belay: the recording /dev/full cannot be written"
                + " (No space left on device); make room on the disk, or check its name and permissions."
                + " The turn goes on without it");
        Run resumed = real.shell("belay resume one");
        assertThat(resumed).isEqualTo(new Run(0, "Five.\n", "session one has no active turn\n"));

        Run wrong = real.shell("belay run -s two --script done.jsonl --record no/where Hi");
        assertThat(wrong.status()).isEqualTo(1);
        assertThat(wrong.err()).contains("no/where cannot be written", "check its name");
        assertThat(real.shell("belay sessions show two").status()).as("nothing was accepted").isEqualTo(4);
    }

    @Test
    void aLogThatCannotBeWrittenFailsTheCommandAndTheAnswerIsPrinted() throws Exception {
        assertThat(real.shell("belay run -s one --script done.jsonl Hi").status()).isZero();
        Path log = directory.resolve(".belay/sessions/one/events.jsonl");
        Files.delete(log);
        Files.createDirectory(log);
        Run run = real.shell("belay run -s one --approve all --script write.jsonl Hi");
        assertThat(run.status()).as("the script has no further answer").isEqualTo(1);
        assertThat(directory.resolve("out.txt")).hasContent("hello");

        Run next = real.shell("belay run -s one --script done.jsonl Hi");
        assertThat(next.status()).isEqualTo(1);
        assertThat(next.out()).isEqualTo("Done.\n");
        assertThat(next.err()).containsOnlyOnce("events.jsonl cannot be written")
                .contains("make room on the disk", "The turn goes on without it");
    }

    @Test
    void aDatabaseThatAnotherProgramKeepsLockedIsSaidSo() throws Exception {
        assertThat(bench().run("run", "-s", "one", "--script", "write.jsonl", "Write").status()).isEqualTo(5);
        try (Connection other = DriverManager
                .getConnection("jdbc:sqlite:" + directory.resolve(".belay/belay.db"));
                Statement lock = other.createStatement()) {
            lock.execute("BEGIN EXCLUSIVE");
            Run run = bench().run("resume", "one", "--approve", "all", "--script", "done.jsonl");
            assertThat(run.status()).isEqualTo(1);
            assertThat(run.err()).contains("belay: another process kept", "locked", "Try again")
                    .doesNotContain("    at ");
            assertThat(bench().run("pending").out()).as("reading goes on").contains("write_file");
            lock.execute("ROLLBACK");
        }
        assertThat(bench().run("resume", "one", "--approve", "all", "--script", "done.jsonl").out())
                .isEqualTo("Done.\n");
    }

    @Test
    void aWorkspaceThatMayNotBeReadOrWrittenIsNamed() throws Exception {
        String weak = "setpriv --bounding-set=-dac_override,-dac_read_search ";
        assumeTrue(!System.getProperty("user.name").equals("root") || real.works(weak + "true"),
                "root may read everything here, and there is no setpriv");
        String belay = System.getProperty("user.name").equals("root") ? weak + "belay" : "belay";
        Run closed = real.shell("mkdir w && chmod 000 w && " + belay + " run -C w --script done.jsonl Hi");
        assertThat(closed.status()).isEqualTo(1);
        assertThat(closed.err()).startsWith("belay: ")
                .contains("check", "permissions")
                .doesNotContain("    at ");
        Run settings = real.shell("mkdir v && touch v/belay.toml && chmod 000 v/belay.toml && " + belay
                + " run -C v --script done.jsonl Hi");
        assertThat(settings.status()).isEqualTo(1);
        assertThat(settings.err()).contains("belay.toml cannot be read", "permissions");
        Run database = real
                .shell("mkdir u && belay run -C u -s one --script done.jsonl Hi && chmod -R a-w u/.belay && "
                        + belay + " run -C u --script done.jsonl Hi");
        assertThat(database.status()).isEqualTo(1);
        assertThat(database.err()).contains("belay: ", ".belay is read-only", "let this user write there");
        assertThat(real.shell("chmod -R u+w u && belay sessions show one -C u").out()).contains("Done.");
    }

    @Test
    void withoutAHomeATaskIsDone() throws Exception {
        Run run = real.shell("env -u HOME -u USER belay run --script done.jsonl Hi");
        assertThat(run.status()).isZero();
        assertThat(run.out()).isEqualTo("Done.\n");
    }

    @Test
    void aReaderThatLeavesEndsTheCommandWith141AndTheTurnIsIntact() throws Exception {
        Files.writeString(directory.resolve("long.jsonl"),
                "{\"calls\":[{\"name\":\"list_dir\",\"arguments\":{}}]}\n".repeat(20)
                        + "{\"text\":\"Done.\"}\n");
        Run run = real.shell(
                "belay run -s one --json --script long.jsonl Hi | head -n 1; echo ${PIPESTATUS[0]}");
        assertThat(run.out().lines().toList()).hasSize(2).last().isEqualTo("141");
        assertThat(run.err()).doesNotContain("    at ");
        assertThat(real.shell("belay resume one --script done.jsonl").status()).isZero();
        assertThat(real.shell("belay sessions show one").out()).contains("answer: Done.");
        Run help = real.shell("belay --help | head -n 1; echo ${PIPESTATUS[0]}");
        assertThat(help.out()).contains("Belay: a durable").matches("(?s).*\n(0|141)\n");
    }

    @Test
    void twoCommandsInOneDirectoryDoNotDisturbEachOther() throws Exception {
        Run run = real.shell("""
                belay run -s a --script done.jsonl Hi & one=$!
                belay run -s b --script done.jsonl Hi & two=$!
                wait $one && wait $two
                """);
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out()).isEqualTo("Done.\nDone.\n");
    }

    private CommandBench bench() {
        return new CommandBench(directory).set("HOME", directory.resolve("home").toString());
    }
}

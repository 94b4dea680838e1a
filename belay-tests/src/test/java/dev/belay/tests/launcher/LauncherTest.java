package dev.belay.tests.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.tests.launcher.Machine.Run;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the launcher is a POSIX shell script")
class LauncherTest {

    @TempDir
    Path root;

    private Machine machine;

    @BeforeEach
    void makeAMachine() throws IOException {
        machine = new Machine(root);
    }

    @AfterEach
    void stopWhatRuns() {
        machine.stop();
    }

    @Test
    void withoutArgumentsItPrintsUsage() throws Exception {
        Run run = machine.belay();
        assertThat(run.status()).isZero();
        assertThat(run.out()).startsWith("Usage: ./belay demo").endsWith("Examples:\n  first-tool\n");
        assertThat(machine.belay("--help")).isEqualTo(run);
    }

    @Test
    void versionIsThatOfThePom() throws Exception {
        assertThat(machine.belay("--version")).isEqualTo(new Run(0, "belay 1.2.3\n", ""));
    }

    @Test
    void everyOtherWordIsACommandThatRunsFromJarsAfterOneBuild() throws Exception {
        machine.jdk("jvm/ok", "JAVA_VERSION=\"25\"");
        machine.maven("");
        Run run = machine.belay("ps", "--json", "two words");
        assertThat(run.err()).isEqualTo(firstBuild());
        String target = machine.checkout().toRealPath() + "/belay-cli/target";
        assertThat(run.out())
                .isEqualTo("jvm/ok runs -XX:AOTMode=auto -Xlog:disable --enable-native-access=ALL-UNNAMED"
                        + " -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:+ExitOnOutOfMemoryError -cp "
                        + target
                        + "/belay-cli.jar:" + root.resolve("lib.jar")
                        + " -Dbelay.terminals= -Dbelay.command=" + machine.checkout().resolve("belay")
                        + " dev.belay.cli.Main ps --json two words\n");
        assertThat(run.status()).isEqualTo(3);
        assertThat(machine.belay("ps").err()).isEmpty();
        assertThat(machine.mavenRuns()).isEqualTo(1);
    }

    @Test
    void onceBuiltTheCommandItselfAnswersHelpAndVersion() throws Exception {
        machine.jdk("jvm/ok", "JAVA_VERSION=\"25\"");
        machine.maven("");
        machine.belay("ps");
        assertThat(machine.belay("--version").out()).endsWith(" dev.belay.cli.Main --version\n");
        assertThat(machine.belay("help", "ps").out()).endsWith(" dev.belay.cli.Main help ps\n");
        assertThat(machine.belay().out()).endsWith(" dev.belay.cli.Main\n");
    }

    @Test
    void theBuildMakesTheArchiveAndStartsUseIt() throws Exception {
        machine.archivingJdk("jvm/ok", "JAVA_VERSION=\"25\"");
        machine.maven("");
        assertThat(machine.belay("ps").out()).containsPattern("-XX:AOTCache=\\S+/belay-\\d+-\\d+\\.aot ");
        assertThat(machine.belay("ps").out()).contains("-XX:AOTCache=");
        assertThat(machine.archives()).containsExactly("build");
        assertThat(machine.archivesKept()).isEqualTo(1); // written aside and renamed: nothing else is left
    }

    @Test
    void anArchiveIsThatOfAJdkAndOfJars() throws Exception {
        machine.archivingJdk("jvm/ok", "JAVA_VERSION=\"25\"");
        machine.maven("");
        machine.belay("ps");
        Files.setLastModifiedTime(root.resolve("lib.jar"), FileTime.from(Instant.EPOCH)); // older, and not the same
        machine.belay("ps");
        assertThat(machine.archives()).containsExactly("build", "start");
        Files.writeString(root.resolve("lib.jar"), "more");
        Files.setLastModifiedTime(root.resolve("lib.jar"), FileTime.from(Instant.EPOCH));
        machine.belay("ps");
        assertThat(machine.archives()).hasSize(3);
        assertThat(machine.archivesKept()).isEqualTo(1);
        machine.set("BELAY_JAVA_HOME", machine.archivingJdk("other", "JAVA_VERSION=\"26\"").toString());
        machine.belay("ps");
        machine.belay("ps");
        assertThat(machine.archives()).hasSize(4);
        assertThat(machine.archivesKept()).isEqualTo(2);
    }

    @Test
    void anOlderJdkSharesClassesInstead() throws Exception {
        machine.archivingJdk("jvm/ok", "JAVA_VERSION=\"21.0.4\"");
        machine.maven("");
        assertThat(machine.belay("ps").out())
                .matches(
                        "jvm/ok runs -Xshare:auto -Xlog:disable .* -XX:SharedArchiveFile=\\S+/belay-\\d+-\\d+\\.jsa .*\n");
    }

    @Test
    void withoutAnArchiveOutputAndExitCodeAreTheSame() throws Exception {
        Path jdk = machine.archivingJdk("jvm/ok", "JAVA_VERSION=\"25\"");
        machine.maven("");
        Run with = machine.belay("ps");
        Files.writeString(jdk.resolve("broken"), "");
        Files.setLastModifiedTime(root.resolve("lib.jar"), FileTime.from(Instant.EPOCH));
        Run without = machine.belay("ps");
        assertThat(machine.belay("ps")).isEqualTo(new Run(without.status(), without.out(), ""));
        assertThat(without.out()).isEqualTo(with.out().replaceAll("-\\S+=\\S+\\.aot ", ""));
        assertThat(without.status()).isEqualTo(with.status());
        assertThat(machine.archives()).as("a trial that failed is not repeated").hasSize(2);
    }

    @Test
    void theVirtualMachineIsSilentAboutAnArchiveThatDoesNotFit() throws Exception {
        Path archive = Files.writeString(root.resolve("archive"), "no archive");
        boolean caches = Runtime.version().feature() >= 25;
        Process java = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                caches ? "-XX:AOTMode=auto" : "-Xshare:auto", "-Xlog:disable",
                (caches ? "-XX:AOTCache=" : "-XX:SharedArchiveFile=") + archive, "--version")
                .redirectErrorStream(true)
                .start();
        assertThat(new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .doesNotContainIgnoringCase("archive")
                .doesNotContainIgnoringCase("cache")
                .contains("Server VM");
        assertThat(java.waitFor()).isZero();
    }

    @Test
    void theLevelOfTheLogComesFromTheEnvironment() throws Exception {
        machine.jdk("jvm/ok", "JAVA_VERSION=\"25\"");
        machine.maven("");
        machine.set("BELAY_LOG", "debug");
        assertThat(machine.belay("ps").out())
                .contains(" -Dorg.slf4j.simpleLogger.defaultLogLevel=debug ");
    }

    @Test
    void unknownExampleNamesTheOthersNearestFirst() throws Exception {
        machine.example("approvals");
        machine.example("second-tool");
        assertThat(machine.belay("example", "frist-tool")).isEqualTo(new Run(2, "", """
                belay: there is no example 'frist-tool'. There are, nearest first:
                  first-tool
                  second-tool
                  approvals
                """));
        assertThat(machine.belay("example", "a.*").status()).isEqualTo(2);
    }

    @Test
    void exampleWithoutNameListsThem() throws Exception {
        assertThat(machine.belay("example"))
                .isEqualTo(new Run(2, "", "belay: which example? There are:\n  first-tool\n"));
    }

    @Test
    void withoutJdkItSaysWhatToInstall() throws Exception {
        machine.jdk("jvm/seventeen", "JAVA_VERSION=\"17.0.15\"");
        Run run = machine.belay("example", "first-tool");
        assertThat(run.status()).isEqualTo(69);
        assertThat(run.err()).startsWith("belay: no JDK of 21 or newer was found.\n")
                .contains("apt install", "brew install", "sdk install java", "BELAY_JAVA_HOME");
        assertThat(machine.mavenRuns()).isZero();
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '\'', value = {"'JAVA_VERSION=\"21\"', true",
        "'JAVA_VERSION=\"25.0.3\"', true",
        "'JAVA_VERSION=22-ea', true", "'JAVA_VERSION=\"21.0.4\" ', true", "'JAVA_VERSION=\"20.0.2\"', false",
        "'JAVA_VERSION=\"1.8.0_392\"', false", "'JAVA_VERSION=\"9\"', false", "'SOURCE=\"25\"', false"})
    void releaseFileTellsTheVersion(String line, boolean usable) throws Exception {
        Path jdk = machine.jdk("jvm/some", line);
        assertThat(machine.belay("jdk").out()).isEqualTo(usable ? jdk + "\n" : "");
    }

    @Test
    void withoutReleaseFileJavaItselfIsAsked() throws Exception {
        Path jdk = machine.jdk("jvm/odd", "NOTHING=1");
        machine.script("jvm/odd/bin/java", "echo 'openjdk version \"23.0.1\" 2024-10-15' >&2\n");
        Files.delete(jdk.resolve("release"));
        assertThat(machine.belay("jdk").out()).isEqualTo(jdk + "\n");
    }

    @Test
    void newestInstalledWins() throws Exception {
        machine.jdk("jvm/a", "JAVA_VERSION=\"21.0.9\"");
        Path newest = machine.jdk("jvm/b", "JAVA_VERSION=\"25.0.10\"");
        machine.jdk("jvm/c", "JAVA_VERSION=\"25.0.9\"");
        assertThat(machine.belay("jdk").out()).isEqualTo(newest + "\n");
    }

    @Test
    void macBundlesAreFound() throws Exception {
        Path jdk = machine.jdk("jvm/temurin-21.jdk/Contents/Home", "JAVA_VERSION=\"21.0.1\"");
        assertThat(machine.belay("jdk").out()).isEqualTo(jdk + "\n");
    }

    @Test
    void javaHomeComesBeforeThePathAndThePathBeforeTheRest() throws Exception {
        machine.jdk("jvm/newest", "JAVA_VERSION=\"26\"");
        Path onPath = machine.jdk("else/where", "JAVA_VERSION=\"22\"");
        Files.createSymbolicLink(root.resolve("bin/java"), onPath.resolve("bin/java"));
        assertThat(machine.belay("jdk").out()).isEqualTo(onPath + "\n");

        Path home = machine.jdk("my/home", "JAVA_VERSION=\"21\"");
        machine.set("JAVA_HOME", home.toString());
        assertThat(machine.belay("jdk").out()).isEqualTo(home + "\n");

        machine.set("JAVA_HOME", machine.jdk("my/old", "JAVA_VERSION=\"17\"").toString());
        assertThat(machine.belay("jdk").out()).isEqualTo(onPath + "\n");
    }

    @Test
    void belayJavaHomeIsTakenAtItsWord() throws Exception {
        machine.jdk("jvm/newest", "JAVA_VERSION=\"26\"");
        Path chosen = machine.jdk("chosen", "JAVA_VERSION=\"21\"");
        machine.set("BELAY_JAVA_HOME", chosen.toString());
        assertThat(machine.belay("jdk").out()).isEqualTo(chosen + "\n");

        Path old = machine.jdk("old", "JAVA_VERSION=\"17.0.1\"");
        machine.set("BELAY_JAVA_HOME", old.toString());
        Run run = machine.belay("jdk");
        assertThat(run.status()).isEqualTo(69);
        assertThat(run.err()).contains("BELAY_JAVA_HOME is '" + old + "'", "found: Java 17.0.1");
    }

    @Test
    void runtimeWithoutCompilerIsNoJdk() throws Exception {
        Files.delete(machine.jdk("jvm/jre", "JAVA_VERSION=\"25\"").resolve("bin/javac"));
        assertThat(machine.belay("jdk").status()).isEqualTo(69);
    }

    @Test
    void withoutMavenItSaysSo() throws Exception {
        machine.jdk("jvm/ok", "JAVA_VERSION=\"25\"");
        Run run = machine.belay("example", "first-tool");
        assertThat(run.status()).isEqualTo(69);
        assertThat(run.err()).startsWith("belay: Maven is needed");
    }

    @Test
    void firstRunBuildsWithOneLineAndPassesArgumentsAndExitCode() throws Exception {
        machine.jdk("jvm/ok", "JAVA_VERSION=\"25\"");
        machine.maven("echo noise; echo noise >&2");
        Run run = machine.belay("example", "first-tool", "two words", "--help");
        assertThat(run.err()).isEqualTo(firstBuild());
        assertThat(run.out()).isEqualTo(
                "jvm/ok runs --enable-native-access=ALL-UNNAMED -cp " + machine.checkout().toRealPath()
                        + "/examples/first-tool/target/classes:" + root.resolve("lib.jar")
                        + " shop.Main two words --help\n");
        assertThat(run.status()).isEqualTo(3);
    }

    @Test
    void oneBuildServesTheCommandAndEveryExample() throws Exception {
        machine.example("second-tool");
        machine.write("checkout/belay-tests/pom.xml", "");
        machine.maven("mkdir -p examples/second-tool/target; echo >examples/second-tool/target/classpath");
        machine.jdk("jvm/ok", "JAVA_VERSION=\"25\"");
        assertThat(machine.belay("example", "second-tool").status()).isEqualTo(3);
        Files.setLastModifiedTime(machine.checkout().resolve("belay-tests/pom.xml"),
                FileTime.from(Instant.now().plusSeconds(60))); // no part of what is run
        assertThat(machine.belay("ps").err()).isEmpty();
        assertThat(machine.belay("example", "first-tool").err()).isEmpty();
        assertThat(machine.belay("example", "second-tool").err()).isEmpty();
        assertThat(machine.mavenArguments()).singleElement()
                .asString()
                .endsWith(
                        " --projects belay-cli,examples/first-tool,examples/second-tool --also-make package");
    }

    @Test
    void aBuildForAnExampleArchivesTheClassesOfTheCommand() throws Exception {
        machine.archivingJdk("jvm/ok", "JAVA_VERSION=\"25\"");
        machine.maven("");
        machine.belay("example", "first-tool");
        assertThat(machine.belay("ps").err()).isEmpty();
        assertThat(machine.archives()).containsExactly("build");
    }

    @Test
    void aStartSaysThatItArchivesAndAHelpPageDoesNotArchive() throws Exception {
        machine.archivingJdk("jvm/ok", "JAVA_VERSION=\"25\"");
        machine.maven("");
        machine.belay("ps");
        Files.setLastModifiedTime(root.resolve("lib.jar"), FileTime.from(Instant.EPOCH));
        assertThat(machine.belay("--version").out()).endsWith(" dev.belay.cli.Main --version\n");
        assertThat(machine.archives()).containsExactly("build");
        assertThat(machine.belay("ps").err())
                .isEqualTo(
                        "Archiving classes for this JDK and these jars, once, so that commands start faster…\n");
        assertThat(machine.archives()).containsExactly("build", "start");
    }

    @Test
    void aBuildNamesEachModuleThatBegins() throws Exception {
        machine.jdk("jvm/ok", "JAVA_VERSION=\"25\"");
        machine.maven("""
                echo '[INFO] Building Belay core 1.2.3                                [2/23]'
                echo '[INFO] Building jar: /some/where.jar'
                echo '[INFO] Building Example: the program of the README 1.2.3       [3/23]'
                """);
        assertThat(machine.belay("ps").err()).isEqualTo(firstBuild()
                + "  2 of 23: Belay core\n  3 of 23: Example: the program of the README\n");
        assertThat(machine.checkout().resolve("target/belay-build.log")).content()
                .contains("/some/where.jar");
    }

    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    void aSecondLauncherWaitsForTheBuildOfTheFirst() throws Exception {
        machine.jdk("jvm/ok", "JAVA_VERSION=\"25\"");
        machine.maven("echo '[INFO] Building it 1 [1/1]'\nread -r line <" + fifo("go"));
        Process first = machine.start("ps");
        BufferedReader toldFirst = first.errorReader(StandardCharsets.UTF_8);
        assertThat(toldFirst.readLine() + "\n").isEqualTo(firstBuild());
        assertThat(toldFirst.readLine()).isEqualTo("  1 of 1: it"); // Maven runs
        Process second = machine.start("example", "first-tool");
        BufferedReader toldSecond = second.errorReader(StandardCharsets.UTF_8);
        assertThat(toldSecond.readLine()).isEqualTo(
                "Another build of this checkout runs (process " + first.pid() + "); waiting…");
        Files.writeString(root.resolve("go"), "go\n");
        assertThat(first.waitFor()).isEqualTo(3);
        assertThat(second.waitFor()).isEqualTo(3);
        assertThat(toldSecond.readLine()).isNull();
        assertThat(machine.mavenRuns()).isEqualTo(1);
    }

    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    void theLockOfALauncherThatWasKilledIsTakenOver() throws Exception {
        machine.jdk("jvm/ok", "JAVA_VERSION=\"25\"");
        machine.maven("echo '[INFO] Building it 1 [1/1]'\nread -r line <" + fifo("go"));
        Process first = machine.start("ps");
        BufferedReader told = first.errorReader(StandardCharsets.UTF_8);
        told.readLine();
        assertThat(told.readLine()).isEqualTo("  1 of 1: it");
        List<ProcessHandle> itsOwn = first.descendants().toList();
        first.destroyForcibly().waitFor();
        Files.writeString(root.resolve("go"), "go\n"); // its Maven ends too
        itsOwn.forEach(process -> process.onExit().join());
        machine.maven("");
        assertThat(machine.belay("ps").err()).doesNotContain("waiting");
        assertThat(machine.mavenRuns()).isEqualTo(2);
        assertThat(machine.checkout().resolve("target/belay-build.log")).exists();
        try (Stream<Path> left = Files.list(machine.checkout().resolve("target"))) {
            assertThat(left.map(file -> file.getFileName().toString()).toList())
                    .containsExactlyInAnyOrder("belay-build.log", "belay-stamp");
        }
    }

    @Test
    void aFailedBuildLeavesNoLock() throws Exception {
        machine.jdk("jvm/ok", "JAVA_VERSION=\"25\"");
        machine.maven("exit 1");
        assertThat(machine.belay("ps").status()).isEqualTo(70);
        assertThat(Files.isSymbolicLink(machine.checkout().resolve("target/belay-build.lock"))).isFalse();
    }

    @Test
    void secondRunBuildsNothing() throws Exception {
        buildOnce();
        assertThat(machine.belay("example", "first-tool").err()).isEmpty();
        assertThat(machine.mavenRuns()).isEqualTo(1);
    }

    @Test
    void newerSourceIsBuiltAgain() throws Exception {
        machine.write("checkout/belay-core/pom.xml", "");
        machine.write("checkout/belay-core/src/main/java/A.java", "");
        buildOnce();
        Files.setLastModifiedTime(machine.checkout().resolve("belay-core/src/main/java/A.java"),
                FileTime.from(Instant.now().plusSeconds(60)));
        assertThat(machine.belay("example", "first-tool").err())
                .startsWith("Building what has changed; log: ");
        assertThat(machine.mavenRuns()).isEqualTo(2);
    }

    @Test
    void missingLibraryIsBuiltAgain() throws Exception {
        buildOnce();
        Files.delete(root.resolve("lib.jar"));
        machine.belay("example", "first-tool");
        assertThat(machine.mavenRuns()).isEqualTo(2);
    }

    @Test
    void movedCheckoutIsBuiltAgain() throws Exception {
        buildOnce();
        Files.move(machine.checkout(), root.resolve("moved"));
        assertThat(machine.run(root.resolve("moved/belay"), "example", "first-tool").out())
                .contains(root.toRealPath() + "/moved/examples/first-tool/target/classes");
        assertThat(machine.mavenRuns()).isEqualTo(2);
    }

    @Test
    void failedBuildShowsTheEndOfItsLogAndIsTriedAgain() throws Exception {
        machine.jdk("jvm/ok", "JAVA_VERSION=\"25\"");
        machine.maven("i=1; while [ $i -le 30 ]; do echo \"line $i.\"; i=$((i+1)); done; exit 1");
        Run run = machine.belay("example", "first-tool");
        assertThat(run.status()).isEqualTo(70);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("line 11.", "line 30.")
                .doesNotContain("line 10.")
                .endsWith(
                        "the build failed. The whole log: " + machine.checkout().toRealPath()
                                + "/target/belay-build.log\n");
        machine.maven("");
        assertThat(machine.belay("example", "first-tool").status()).isEqualTo(3);
    }

    @Test
    void aWorkingDirectoryThatIsGoneIsSaidSo() throws Exception {
        machine.script("away",
                "mkdir gone; cd gone; rm -r ../gone; exec " + machine.checkout().resolve("belay") + " ps\n");
        Run run = machine.run(root.resolve("away"));
        assertThat(run.status()).isEqualTo(4);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).endsWith("belay: the working directory is gone; change to one that exists.\n");
    }

    @Test
    void symbolicLinkFromElsewhereWorks() throws Exception {
        Files.createDirectories(root.resolve("home/bin"));
        Files.createSymbolicLink(root.resolve("home/bin/b"), Path.of("../../link"));
        Files.createSymbolicLink(root.resolve("link"), machine.checkout().resolve("belay"));
        assertThat(machine.run(root.resolve("home/bin/b"), "--version").out()).isEqualTo("belay 1.2.3\n");
    }

    private String firstBuild() throws IOException {
        return "Building Belay once, the command and the examples (a few minutes); log: "
                + machine.checkout().toRealPath() + "/target/belay-build.log\n";
    }

    private Path fifo(String name) throws Exception {
        assertThat(new ProcessBuilder("mkfifo", root.resolve(name).toString()).start().waitFor()).isZero();
        return root.resolve(name);
    }

    private void buildOnce() throws Exception {
        machine.jdk("jvm/ok", "JAVA_VERSION=\"25\"");
        machine.maven("");
        assertThat(machine.belay("example", "first-tool").status()).isEqualTo(3);
        assertThat(machine.mavenRuns()).isEqualTo(1);
    }
}

package dev.belay.tests.launcher;

import dev.belay.tests.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A made-up machine to run the launcher on: a checkout with the real script, a PATH that holds only ordinary tools,
 * and JDKs and a Maven that are scripts of a few lines.
 */
final class Machine {

    private static final List<String> TOOLS = List.of("sh", "cat", "sed", "awk", "sort", "cut", "tr", "head",
            "tail",
            "dirname", "basename", "readlink", "find", "grep", "mkdir", "mv", "rm", "cksum", "ls", "ln",
            "sleep");

    private final Path root;
    private final Map<String, String> environment = new HashMap<>();
    private final List<Process> started = new ArrayList<>();

    /**
     * What a run of the launcher left.
     *
     * @param status the exit code
     * @param out standard output
     * @param err standard error
     */
    record Run(int status, String out, String err) {}

    Machine(Path root) throws IOException {
        this.root = root;
        for (String tool : TOOLS) {
            script("bin/" + tool, "exec " + onRealPath(tool) + " \"$@\"\n");
        }
        Files.createDirectories(checkout());
        Files.copy(Project.here().root().resolve("belay"), checkout().resolve("belay"),
                StandardCopyOption.COPY_ATTRIBUTES);
        write("checkout/pom.xml", """
                <artifactId>belay-parent</artifactId>
                <version>1.2.3</version>
                <dependency><artifactId>other</artifactId><version>9</version></dependency>
                """);
        write("checkout/examples/pom.xml", "");
        write("checkout/belay-cli/pom.xml", "");
        example("first-tool");
        environment.put("PATH", root.resolve("bin").toString());
        environment.put("HOME", root.resolve("home").toString());
        environment.put("BELAY_JDK_PATH", root.resolve("jvm").toString());
    }

    Path checkout() {
        return root.resolve("checkout");
    }

    void example(String name) throws IOException {
        write("checkout/examples/" + name + "/pom.xml", "");
        write("checkout/examples/" + name + "/src/main/java/shop/Main.java", "");
    }

    /** Puts a JDK there whose {@code release} file has this line; its java tells how it was called and exits with 3. */
    Path jdk(String place, String releaseLine) throws IOException {
        write(place + "/release", "IMPLEMENTOR=\"Nobody\"\n" + releaseLine + "\nOS_NAME=\"Linux\"\n");
        script(place + "/bin/java", "echo \"" + place + " runs $*\"\nexit 3\n");
        script(place + "/bin/javac", "exit 0\n");
        return root.resolve(place);
    }

    /** The same for a JDK that can archive classes, unless it has a file {@code broken}. */
    Path archivingJdk(String place, String releaseLine) throws IOException {
        Path jdk = jdk(place, releaseLine);
        script(place + "/bin/java", """
                case $1 in
                    -XX:ArchiveClassesAtExit=*|-XX:AOTCacheOutput=*)
                        if [ -f %s ]; then echo start; else echo build; fi >>%s
                        echo noise
                        [ -f %s ] && exit 1
                        : >"${1#*=}"
                        exit 0
                        ;;
                esac
                case "$*" in
                    *-Xshare:*-XX:AOTCache=*) echo refused; exit 1 ;; # as the real one does
                esac
                echo "%s runs $*"
                exit 3
                """.formatted(checkout().resolve("target/belay-stamp"),
                root.resolve("archives.log"), jdk.resolve("broken"), place));
        return jdk;
    }

    /** Who has made archives so far: {@code build} or {@code start}. */
    List<String> archives() throws IOException {
        return Files.readAllLines(root.resolve("archives.log"));
    }

    /** The archives that are there. */
    long archivesKept() throws IOException {
        try (Stream<Path> files = Files.list(checkout().resolve("belay-cli/target"))) {
            return files.filter(file -> file.toString().matches(".*/(belay-\\d+-\\d+\\.|making).*")).count();
        }
    }

    /** Puts a Maven on the PATH that counts its runs, runs the lines, and leaves what the real one would leave. */
    void maven(String lines) throws IOException {
        script("bin/mvn", "echo \"$*\" >>" + root.resolve("mvn.log") + "\n" + lines
                + "\nmkdir -p examples/first-tool/target belay-cli/target\necho " + root.resolve("lib.jar")
                + " >examples/first-tool/target/classpath\necho " + root.resolve("lib.jar")
                + " >belay-cli/target/classpath\n: >belay-cli/target/belay-cli.jar\n");
        write("lib.jar", "");
    }

    int mavenRuns() throws IOException {
        return mavenArguments().size();
    }

    /** What each run of Maven was called with. */
    List<String> mavenArguments() throws IOException {
        Path log = root.resolve("mvn.log");
        return Files.exists(log) ? Files.readAllLines(log) : List.of();
    }

    void set(String variable, String value) {
        environment.put(variable, value);
    }

    Run belay(String... arguments) throws IOException, InterruptedException {
        return run(checkout().resolve("belay"), arguments);
    }

    Run run(Path launcher, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(launcher.toString()));
        command.addAll(List.of(arguments));
        Path out = root.resolve("out");
        Path err = root.resolve("err");
        int status = process(command).redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start()
                .waitFor();
        return new Run(status, Files.readString(out), Files.readString(err));
    }

    /** The launcher with its output on pipes, so that two of them can run at a time. */
    Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(checkout().resolve("belay").toString()));
        command.addAll(List.of(arguments));
        Process process = process(command).start();
        started.add(process);
        return process;
    }

    /** Ends what {@link #start} has started and what that has started. */
    void stop() {
        started.forEach(process -> process.descendants().forEach(ProcessHandle::destroyForcibly));
        started.forEach(Process::destroyForcibly);
    }

    private ProcessBuilder process(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command).directory(root.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        return builder;
    }

    void script(String file, String lines) throws IOException {
        write(file, "#!" + onRealPath("sh") + "\n" + lines);
        Files.setPosixFilePermissions(root.resolve(file), PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private static Path onRealPath(String tool) {
        for (String directory : System.getenv("PATH").split(":", -1)) {
            Path candidate = Path.of(directory, tool);
            if (Files.isExecutable(candidate)) {
                return candidate;
            }
        }
        throw new IllegalStateException("no " + tool + " on the PATH");
    }
}

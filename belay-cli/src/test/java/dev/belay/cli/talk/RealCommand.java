package dev.belay.cli.talk;

import dev.belay.cli.CommandBench.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs lines of a shell in which {@code belay} is the command, each time in a process of its own. */
final class RealCommand {

    private static final long PATIENCE_SECONDS = 120;

    private final Path directory;
    private final Path bin;

    /** For a directory; the program is put beside it. */
    RealCommand(Path directory) throws IOException {
        this.directory = directory;
        bin = Files.createTempDirectory("belay-bin-");
        Path program = bin.resolve("belay");
        Files.writeString(program, """
                #!/bin/sh
                terminals=
                for stream in 0 1 2; do [ -t $stream ] && terminals=$terminals$stream; done
                exec '%s' --enable-native-access=ALL-UNNAMED -XX:+UseSerialGC -XX:TieredStopAtLevel=1 \\
                    -Dbelay.terminals=$terminals -cp '%s' dev.belay.cli.Main "$@"
                """.formatted(Path.of(System.getProperty("java.home"), "bin", "java"),
                System.getProperty("java.class.path")));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Runs the lines in bash; the status is that of the last one. */
    Run shell(String lines) throws IOException, InterruptedException {
        Path out = bin.resolve("out");
        Path err = bin.resolve("err");
        var builder = new ProcessBuilder(List.of("bash", "-c", lines)).directory(directory.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().put("PATH", bin + ":" + System.getenv("PATH"));
        builder.environment().put("HOME", directory.resolve("home").toString());
        builder.environment().put("USER", "anna");
        Process process = builder.start();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            throw new AssertionError("not ended: " + lines + "\n" + Files.readString(err));
        }
        return new Run(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    /** Whether lines end with exit code 0. */
    boolean works(String lines) throws IOException, InterruptedException {
        return shell(lines).status() == 0;
    }
}

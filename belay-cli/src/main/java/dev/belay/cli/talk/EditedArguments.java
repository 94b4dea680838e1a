package dev.belay.cli.talk;

import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.OwnFiles;
import dev.belay.cli.shell.Shell;
import dev.belay.json.Json;
import dev.belay.schema.Shown;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The arguments of a call in the editor of the user: as JSON in a file that other users cannot read, and that is deleted. Stateless. */
final class EditedArguments {

    private static final int DEEPEST = 64;
    private static final String INDENT = "  ";

    private EditedArguments() {}

    /** The command of the editor; empty if the user has named none. */
    static Optional<String> editor(Shell shell) {
        return shell.variable("VISUAL").or(() -> shell.variable("EDITOR"));
    }

    /**
     * What the user has made of it.
     *
     * @throws CommandProblem if the editor cannot be run, or fails
     */
    static String edited(String editor, Json arguments) throws InterruptedException {
        try {
            Path directory = Files.createTempDirectory("belay-"); // an editor puts copies beside the file
            try {
                Path file = directory.resolve("arguments.json");
                OwnFiles.append(file, pretty(arguments) + "\n");
                int status = new ProcessBuilder("sh", "-c", editor + " \"$1\"", "sh", file.toString())
                        .redirectInput(new File("/dev/tty"))
                        .redirectOutput(new File("/dev/tty"))
                        .redirectError(new File("/dev/tty"))
                        .start()
                        .waitFor();
                if (status != 0) {
                    throw new CommandProblem(ExitCode.FAILED, "the editor ended with status " + status);
                }
                return Files.readString(file);
            } finally {
                delete(directory);
            }
        } catch (IOException e) {
            throw new CommandProblem(ExitCode.FAILED, "the editor cannot be used: " + e.getMessage());
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }

    /** JSON in lines; characters that cannot be seen are escaped. */
    static String pretty(Json value) {
        var out = new StringBuilder();
        write(out, value, "\n");
        return out.toString();
    }

    private static void write(StringBuilder out, Json value, String line) {
        List<Map.Entry<String, Json>> parts = line.length() > DEEPEST ? List.of() : switch (value.kind()) {
            case OBJECT -> List.copyOf(value.fields().entrySet());
            case ARRAY -> value.items().stream().map(item -> Map.entry("", item)).toList();
            default -> List.of();
        };
        if (parts.isEmpty()) {
            escape(out, value.compact());
            return;
        }
        boolean isObject = value.kind() == Json.Kind.OBJECT;
        String begin = isObject ? "{" : "[";
        for (Map.Entry<String, Json> part : parts) {
            out.append(begin).append(line).append(INDENT);
            if (isObject) {
                escape(out, Json.string(part.getKey()).compact());
                out.append(": ");
            }
            write(out, part.getValue(), line + INDENT);
            begin = ",";
        }
        out.append(line).append(isObject ? '}' : ']');
    }

    private static void escape(StringBuilder out, String json) {
        json.codePoints().forEach(point -> {
            if (!Shown.isHidden(point)) {
                out.appendCodePoint(point);
                return;
            }
            for (char unit : Character.toChars(point)) {
                out.append("\\u%04x".formatted((int) unit));
            }
        });
    }
}

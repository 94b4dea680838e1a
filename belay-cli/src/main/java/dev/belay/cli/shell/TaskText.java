package dev.belay.cli.shell;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Makes the text of a task from words, files and standard input. Stateless. */
public final class TaskText {

    /** A larger text does not fit a model; a mistake is likelier. */
    private static final int LARGEST = 1 << 20;

    private TaskText() {}

    /** The words in their order; {@code @FILE} stands for the text of a file, {@code -} for standard input. */
    public static String of(Shell shell, List<String> words) throws IOException {
        if (words.isEmpty()) {
            if (shell.terminals().contains(0)) {
                throw CommandProblem.usage("say what to do: 'belay run TASK', or 'belay run - <FILE'");
            }
            return required(input(shell));
        }
        var text = new StringBuilder();
        for (String word : words) {
            text.append(text.isEmpty() ? "" : " ");
            if (word.equals("-")) {
                text.append("\n\n").append(input(shell));
            } else if (word.startsWith("@") && word.length() > 1) {
                text.append("\n\n")
                        .append(word.substring(1))
                        .append(":\n")
                        .append(file(shell, word.substring(1)));
            } else {
                text.append(word);
            }
        }
        return required(text.toString());
    }

    /** A message; behind it stand the texts of files that it names with {@code @FILE}. A name that is no file stays as it is. */
    public static String withFiles(Shell shell, String message) throws IOException {
        var text = new StringBuilder(message);
        for (String word : message.split("\\s+", -1)) {
            if (word.startsWith("@") && word.length() > 1
                    && Files.isRegularFile(shell.directory().resolve(word.substring(1)))) {
                text.append("\n\n")
                        .append(word.substring(1))
                        .append(":\n")
                        .append(file(shell, word.substring(1)));
            }
        }
        return text.toString();
    }

    private static String required(String text) {
        if (text.isBlank()) {
            throw CommandProblem.usage("the task is empty; say what to do");
        }
        return text.strip();
    }

    private static String input(Shell shell) throws IOException {
        return text("standard input", shell.in().readNBytes(LARGEST + 1));
    }

    private static String file(Shell shell, String name) throws IOException {
        Path file = shell.directory().resolve(name);
        if (!Files.isRegularFile(file)) {
            throw CommandProblem
                    .notFound("there is no file " + name + "; @NAME stands for the text of a file");
        }
        try (var in = Files.newInputStream(file)) {
            return text(name, in.readNBytes(LARGEST + 1));
        }
    }

    private static String text(String what, byte[] bytes) {
        if (bytes.length > LARGEST) {
            throw CommandProblem.usage(what + " has more than " + LARGEST
                    + " bytes; let the model read it in parts with read_file");
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw CommandProblem.usage(what + " is not UTF-8 text");
        }
    }
}

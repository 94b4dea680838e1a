package dev.belay.cli.shell;

import dev.belay.cli.screen.Style;
import dev.belay.schema.Shown;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Makes the text of a task from words, files and standard input. Stateless. */
public final class TaskText {

    /** A larger text does not fit a model; a mistake is likelier. */
    private static final int LARGEST = 1 << 20;

    private static final int LONGEST_NAME = 100;
    /** A word that begins with {@code @}, also in quotes or brackets. */
    private static final Pattern NAMED = Pattern.compile("(?<![^\\s\"'(])@([^\\s\"')]+)");

    private TaskText() {}

    /**
     * The words in their order; {@code @FILE} stands for the text of a file, {@code -} for standard input. Both stand in paragraphs of
     * their own, and nothing in them is changed.
     */
    public static String of(Shell shell, List<String> words) throws IOException {
        if (words.isEmpty()) {
            if (shell.terminals().contains(0)) {
                throw CommandProblem.usage("say what to do: 'belay run TASK', or 'belay run - <FILE'");
            }
            return required(input(shell));
        }
        var text = new StringBuilder();
        boolean behindWord = false;
        for (String word : words) {
            boolean isWord = !word.equals("-") && !isFile(word);
            text.append(text.isEmpty() ? "" : isWord && behindWord ? " " : "\n\n");
            text.append(isWord ? word : word.equals("-") ? input(shell) : quoted(shell, word.substring(1)));
            behindWord = isWord;
        }
        return required(text.toString());
    }

    /** A message; behind it stand the texts of files that it names with {@code @FILE}. A name that is no file stays as it is, which is told. */
    public static String withFiles(Shell shell, String message) throws IOException {
        var text = new StringBuilder(message);
        for (var names = NAMED.matcher(message); names.find();) {
            String name = names.group(1);
            String plain = name.replaceFirst("[.,;:!?]+$", "");
            String file = found(shell, name).isPresent() ? name : plain;
            if (found(shell, file).isPresent()) {
                text.append("\n\n").append(quoted(shell, file));
            } else {
                shell.err()
                        .remark("belay: there is no file " + Shown.inLine(plain, LONGEST_NAME) + ": @"
                                + Shown.inLine(plain, LONGEST_NAME) + " is sent as it is", Style.ASKS);
            }
        }
        return text.toString();
    }

    private static boolean isFile(String word) {
        return word.startsWith("@") && word.length() > 1;
    }

    private static String quoted(Shell shell, String name) throws IOException {
        return Shown.name(name) + ":\n" + file(shell, name);
    }

    private static String required(String text) {
        if (text.isBlank()) {
            throw CommandProblem.usage("the task is empty; say what to do");
        }
        return text;
    }

    private static String input(Shell shell) throws IOException {
        return text("standard input", shell.in().readNBytes(LARGEST + 1));
    }

    private static String file(Shell shell, String name) throws IOException {
        Path file = found(shell, name).orElseThrow(() -> CommandProblem
                .notFound("there is no file " + name + "; @NAME stands for the text of a file"));
        try (var in = Files.newInputStream(file)) {
            return text(name, in.readNBytes(LARGEST + 1));
        }
    }

    private static Optional<Path> found(Shell shell, String name) {
        try {
            return Optional.of(shell.directory().resolve(name)).filter(Files::isRegularFile);
        } catch (InvalidPathException noName) {
            return Optional.empty();
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

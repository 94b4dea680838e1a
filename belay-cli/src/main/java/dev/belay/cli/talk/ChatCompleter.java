package dev.belay.cli.talk;

import dev.belay.schema.Shown;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;

/**
 * Completes {@code @FILE} anywhere and {@code /COMMAND} at the beginning of a message.
 *
 * @param directory that names of files are relative to
 */
record ChatCompleter(Path directory) implements Completer {

    private static final int MOST = 200;

    @Override
    public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
        String word = line.word().substring(0, line.wordCursor());
        if (word.startsWith("@")) {
            files(word.substring(1))
                    .forEach(name -> candidates.add(new Candidate("@" + name, name, null, null, null,
                            null, !name.endsWith("/"))));
        } else if (line.wordIndex() == 0 && word.startsWith("/")) {
            for (SlashCommand command : SlashCommand.values()) {
                candidates.add(new Candidate(command.typed(), command.typed(), null, command.does(), null,
                        null, true));
            }
        }
    }

    /** Names that begin so; those of directories end with a slash. */
    List<String> files(String begin) {
        int slash = begin.lastIndexOf('/') + 1;
        Path folder = directory.resolve(begin.substring(0, slash));
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> String.valueOf(file.getFileName()).startsWith(begin.substring(slash)))
                    .limit(MOST)
                    .map(file -> begin.substring(0, slash) + file.getFileName()
                            + (Files.isDirectory(file) ? "/" : ""))
                    .filter(name -> Shown.name(name).equals(name)) // else it could control the terminal
                    .sorted()
                    .toList();
        } catch (IOException none) {
            return List.of();
        }
    }
}

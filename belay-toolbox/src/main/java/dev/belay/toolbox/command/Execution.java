package dev.belay.toolbox.command;

import dev.belay.json.FramedHash;
import dev.belay.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a call executes: its words, its directory, the bytes of its launcher, of its program and of every word that is a file below the
 * directory, and the rules that it runs under. It is frozen when the call is prepared, so that a person approves it, and compared right before the program is
 * started: what was approved is what runs, or nothing runs.
 *
 * <p>Not covered: what a program loads by itself (libraries, imports of a script), and a file that is replaced in the instant between the
 * comparison and the start.
 *
 * @param words the program and its arguments, the launcher and the shell included
 * @param directory where it runs
 * @param environment its whole environment
 * @param rules set the environment: names that it may inherit, whether or not they are set here, and values
 * @param most its time limit
 */
record Execution(List<String> words, Path directory, Map<String, String> environment, CommandRules rules,
        Duration most) {

    /** More files than a command line should name; a directory or a list in a file is one. */
    private static final int MOST_FILES = 1000;
    /** Larger files are told apart by size and time, because hashing them would hold up every call about them. */
    private static final long LARGEST = 16 << 20;

    /** Copies words and variables. */
    Execution {
        words = List.copyOf(words);
        environment = Map.copyOf(environment);
    }

    /** What a prepared call keeps of this. */
    Json freeze() throws IOException {
        Path real = directory.toRealPath();
        Map<String, String> files = files(real);
        return Json.write(out -> {
            out.beginObject().name("words").beginArray();
            words.forEach(out::value);
            out.endArray().name("directory").value(real.toString()).name("files").beginObject();
            files.forEach((file, hash) -> out.name(file).value(hash));
            out.endObject().name("rules").value(limits()).endObject();
        });
    }

    /** Refuses to start what is not what was prepared; {@code prepared_tool_mismatch} says what differs. */
    void demand(Json prepared) throws IOException {
        Json now = freeze();
        if (now.equals(prepared)) {
            return;
        }
        if (prepared.kind() != Json.Kind.OBJECT) {
            throw CommandRefusal.mismatch("what it would execute was not kept");
        }
        for (String part : List.of("words", "directory", "rules")) {
            if (!now.get(part).equals(prepared.get(part))) {
                throw CommandRefusal.mismatch(switch (part) {
                    case "words" -> "the command line that would be executed is another one";
                    case "directory" -> "the directory is another one";
                    default -> "its variables or its time limit are other ones";
                });
            }
        }
        Map<String, Json> before = prepared.get("files").orElse(Json.EMPTY_OBJECT).fields();
        Map<String, Json> after = now.get("files").orElse(Json.EMPTY_OBJECT).fields();
        var names = new TreeSet<>(before.keySet());
        names.addAll(after.keySet());
        names.removeIf(name -> after.containsKey(name) && after.get(name).equals(before.get(name)));
        throw CommandRefusal.mismatch("\"" + names.first() + "\" has changed");
    }

    private String limits() {
        FramedHash hash = new FramedHash().add("belay-command-rules-1").add(most.toString());
        rules.addVariables(hash);
        return hash.hex();
    }

    private Map<String, String> files(Path real) throws IOException {
        Map<String, String> hashes = new TreeMap<>();
        int programs = Math.min(words.size(), rules.launcher().size() + 1);
        for (String word : words.subList(0, programs)) {
            add(hashes, program(real, word));
        }
        for (Path named : NamedFiles.of(real, words)) {
            add(hashes, below(real, named));
        }
        return hashes;
    }

    private static void add(Map<String, String> hashes, @Nullable Path file) throws IOException {
        if (file != null && !hashes.containsKey(file.toString())) {
            if (hashes.size() == MOST_FILES) {
                throw CommandRefusal.badCommand("it names over " + MOST_FILES
                        + " files of the workspace; name a directory, or a file that lists them");
            }
            hashes.put(file.toString(), content(file));
        }
    }

    /** The file that is started by a word: a plain name is looked for in the path of this process, as the JDK does. */
    private static @Nullable Path program(Path real, String word) throws IOException {
        if (word.contains("/")) {
            Path file = real.resolve(word);
            return Files.isRegularFile(file) ? file.toRealPath() : null;
        }
        for (String place : System.getenv().getOrDefault("PATH", "/bin:/usr/bin").split(":", -1)) {
            Path file = real.resolve(place).resolve(word);
            if (Files.isRegularFile(file) && Files.isExecutable(file)) {
                return file.toRealPath();
            }
        }
        return null;
    }

    private static @Nullable Path below(Path real, Path file) {
        try {
            if (!Files.isRegularFile(file)) {
                return null;
            }
            Path found = file.toRealPath();
            return found.startsWith(real) ? found : null;
        } catch (IOException notOne) {
            return null;
        }
    }

    private static String content(Path file) throws IOException {
        if (Files.size(file) > LARGEST) {
            return Files.size(file) + " bytes of " + Files.getLastModifiedTime(file);
        }
        try (var in = new DigestInputStream(Files.newInputStream(file),
                MessageDigest.getInstance("SHA-256"))) {
            in.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(in.getMessageDigest().digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}

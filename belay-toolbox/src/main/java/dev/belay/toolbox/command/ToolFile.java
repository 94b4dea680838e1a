package dev.belay.toolbox.command;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.json.JsonLimits;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.call.RecordedCall;
import dev.belay.tool.option.OutputBudget;
import dev.belay.tool.option.Scheduling;
import dev.belay.tool.option.Timeouts;
import dev.belay.toolbox.file.FileOwner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * One file that declares a tool, read and checked.
 *
 * @param file the file
 * @param definition the tool
 * @param command the name of the program beside it, and fixed arguments
 * @param reconcile the same of the program that says whether a call has happened; empty if there is none
 * @param most how long each of them may take
 * @param target a hash of all that calls execute, as it was when the file was loaded
 */
record ToolFile(Path file, ToolDefinition definition, List<String> command, List<String> reconcile,
        Duration most, String target) {

    private static final Set<String> KEYS = Set.of("name", "description", "input", "output", "effect",
            "command", "reconcile", "timeout");
    private static final Duration USUAL = Duration.ofSeconds(60);
    private static final Duration LONGEST = Duration.ofHours(1);
    private static final int LARGEST = 512 << 10;

    /** Copies the lists. */
    ToolFile {
        command = List.copyOf(command);
        reconcile = List.copyOf(reconcile);
    }

    /** Reads a file; an {@link IllegalArgumentException} says what is wrong with it. */
    static ToolFile read(Path directory, Path file) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new IllegalArgumentException(
                    "it is not a regular file, or a link to one; put the file itself there");
        }
        if (Files.size(file) > LARGEST) {
            throw new IllegalArgumentException("it has over " + LARGEST + " bytes");
        }
        demandNotWritableByOthers("it", file);
        try {
            Json json = Json.of(Files.readString(file), JsonLimits.ARGUMENTS);
            return of(directory, file, json);
        } catch (JsonException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        } catch (BelayException e) {
            throw new IllegalArgumentException(e.code() + ": " + e.getMessage(), e);
        }
    }

    private static ToolFile of(Path directory, Path file, Json json) throws IOException {
        Set<String> unknown = new TreeSet<>(json.fields().keySet());
        unknown.removeAll(KEYS);
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException(
                    "unknown keys " + unknown + "; known are " + new TreeSet<>(KEYS));
        }
        List<String> command = program(directory, "command", required(json, "command"));
        Duration most = json.get("timeout").map(ToolFile::duration).orElse(USUAL);
        List<String> executed = new ArrayList<>(command);
        executed.set(0, directory.resolve(command.getFirst()).toString());
        ToolDefinition definition = definition(json, most, CommandWords.line(executed));
        Json reconcile = json.get("reconcile").orElse(null);
        if (reconcile != null && definition.manifest().effect() != ToolEffect.ONCE) {
            throw new IllegalArgumentException(
                    "reconcile is for the effect once; calls of other tools are repeated after a crash");
        }
        return new ToolFile(file, definition, command,
                reconcile == null ? List.of() : program(directory, "reconcile", reconcile), most, "");
    }

    /** The same, whose programs have this hash. */
    ToolFile loaded(String hash) {
        return new ToolFile(file, definition, command, reconcile, most, hash);
    }

    private static List<String> program(Path directory, String key, Json words) throws IOException {
        List<String> command = new ArrayList<>();
        for (Json word : words.items()) {
            command.add(word.asString());
        }
        if (command.isEmpty()) {
            throw new IllegalArgumentException(key + " is empty; it names the executable beside this file");
        }
        executable(directory, command.getFirst());
        return command;
    }

    /** Finds out what became of a call whose process died. */
    RecordedCall.Reconciler reconciler(ProjectRunner runner) {
        var dead = new DeadHost("the program of " + definition.name());
        return reconcile.isEmpty() ? dead : new ProjectReconciler(this, dead, runner);
    }

    private static ToolDefinition definition(Json json, Duration most, String command) {
        String name = required(json, "name").asString();
        String description = required(json, "description").asString();
        Json input = required(json, "input");
        ToolDefinition raw = json.get("output")
                .map(output -> ToolDefinition.raw(name, description, input, output))
                .orElseGet(() -> ToolDefinition.raw(name, description, input));
        ToolEffect effect = json.get("effect").map(ToolFile::effect).orElse(ToolEffect.ONCE);
        return raw.effect(effect)
                .scheduling(effect == ToolEffect.READ ? Scheduling.PARALLEL : Scheduling.SERIAL)
                .timeouts(new Timeouts(most.plusSeconds(10), null))
                .budget(new OutputBudget(40 << 10, 2000, OutputBudget.Keep.BOTH))
                .tags(List.of("project"))
                .preview(arguments -> "runs the project's " + name + ": " + command + "\nwith the input "
                        + arguments.compact());
    }

    private static Json required(Json json, String key) {
        return json.get(key)
                .orElseThrow(() -> new IllegalArgumentException("the key " + key + " is missing"));
    }

    private static ToolEffect effect(Json value) {
        return switch (value.asString().toLowerCase(Locale.ROOT)) {
            case "read" -> ToolEffect.READ;
            case "idempotent" -> ToolEffect.IDEMPOTENT;
            case "once" -> ToolEffect.ONCE;
            default -> throw new IllegalArgumentException(
                    "effect is " + value.text() + "; it must be read, idempotent or once");
        };
    }

    private static Duration duration(Json value) {
        long seconds = value.asLong();
        if (seconds < 1 || seconds > LONGEST.toSeconds()) {
            throw new IllegalArgumentException(
                    "timeout is " + seconds + "; it must be from 1 to " + LONGEST.toSeconds() + " seconds");
        }
        return Duration.ofSeconds(seconds);
    }

    /** The program, checked again at each call: inside the directory, a file and no link, executable, and writable by its owner only. */
    static Path executable(Path directory, String name) throws IOException {
        Path written;
        Path real;
        try {
            written = directory.resolve(name).normalize();
            real = directory.resolve(name).toRealPath();
        } catch (InvalidPathException | IOException e) {
            throw new IllegalArgumentException("there is no executable \"" + name + "\" beside it", e);
        }
        if (!real.startsWith(directory)) {
            throw new IllegalArgumentException(
                    "the executable \"" + name + "\" is outside " + directory.getFileName()
                            + "; it must be in the same directory");
        }
        if (!Files.isRegularFile(real) || !Files.isExecutable(real)) {
            throw new IllegalArgumentException("\"" + name + "\" is not an executable file");
        }
        demandNoLink(directory, name, written);
        for (Path at = real; !at.equals(directory); at = Objects.requireNonNull(at.getParent())) {
            demandNotWritableByOthers("\"" + name + "\"", at);
        }
        return real;
    }

    /** Refuses a program behind a link: who trusts the files of the directory has not looked at where it leads. */
    private static void demandNoLink(Path directory, String name, Path written) {
        for (Path at = written; at != null && !at.equals(directory); at = at.getParent()) {
            if (Files.isSymbolicLink(at) || !at.startsWith(directory)) {
                throw new IllegalArgumentException("the executable \"" + name
                        + "\" is reached by a link; put the file itself into " + directory.getFileName());
            }
        }
    }

    /** Refuses a program that others can change: they would decide what the tool does. */
    static void demandNotWritableByOthers(String what, Path path) throws IOException {
        if (!path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return;
        }
        demandOwned(what, path);
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(path);
        if (permissions.contains(PosixFilePermission.OTHERS_WRITE)
                || permissions.contains(PosixFilePermission.GROUP_WRITE)) {
            throw new IllegalArgumentException(
                    what + " can be changed by others than its owner; run chmod go-w on it");
        }
    }

    /** Refuses what belongs to another user, who could give it other bytes or other permissions at any time. */
    static void demandOwned(String what, Path path) throws IOException {
        Optional<String> stranger = FileOwner.stranger(path);
        if (stranger.isPresent()) {
            throw new IllegalArgumentException(what + " belongs to the user " + stranger.get()
                    + "; it must belong to you or root");
        }
    }

    /** The variables of the program besides those of every command. */
    Map<String, String> variables(String idempotencyKey) {
        return Map.of("BELAY_TOOL", definition.name(), "BELAY_IDEMPOTENCY_KEY", idempotencyKey);
    }
}

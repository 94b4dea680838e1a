package dev.belay.cli.settings;

import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.OwnFiles;
import dev.belay.cli.shell.Shell;
import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.schema.Shown;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which local model was found last, kept in the home directory: any user of the machine may answer on a usual port, so that a change of
 * the choice is a question.
 *
 * @param shell whose home, and where it is told
 * @param ask asks a person; null if there is no answer
 */
record LastModel(Shell shell, Function<String, @Nullable String> ask) {

    private static final int WORDS = 200;

    /**
     * Tells what was found, and asks if another model was found last.
     *
     * @param wanted the name that was searched for, or the empty text
     */
    void found(String wanted, String address, String model) {
        shell.err()
                .remark("The model is " + Shown.inLine(model, WORDS) + " of the local server at " + address
                        + ".");
        Map<String, Json> last = last();
        Json now = Json.object(Map.of("model", Json.string(model), "address", Json.string(address)));
        Json before = last.get(wanted);
        if (now.equals(before)) {
            return;
        }
        if (before != null) {
            require(Shown.inLine(before.peekText("model") + " at " + before.peekText("address"), WORDS));
        }
        last.put(wanted, now);
        keep(last);
    }

    private void require(String before) {
        shell.err().remark("It is not the one that was found last: " + before + ".");
        String answer = shell.canAsk() ? ask.apply("Is it the model that you want? [y/n] ") : null;
        if (answer == null || !answer.strip().toLowerCase(Locale.ROOT).matches("y|yes")) {
            throw CommandProblem
                    .notPossible("the model that a local server offers has changed, and nothing was"
                            + " sent to it; start the server that had " + before
                            + ", or say on a terminal that the new one"
                            + " is right, or give its base_url in [model] of belay.toml");
        }
    }

    private Map<String, Json> last() {
        try {
            return Files.exists(file())
                    ? new TreeMap<>(Json.of(Files.readString(file())).fields())
                    : new TreeMap<>();
        } catch (IOException | JsonException | IllegalStateException | CommandProblem unreadable) {
            return new TreeMap<>();
        }
    }

    private void keep(Map<String, Json> last) {
        try {
            OwnFiles.makeDirectory(file().resolveSibling(""));
            Path aside = Files.createTempFile(file().resolveSibling(""), "models-", ".new");
            Files.writeString(aside, Json.object(last).text());
            Files.move(aside, file(), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException | CommandProblem notKept) {
            shell.err()
                    .line("belay: a change of the model will not be noticed, because it cannot be remembered: "
                            + notKept.getMessage());
        }
    }

    private Path file() {
        return new TrustFile(shell).directory().resolve("models.json");
    }
}

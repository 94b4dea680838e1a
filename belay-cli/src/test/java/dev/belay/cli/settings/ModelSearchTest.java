package dev.belay.cli.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.cli.shell.Output;
import dev.belay.cli.shell.Person;
import dev.belay.cli.shell.Shell;
import dev.belay.model.Model;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Any user of a machine may answer on a usual port: what was found is told each time, and another choice than the last one asks. */
class ModelSearchTest {

    private static final String OLLAMA = "http://127.0.0.1:11434/v1";
    private static final String LLAMA_CPP = "http://127.0.0.1:8080/v1";

    @TempDir
    Path directory;

    private final Map<String, List<String>> local = new HashMap<>();
    private final List<String> asked = new ArrayList<>();
    private @Nullable String answer;
    private String told = "";

    private Model find(Settings.ModelChoice choice, Integer... terminals) {
        var err = new ByteArrayOutputStream();
        var shell = new Shell(InputStream.nullInputStream(), Output.answer(new ByteArrayOutputStream()),
                Output.remarks(err), Map.of("XDG_STATE_HOME", directory.toString()), directory,
                Set.of(terminals), (same, cancel) -> Person.NONE);
        try {
            return ModelSearch.find(shell, choice, prompt -> {
                asked.add(prompt);
                return answer;
            }, url -> Optional.ofNullable(local.get(url.toString())));
        } finally {
            told = err.toString(StandardCharsets.UTF_8);
        }
    }

    private Model find(Integer... terminals) {
        return find(Settings.ModelChoice.ANY, terminals);
    }

    @Test
    void addressAndModelAreToldEachTime() {
        local.put(LLAMA_CPP, List.of("gemma"));
        for (int i = 0; i < 2; i++) {
            assertThat(find().id()).contains("gemma");
            assertThat(told).isEqualTo("The model is gemma of the local server at " + LLAMA_CPP + ".\n");
        }
        assertThat(asked).isEmpty();
    }

    @Test
    void anotherServerWithoutATerminalIsRefused() {
        local.put(LLAMA_CPP, List.of("gemma"));
        find();
        local.put(OLLAMA, List.of("gemma"));
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(this::find).hasMessageContaining("has changed, and nothing was sent to it")
                    .hasMessageContaining("gemma at " + LLAMA_CPP)
                    .hasMessageContaining("base_url")
                    .extracting("exitCode")
                    .isEqualTo(3);
            assertThat(told).contains(OLLAMA, "not the one that was found last: gemma at " + LLAMA_CPP);
        }
        local.remove(OLLAMA);
        assertThat(find().id()).contains("gemma");
    }

    @Test
    void anotherModelAsksAndIsRememberedWithTheAnswer() {
        local.put(OLLAMA, List.of("gemma"));
        find();
        local.put(OLLAMA, List.of("other", "gemma"));
        answer = "n";
        assertThatThrownBy(() -> find(0, 2)).extracting("exitCode").isEqualTo(3);
        answer = null;
        assertThatThrownBy(() -> find(0, 2)).extracting("exitCode").isEqualTo(3);
        answer = " Y ";
        assertThat(find(0, 2).id()).contains("other");
        assertThat(asked).hasSize(3).allMatch("Is it the model that you want? [y/n] "::equals);
        assertThat(find().id()).as("it was the last one").contains("other");
        local.put(OLLAMA, List.of("gemma"));
        assertThatThrownBy(this::find).as("back again").extracting("exitCode").isEqualTo(3);
    }

    @Test
    void aModelThatIsNamedIsAChoiceOfItsOwn() {
        local.put(OLLAMA, List.of("gemma", "small"));
        find();
        assertThat(find(Settings.ModelChoice.ANY.named("small")).id()).contains("small");
        assertThat(find().id()).contains("gemma");
        assertThat(asked).isEmpty();
    }

    @Test
    void namesOfAServerAreShownAndKeptAsTheyAre() throws IOException {
        local.put(OLLAMA, List.of("a\nb\u202e\"}"));
        find();
        find();
        assertThat(told).contains("<U+202E>").hasLineCount(1);
        if (directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            assertThat(PosixFilePermissions
                    .toString(Files.getPosixFilePermissions(directory.resolve("belay/models.json"))))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void withoutAModelIsSaidWhatAUserOfTheCommandCanDo() {
        assertThatThrownBy(this::find).hasMessageContaining("set OPENAI_API_KEY or ANTHROPIC_API_KEY")
                .hasMessageContaining("OPENAI_BASE_URL (base_url of [model] in belay.toml)")
                .message()
                .doesNotContain("(…)", "builder");
    }

    @Test
    void whatCannotBeRememberedIsTold() throws IOException {
        Files.writeString(directory.resolve("belay"), "");
        local.put(OLLAMA, List.of("gemma"));
        assertThat(find().id()).contains("gemma");
        assertThat(told).contains("a change of the model will not be noticed");
    }
}

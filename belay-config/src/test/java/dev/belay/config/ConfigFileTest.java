package dev.belay.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.belay.json.Json;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigFileTest {

    private static final String TEXT = """
            name = "demo"
            most = 3
            price = 12.50
            on = true
            wait = "PT30S"
            tags = ["a", "b"]

            [model]
            base_url = "http://127.0.0.1"

            [[rule]]
            id = "one"
            equals = { a = [1, "x"] }

            [[rule]]
            id = "two"
            """;

    @Test
    void valuesAreReadByTheirTypes() {
        ConfigTable root = ConfigFile.of("belay.toml", TEXT).root();
        assertThat(root.text("name")).contains("demo");
        assertThat(root.integer("most")).contains(3L);
        assertThat(root.number("price")).contains(new BigDecimal("12.5"));
        assertThat(root.bool("on")).contains(true);
        assertThat(root.duration("wait")).contains(Duration.ofSeconds(30));
        assertThat(root.texts("tags")).containsExactly("a", "b");
        assertThat(root.texts("name")).containsExactly("demo");
        assertThat(root.table("model").orElseThrow().text("base_url")).contains("http://127.0.0.1");
        assertThat(root.tables("rule")).extracting(rule -> rule.text("id").orElseThrow())
                .containsExactly("one", "two");
        assertThat(root.tables("rule").getFirst().json("equals")).contains(Json.of("{\"a\":[1,\"x\"]}"));
        assertThat(root.text("missing")).isEmpty();
        assertThat(root.keys()).containsExactlyInAnyOrder("name", "most", "price", "on", "wait", "tags",
                "model",
                "rule");
    }

    @Test
    void aTableOverAnotherHasItsOwnKeysAndThenThoseBelow() {
        ConfigTable below = ConfigFile.of("user.toml", """
                name = "user"
                tags = ["c", 1]
                [model]
                name = "small"
                base_url = "http://127.0.0.1:1"
                [only.below]
                deep = 1
                [[rule]]
                id = "three"
                """).root();
        ConfigTable root = ConfigFile.of("belay.toml", TEXT.replace("tags = [\"a\", \"b\"]\n", ""))
                .root()
                .over(below);
        assertThat(root.text("name")).contains("demo");
        ConfigTable model = root.table("model").orElseThrow();
        assertThat(model.text("base_url")).contains("http://127.0.0.1");
        assertThat(model.text("name")).contains("small");
        assertThat(model.keys()).containsExactlyInAnyOrder("base_url", "name");
        assertThat(model.source("base_url")).contains("belay.toml");
        assertThat(model.source("name")).contains("user.toml");
        assertThat(model.source("key")).isEmpty();
        assertThat(root.table("only").orElseThrow().table("below").orElseThrow().integer("deep"))
                .contains(1L);
        assertThat(root.tables("rule")).extracting(rule -> rule.text("id").orElseThrow())
                .containsExactly("one", "two");
        assertThat(refused(() -> root.texts("tags")).problems()).first()
                .satisfies(problem -> assertThat(problem.toString()).startsWith("user.toml:2:"));
        assertThat(root.unknown(List.of("name", "model", "rule"))).extracting(Object::toString)
                .anyMatch(problem -> problem.startsWith("user.toml:"))
                .anyMatch(problem -> problem.startsWith("belay.toml:"));
        assertThat(ConfigFile.of("top.toml", "name = \"top\"")
                .root()
                .over(root)
                .table("model")
                .orElseThrow()
                .text("name"))
                .contains("small");
    }

    @Test
    void aSyntaxErrorNamesLineAndColumn() {
        ConfigException e = refused(() -> ConfigFile.of("belay.toml", "a = 1\nb = = 2\n"));
        assertThat(e.code()).isEqualTo("invalid_config");
        assertThat(e.problems()).first().satisfies(problem -> {
            assertThat(problem.file()).isEqualTo("belay.toml");
            assertThat(problem.line()).isEqualTo(2);
            assertThat(problem.column()).isEqualTo(5);
        });
        assertThat(e).hasMessageStartingWith("belay.toml:2:5: ");
    }

    @Test
    void anUnknownKeyIsToldWithTheNearestKnownOne() {
        ConfigTable root = ConfigFile.of("belay.toml", "modle = 1\n\n[other]\nx = 1\n").root();
        assertThat(root.unknown(List.of("model", "agent"))).extracting(ConfigProblem::toString)
                .containsExactly(
                        "belay.toml:1:1: the key \"modle\" is unknown here, did you mean \"model\"?; known are model, agent",
                        "belay.toml:3:1: the key \"other\" is unknown here; known are model, agent");
    }

    @Test
    void aWrongTypeNamesKeyPlaceAndWhatIsAllowed() {
        ConfigTable root = ConfigFile.of("f", TEXT).root();
        assertThat(refused(() -> root.integer("name")))
                .hasMessage("f:1:1: name must be a whole number, found the text \"demo\"");
        assertThat(refused(() -> root.tables("rule").get(1).bool("id")))
                .hasMessage("f:16:1: rule[1].id must be true or false, found the text \"two\"");
        assertThat(refused(() -> root.text("model")))
                .hasMessageContaining("model must be a text, found a table");
        assertThat(refused(() -> root.duration("name"))).hasMessageContaining("\"demo\" is no duration");
        assertThat(refused(() -> root.word("name", List.of("demos", "x")))).hasMessage(
                "f:1:1: \"demo\" is not allowed; allowed are demos, x, did you mean \"demos\"?");
        assertThat(refused(() -> ConfigFile.of("f", "a = [\"x\", 1]").root().texts("a")))
                .hasMessage("f:1:11: a must hold texts only, found 1");
    }

    @Test
    void aFileIsRead(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("belay.toml");
        Files.writeString(file, "a = \"ü\"\n");
        assertThat(ConfigFile.read(file).root().text("a")).contains("ü");
        Files.write(file, new byte[]{'a', '=', '"', (byte) 0xff, '"'});
        assertThat(refused(() -> ConfigFile.read(file))).hasMessageContaining("not UTF-8");
    }

    private static ConfigException refused(Runnable code) {
        return catchThrowableOfType(ConfigException.class, code::run);
    }
}

package dev.belay.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is kept of the tools of servers, and for how long. */
class McpPinsTest {

    @TempDir
    Path folder;

    private static List<McpPins.Seen> seen(String... tools) {
        return Stream.of(tools).map(tool -> new McpPins.Seen(tool, "hash of " + tool, () -> tool)).toList();
    }

    @Test
    void theFirstToolsOfAServerAreApprovedAndLaterOnesWait() {
        McpPins pins = McpPins.inMemory();
        assertThat(pins.refused("a", List.of())).as("has nothing to approve yet").isEmpty();
        assertThat(pins.refused("a", seen("pay", "look"))).isEmpty();
        assertThat(pins.refused("a", seen("pay", "look", "new"))).containsOnlyKeys("new");
        assertThat(pins.refused("b", seen("new"))).isEmpty();
        assertThat(pins.waiting()).extracting(McpPins.Waiting::server, McpPins.Waiting::tool)
                .containsExactly(org.assertj.core.groups.Tuple.tuple("a", "new"));
    }

    @Test
    void whatIsNotListedAnyMoreIsForgotten() {
        McpPins pins = McpPins.inMemory();
        pins.refused("a", seen("pay", "look"));
        pins.refused("a-b", seen("pay"));
        assertThat(pins.refused("a", List.of())).isEmpty();
        assertThat(pins.refused("a", seen("pay"))).as("a list that was empty is no first one")
                .containsOnlyKeys("pay");
        assertThat(pins.refused("a-b", seen("pay"))).isEmpty();
        pins.refused("a", seen("look"));
        assertThat(pins.waiting()).extracting(McpPins.Waiting::tool).containsExactly("look");
    }

    @Test
    void aNameThatIsNewWaitsInTheNextProcessToo() {
        Path file = folder.resolve("pins.json");
        McpPins.file(file).refused("a", seen("pay"));
        McpPins next = McpPins.file(file);
        assertThat(next.refused("a", seen("pay", "new"))).containsOnlyKeys("new");
        assertThat(McpPins.file(file).waiting()).extracting(McpPins.Waiting::tool).containsExactly("new");
    }

    @Test
    void aServerThatRenamesItsToolsForEverFillsNothing() throws Exception {
        Path file = folder.resolve("pins.json");
        McpPins pins = McpPins.file(file);
        String definition = "x".repeat(20_000);
        for (int round = 0; round < 5; round++) {
            int from = round * 1_000;
            List<McpPins.Seen> renamed = IntStream.range(from, from + 1_000)
                    .mapToObj(number -> new McpPins.Seen("tool" + number, "hash", () -> definition))
                    .toList();
            assertThat(pins.refused("a", renamed)).hasSize(round == 0 ? 0 : 1_000);
        }
        assertThat(pins.waiting()).as("of 16,385 characters in 4 Mi").hasSize(255);
        assertThat(Files.size(file)).isLessThan(5L << 20);
        assertThat(pins.refused("a", seen("tool")).get("tool")).isEqualTo("it is new, and was not approved");
    }
}

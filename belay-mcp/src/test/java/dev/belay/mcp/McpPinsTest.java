package dev.belay.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.store.memory.SharedMemory;
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
        assertThat(pins.waiting()).as("of 20,000 characters in 4 Mi").hasSize(209);
        assertThat(Files.size(file)).isLessThan(5L << 20);
        assertThat(pins.refused("a", seen("tool")).get("tool")).isEqualTo("it is new, and was not approved");
    }

    @Test
    void whatWaitsIsKeptWholeAndALongerDefinitionIsRefusedWithWords() {
        McpPins pins = McpPins.asking(folder.resolve("pins.json"));
        String whole = "x".repeat(63_990) + "until here";
        assertThat(pins.refused("a", List.of(new McpPins.Seen("whole", "1", () -> whole),
                new McpPins.Seen("longer", "2", () -> whole + "!"))))
                .containsEntry("whole", "it is new, and was not approved")
                .containsEntry("longer",
                        "it is new, and was not approved; its description and schemas have 64001"
                                + " characters, and only 64000 are shown to a person, so it cannot be approved: let the"
                                + " server shorten them");
        assertThat(pins.waiting()).singleElement()
                .extracting(McpPins.Waiting::definition)
                .isEqualTo(whole);
    }

    @Test
    void anApprovalThatCannotBeKeptDoesNotCount() throws Exception {
        Path place = Files.createDirectory(folder.resolve("place"));
        McpPins pins = McpPins.file(place.resolve("pins.json"));
        Files.delete(place);
        for (int time = 0; time < 2; time++) {
            assertThatThrownBy(() -> pins.refused("a", seen("pay"))).as("neither the first time nor later")
                    .hasMessageContaining("the approved tools cannot be kept in");
        }
        Files.createDirectory(place);
        assertThat(pins.refused("a", seen("pay"))).isEmpty();
        assertThat(pins.refused("a", seen("pay", "look"))).containsOnlyKeys("look");
        McpPins.Waiting look = pins.waiting().getFirst();
        Path aside = Files.move(place, folder.resolve("aside"));
        try (BelayClient person = Belay.client(new SharedMemory().open())) {
            assertThatThrownBy(() -> pins.approve(person, look))
                    .hasMessageContaining("the approved tools cannot be kept in");
        }
        Files.move(aside, place);
        pins.reread();
        assertThat(pins.refused("a", seen("pay", "look"))).containsOnlyKeys("look");
    }
}

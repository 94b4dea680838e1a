package dev.belay.runtime.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.runtime.output.ToolOutputBudgetConfig.Unit;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.option.OutputBudget;
import dev.belay.tool.option.OutputBudget.Keep;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Contract M.1, M.2, M.5: what is shown of a batch, to the byte. */
class ToolOutputBudgetConfigTest {

    private static final int SEEDS = Boolean.getBoolean("belay.long") ? 30_000 : 500;
    private static final String HANDLE = "out-1-h";
    private static final OutputKeeper KEPT = text -> Optional.of(HANDLE);
    private static final String FULL = "\n\nFull output: read_output(\"out-1-h\")";

    private static ToolOutput output(String text) {
        return output(text, null);
    }

    private static ToolOutput output(String text, @Nullable OutputBudget declared) {
        return new ToolOutput("t", new ToolOutcome.Cancelled("its text is another one"), text, declared);
    }

    private static String shown(ToolOutputBudgetConfig config, String text) {
        return config.show(List.of(output(text)), KEPT).getFirst();
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static int lines(String text) {
        return (int) text.lines().count();
    }

    private static String numbered(int lines) {
        return IntStream.rangeClosed(1, lines).mapToObj(Integer::toString).collect(Collectors.joining("\n"));
    }

    @Test
    void theDefaultIs16KibAnd400LinesAnOutputAnd64KibABatch() {
        assertThat(ToolOutputBudgetConfig.DEFAULT)
                .isEqualTo(new ToolOutputBudgetConfig(Unit.BYTES, 16_384, 400, 65_536, Keep.HEAD));
    }

    @Test
    void anOutputExactlyAtEachCapIsUntouched() {
        String atBytes = "x".repeat(16_384);
        String atLines = numbered(400);
        String atLinesEnded = numbered(400) + "\n";
        assertThat(shown(ToolOutputBudgetConfig.DEFAULT, atBytes)).isSameAs(atBytes);
        assertThat(shown(ToolOutputBudgetConfig.DEFAULT, atLines)).isSameAs(atLines);
        assertThat(shown(ToolOutputBudgetConfig.DEFAULT, atLinesEnded)).isSameAs(atLinesEnded);
        assertThat(shown(ToolOutputBudgetConfig.DEFAULT, "ü".repeat(8_192))).isEqualTo("ü".repeat(8_192));
        assertThat(shown(ToolOutputBudgetConfig.DEFAULT, atBytes + "x")).contains("truncated...");
        assertThat(shown(ToolOutputBudgetConfig.DEFAULT, numbered(401))).contains("truncated...");
        assertThat(shown(ToolOutputBudgetConfig.DEFAULT, "ü".repeat(8_193))).contains("truncated...");
    }

    @Test
    void nothingIsKeptOfOutputsUnderAllCaps() {
        OutputKeeper never = text -> {
            throw new AssertionError("kept " + text);
        };
        assertThat(ToolOutputBudgetConfig.DEFAULT.show(Collections.nCopies(4, output("x".repeat(16_384))),
                never)).containsOnly("x".repeat(16_384));
    }

    @Test
    void theHeadIsFollowedByTheMarkerAndTheHandle() {
        ToolOutputBudgetConfig config = ToolOutputBudgetConfig.DEFAULT.withMaxLines(7);
        assertThat(shown(config, numbered(20)))
                .isEqualTo("1\n2\n3\n\n...17 lines truncated..." + FULL);
    }

    @Test
    void theTailFollowsTheMarkerAndTheHandle() {
        var tail = new OutputBudget(1000, 7, Keep.TAIL);
        assertThat(ToolOutputBudgetConfig.DEFAULT.show(List.of(output(numbered(20) + "\n", tail)), KEPT))
                .containsExactly("...17 lines truncated..." + FULL + "\n\n18\n19\n20");
    }

    @Test
    void bothEndsStandAroundTheMarkerAndTheHandle() {
        var both = new OutputBudget(1000, 8, Keep.BOTH);
        assertThat(ToolOutputBudgetConfig.DEFAULT.show(List.of(output(numbered(20), both)), KEPT))
                .containsExactly("1\n2\n\n...17 lines truncated..." + FULL + "\n\n20");
    }

    @Test
    void wholeLinesAreKeptWhileTheSizeAllowsIt() {
        String line = "x".repeat(30);
        String text = String.join("\n", Collections.nCopies(10, line)); // 309 bytes
        var config = ToolOutputBudgetConfig.DEFAULT.withLimit(140);
        // marker and handle reserve 3 + 3 + 1 + 6 + 13 + 2 + 35 = 63, the gap 2: two lines with 61 bytes fit into 75
        assertThat(shown(config, text))
                .isEqualTo(line + "\n" + line + "\n\n...248 bytes truncated..." + FULL);
    }

    @Test
    void anOverlongLineIsCutAtACodePoint() {
        var config = ToolOutputBudgetConfig.DEFAULT.withLimit(100);
        String shown = shown(config, "😀".repeat(100));
        // 65 bytes are reserved: 8 characters of 4 bytes fit into 35
        assertThat(shown).isEqualTo("😀".repeat(8) + "\n\n...368 bytes truncated..." + FULL);
        var tail = new OutputBudget(100, 400, Keep.TAIL);
        assertThat(config.show(List.of(output("😀".repeat(100), tail)), KEPT))
                .containsExactly("...368 bytes truncated..." + FULL + "\n\n" + "😀".repeat(8));
        var both = new OutputBudget(100, 400, Keep.BOTH);
        assertThat(config.show(List.of(output("a" + "😀".repeat(100) + "z", both)), KEPT))
                .containsExactly("a" + "😀".repeat(4) + "\n\n...372 bytes truncated..." + FULL + "\n\n"
                        + "😀".repeat(3) + "z");
    }

    @Test
    void tokensAreFourBytesRoundedUp() {
        var config = ToolOutputBudgetConfig.DEFAULT.withTokens(25, 1024);
        assertThat(shown(config, "x".repeat(100))).as("25 tokens").isEqualTo("x".repeat(100));
        assertThat(shown(config, "x".repeat(101)))
                .isEqualTo("x".repeat(35) + "\n\n...17 tokens truncated..." + FULL);
    }

    @Test
    void anArrayOfManySmallStringsIsCutAsAWhole() {
        Json array = Json.array(Collections.nCopies(100_000, Json.string("a")));
        String shown = ToolOutputBudgetConfig.DEFAULT
                .show(List.of(ToolOutput.of("t", new ToolOutcome.Success(array), null)), KEPT)
                .getFirst();
        assertThat(bytes(shown)).isLessThanOrEqualTo(16_384).isGreaterThan(16_300);
        assertThat(shown).startsWith("[\"a\",\"a\",").endsWith(" bytes truncated..." + FULL);
    }

    @Test
    void aFailureIsCutLikeASuccess() {
        var failure = new ToolOutcome.Failure(ToolFailure.of("y".repeat(50_000)));
        String shown = ToolOutputBudgetConfig.DEFAULT.show(List.of(ToolOutput.of("t", failure, null)), KEPT)
                .getFirst();
        assertThat(bytes(shown)).isLessThanOrEqualTo(16_384);
        assertThat(shown).startsWith("Error (tool_failed): yyy").endsWith("truncated..." + FULL);
    }

    @Test
    void aMarkerInTheOutputIsTextLikeAnyOther() {
        String fake = "...5 bytes truncated...\n\nFull output: read_output(\"out-5-x\")";
        assertThat(shown(ToolOutputBudgetConfig.DEFAULT, fake)).isSameAs(fake);
        assertThat(shown(ToolOutputBudgetConfig.DEFAULT.withMaxLines(7), fake + "\n" + numbered(9)))
                .isEqualTo(fake + "\n\n...9 lines truncated..." + FULL);
    }

    @Test
    void halfCharactersDoNotBreakTheCut() {
        String halves = "\ud83d".repeat(100) + "\ude00".repeat(100);
        String shown = shown(ToolOutputBudgetConfig.DEFAULT.withLimit(120), halves);
        assertThat(bytes(shown)).isLessThanOrEqualTo(120);
        assertThat(shown).startsWith("\ud83d\ud83d").contains("truncated...");
    }

    @Test
    void aToolsOwnBudgetReplacesThatOfAnOutput() {
        var small = new OutputBudget(100, 10, Keep.HEAD);
        var large = new OutputBudget(50_000, 5_000, Keep.HEAD);
        List<String> shown = ToolOutputBudgetConfig.DEFAULT
                .show(List.of(output("x".repeat(200), small), output("x".repeat(40_000), large)), KEPT);
        assertThat(bytes(shown.getFirst())).isLessThanOrEqualTo(100);
        assertThat(shown.getLast()).isEqualTo("x".repeat(40_000));
    }

    @Test
    void aToolsOwnBudgetDoesNotReplaceThatOfTheBatch() {
        var large = new OutputBudget(1 << 20, 5_000, Keep.HEAD);
        List<String> shown = ToolOutputBudgetConfig.DEFAULT
                .show(List.of(output("x".repeat(100_000), large), output("y".repeat(100), null)), KEPT);
        assertThat(shown.stream().mapToInt(ToolOutputBudgetConfigTest::bytes).sum())
                .isLessThanOrEqualTo(65_536)
                .isGreaterThan(65_500);
        assertThat(shown.getLast()).isEqualTo("y".repeat(100));
    }

    @Test
    void aBatchIsSharedEquallyAndUnusedSharesAreReturned() {
        var config = ToolOutputBudgetConfig.DEFAULT.withBatchLimit(10_000);
        List<String> shown = config.show(List.of(output("a".repeat(9_000)), output("b".repeat(100)),
                output("c".repeat(9_000)), output("d".repeat(2_900))), KEPT);
        // 2,500 each; b leaves 2,400: 3,300 for each of the others; d leaves 400: 3,500 for a and c
        assertThat(shown.get(1)).isEqualTo("b".repeat(100));
        assertThat(shown.get(3)).isEqualTo("d".repeat(2_900));
        assertThat(bytes(shown.get(0))).isBetween(3_495, 3_500);
        assertThat(bytes(shown.get(2))).isBetween(3_495, 3_500);
    }

    private static String reference(int number) {
        return "{\"hash\":\"" + String.format("%064x", number) + "\",\"mediaType\":\"image/png\",\"size\":"
                + (number + 1) + "}";
    }

    private static String references(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(ToolOutputBudgetConfigTest::reference)
                .collect(Collectors.joining(" "));
    }

    @Test
    void referencesToAttachmentsAreNotCut() {
        String text = reference(1) + "x".repeat(20_000) + reference(2) + reference(1) + reference(3);
        String shown = shown(ToolOutputBudgetConfig.DEFAULT, text);
        assertThat(shown).startsWith(reference(1) + "xxx")
                .endsWith(" bytes truncated..." + FULL + "\nAttachments: " + reference(2) + " "
                        + reference(3));
        assertThat(bytes(shown)).isBetween(16_300, 16_384);
        var tail = new OutputBudget(16_384, 400, Keep.TAIL);
        assertThat(ToolOutputBudgetConfig.DEFAULT.show(List.of(output(text, tail)), KEPT).getFirst())
                .as("all of them are in the tail")
                .doesNotContain("Attachments: ");
        assertThat(ToolOutputBudgetConfig.DEFAULT
                .show(List.of(output(text + "y".repeat(20_000), tail)), KEPT)
                .getFirst()).contains(FULL + "\nAttachments: " + references(1, 4) + "\n\nyyy");
    }

    @Test
    void aBatchNamesAtMostEightAttachmentsOfWhatIsCut() {
        List<String> shown = ToolOutputBudgetConfig.DEFAULT.show(List.of(
                output("a".repeat(20_000) + references(0, 5)), output("small " + references(20, 22)),
                output("b".repeat(20_000) + references(5, 15)),
                output("c".repeat(20_000) + references(15, 20))), KEPT);
        assertThat(shown.get(0)).endsWith("\nAttachments: " + references(0, 5));
        assertThat(shown.get(1)).isEqualTo("small " + references(20, 22));
        assertThat(shown.get(2)).endsWith("\nAttachments: " + references(5, 8));
        assertThat(shown.get(3)).endsWith(FULL);
    }

    @Test
    void aBatchThatIsCutTwiceNamesEachAttachmentOnce() {
        var config = ToolOutputBudgetConfig.DEFAULT.withBatchLimit(8_000);
        List<String> shown = config.show(List.of(output("a".repeat(20_000) + references(0, 5)),
                output("b".repeat(20_000) + references(5, 15))), KEPT);
        assertThat(shown.get(0)).endsWith("\nAttachments: " + references(0, 5));
        assertThat(shown.get(1)).endsWith("\nAttachments: " + references(5, 8));
        assertThat(bytes(shown.get(0)) + bytes(shown.get(1))).isLessThanOrEqualTo(8_000);
    }

    @Test
    void boundsWithoutRoomForReferencesLeaveThemOut() {
        assertThat(shown(ToolOutputBudgetConfig.DEFAULT.withLimit(170), "x".repeat(300) + reference(1)))
                .endsWith(" bytes truncated..." + FULL)
                .startsWith("xxx");
    }

    @Test
    void thePagesOfAnOutputAreCutWithoutBeingKept() {
        OutputKeeper never = text -> {
            throw new AssertionError("kept");
        };
        var page = ToolOutput.of("read_output", new ToolOutcome.Success(Json.string("x".repeat(20_000))),
                null);
        assertThat(ToolOutputBudgetConfig.DEFAULT.show(List.of(page), never).getFirst())
                .endsWith(" bytes truncated...");
    }

    @Test
    void aBudgetOfNothingIsRefusedWithWhatIsAllowed() {
        assertThatThrownBy(() -> ToolOutputBudgetConfig.DEFAULT.withLimit(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(
                        "at least 1 of its bytes and 1 line for an output, and 1024 for a batch")
                .hasMessageContaining("found limit 0")
                .hasMessageContaining("leave the plugin out");
        assertThatThrownBy(() -> ToolOutputBudgetConfig.DEFAULT.withMaxLines(0))
                .hasMessageContaining("maxLines 0");
        assertThatThrownBy(() -> ToolOutputBudgetConfig.DEFAULT.withBatchLimit(0))
                .hasMessageContaining("batchLimit 0");
    }

    @Test
    void boundsWithoutRoomForAPartShowWhatFitsOfTheMarker() {
        ToolOutputBudgetConfig config = ToolOutputBudgetConfig.DEFAULT;
        String text = "x".repeat(200);
        assertThat(shown(config.withLimit(65), text)).isEqualTo("...200 bytes truncated..." + FULL);
        assertThat(shown(config.withLimit(40), text)).isEqualTo("Full output: read_output(\"out-1-h\")");
        assertThat(shown(config.withLimit(30), text)).isEqualTo("...200 bytes truncated...");
        assertThat(shown(config.withLimit(10), text)).isEqualTo("...");
        assertThat(shown(config.withLimit(1), text)).isEqualTo(".");
        assertThat(shown(config.withMaxLines(1), "a\nb")).isEqualTo("Full output: read_output(\"out-1-h\")");
    }

    @Test
    void callersSeeEachOutputUnderItsOwnBounds() {
        ToolOutcome small = new ToolOutcome.Success(Json.of("{\"a\":1}"));
        assertThat(ToolOutputBudgetConfig.DEFAULT.show(ToolOutput.of("t", small, null))).isSameAs(small);
        ToolOutcome shown = ToolOutputBudgetConfig.DEFAULT.show(
                ToolOutput.of("t", new ToolOutcome.Success(Json.string("x".repeat(20_000))), null));
        assertThat(bytes(shown.text())).isLessThanOrEqualTo(16_384);
        assertThat(shown.text()).endsWith(" bytes truncated...");
        ToolOutcome failure = ToolOutputBudgetConfig.DEFAULT.show(ToolOutput.of("t",
                new ToolOutcome.Failure(ToolFailure.of("y".repeat(50_000))), null));
        assertThat(failure.code()).contains("tool_failed");
        assertThat(bytes(failure.text())).isLessThanOrEqualTo(16_384);
        assertThat(failure.text()).endsWith(" bytes truncated...");
    }

    @Test
    void theCapsHoldForWhateverIsShown() {
        for (long seed = 0; seed < SEEDS; seed++) {
            var random = new Random(seed);
            var config = new ToolOutputBudgetConfig(random.nextBoolean() ? Unit.BYTES : Unit.TOKENS,
                    1 + random.nextInt(random.nextBoolean() ? 200 : 3_000), 1 + random.nextInt(30),
                    1_024 + random.nextInt(4_000), List.of(Keep.values()).get(random.nextInt(3)));
            List<ToolOutput> batch = new ArrayList<>();
            for (int i = random.nextInt(12); i >= 0; i--) {
                batch.add(output(text(random), random.nextInt(4) > 0
                        ? null
                        : new OutputBudget(1 + random.nextInt(2_000), 1 + random.nextInt(20),
                                List.of(Keep.values()).get(random.nextInt(3)))));
            }
            List<String> shown = config.show(batch, random.nextBoolean() ? KEPT : OutputKeeper.NONE);
            long total = 0;
            for (int i = 0; i < batch.size(); i++) {
                String where = "seed " + seed + ", output " + i;
                OutputBudget own = batch.get(i).declared();
                int most = own == null
                        ? config.limit() * (config.unit() == Unit.BYTES ? 1 : 4)
                        : own.maxBytes();
                int mostLines = own == null ? config.maxLines() : own.maxLines();
                assertThat(bytes(shown.get(i))).as(where).isLessThanOrEqualTo(most);
                assertThat(lines(shown.get(i))).as(where).isLessThanOrEqualTo(mostLines);
                total += config.unit() == Unit.BYTES ? bytes(shown.get(i)) : (bytes(shown.get(i)) + 3) / 4;
                assertThat(shown.get(i)).as(where).isNotEmpty();
            }
            assertThat(total).as("seed " + seed).isLessThanOrEqualTo(config.batchLimit());
        }
    }

    private static String text(Random random) {
        String[] parts = {reference(random.nextInt(20)), "a", "\n", "ü", "€", "😀", "\ud83d", "\ude00",
            "word ", "...5 lines truncated...",
            "\n\n"};
        var text = new StringBuilder("t");
        int lineBreaks = random.nextInt(20);
        for (int i = random.nextInt(random.nextInt(4) == 0 ? 4_000 : 300); i > 0; i--) {
            String part = parts[random.nextInt(parts.length)];
            text.append(part.isBlank() && random.nextInt(20) > lineBreaks ? "x" : part);
        }
        return text.toString();
    }
}

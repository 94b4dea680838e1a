package dev.belay.runtime.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.policy.ApprovalAnswer.Choice;
import dev.belay.tool.ToolEffect;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Contract I.3 and I.6: what a person is shown is whole, visible, and bound to the call by a digest. */
class ApprovalRequestTest {

    private static ApprovalRequest request(String arguments, @Nullable String preview) {
        return ApprovalRequest.of(
                new ApprovalRequest.Call("shop", List.of("root", "child"), 3, "c1", "refund", ToolEffect.ONCE,
                        "print",
                        Json.of(arguments), Json.of("{\"before\":\"abc\"}")),
                PolicyDecision.ask("big", "over the limit"), null, preview,
                new ApprovalRequest.Schemas(Json.of("{\"type\":\"object\"}"), null),
                EnumSet.allOf(Choice.class));
    }

    @Test
    void everyArgumentIsShownWithItsPlaceAndTheChainOfSessions() {
        ApprovalRequest request = request(
                "{\"amount\":1e2,\"to\":{\"name\":\"ann\",\"a/b\":[true,null]},\"none\":{}}",
                "refunds 100\nto ann");
        assertThat(request.shown()).isEqualTo("""
                tool: refund (ONCE)
                agent: shop
                session: child, turn 3, call c1
                made by: root > child
                asked by: rule "big": over the limit
                the tool says:
                  refunds 100
                  to ann
                arguments:
                  /amount = 1e2
                  /to/name = "ann"
                  /to/"a~1b"/0 = true
                  /to/"a~1b"/1 = null
                  /none = {}
                prepared:
                  /before = "abc"
                """);
        assertThat(request.allowed()).containsExactlyInAnyOrder(Choice.values());
    }

    @Test
    void charactersThatCannotBeSeenAreEscapedAndMarked() {
        // a bidi override, a zero-width space, a tag, a bell, a line separator, a Hangul filler, a no-break space
        String hidden = "a\u202Eb\u200Bc\uDB40\uDC41d\u0007e\u2028f\u3164g\u00A0h";
        ApprovalRequest request = request("{\"\u200Bkey\":" + Json.string(hidden).text() + "}",
                "says\u202E\rthis");
        assertThat(request.shown())
                .startsWith("Attention: characters that cannot be seen are written as \\u{...}\n")
                .contains(
                        "/\"\\u{200B}key\" = \"a\\u{202E}b\\u{200B}c\\u{E0041}d\\u{0007}e\\u{2028}f\\u{3164}g\\u{00A0}h\"")
                .contains("  says\\u{202E}\\u{000D}this\n");
        assertThat(request.shown().codePoints().filter(point -> point != '\n').filter(ShownText::isHidden))
                .isEmpty();
    }

    @Test
    void aLineBreakInAValueCannotPassForALineOfTheRequest() {
        ApprovalRequest request = request("{\"note\":\"x\\narguments:\\n  /amount = 1\"}", null);
        assertThat(request.shown()).contains("  /note = \"x\\narguments:\\n  /amount = 1\"\n");
    }

    @Test
    void aNameCannotPassForAValueOrForALineOfTheRequest() {
        assertThat(request("{\"to = \\\"Ropes Ltd\\\"      \":\"DE99 attacker\"}", null).shown())
                .contains("  /\"to = \\\"Ropes Ltd\\\"      \" = \"DE99 attacker\"\n");
        assertThat(request("{\"a\\n  /amount\":1,\"\":2}", null).shown())
                .contains("  /\"a\\n  ~1amount\" = 1\n")
                .contains("  /\"\" = 2\n");
        assertThat(request("{\"Az09_-\":1}", null).shown()).contains("  /Az09_- = 1\n");
    }

    @Test
    void textsThatDifferAreShownDifferently() {
        assertThat(request("{\"note\":\"a\\nb\"}", null).shown()).contains("/note = \"a\\nb\"\n");
        assertThat(request("{\"note\":\"a\\\\nb\"}", null).shown()).contains("/note = \"a\\\\nb\"\n");
        assertThat(request("{\"note\":\"a\\\\u{202E}\"}", null).shown())
                .contains("/note = \"a\\\\u{202E}\"\n")
                .doesNotContain("Attention");
        assertThat(request("{\"note\":\"a\\\" [9 characters are not shown] \\\"\"}", null).shown())
                .contains("/note = \"a\\\" [9 characters are not shown] \\\"\"\n");
    }

    @Test
    void aLongValueIsFoldedWithItsTailAndOnlyOnceIsOffered() {
        ApprovalRequest request = request("{\"command\":\"" + " ".repeat(1_000_000) + "; rm -rf /\"}", null);
        assertThat(request.shown()).startsWith("Attention: not all is shown")
                .contains("characters are not shown]")
                .contains("; rm -rf /\"")
                .hasSizeLessThan(6_000);
        assertThat(request.allowed()).contains(Choice.ONCE, Choice.EDIT, Choice.ANSWER, Choice.DENY)
                .doesNotContain(Choice.TURN, Choice.SESSION);
        assertThat(request.call().arguments().text()).hasSizeGreaterThan(1_000_000);
    }

    @Test
    void manyValuesAreCountedIfTheyAreNotShown() {
        ApprovalRequest request = request("{\"list\":[" + "1,".repeat(599) + "1]}", null);
        assertThat(request.shown()).contains("[100 more values are not shown]");
        assertThat(request.allowed()).doesNotContain(Choice.SESSION);
    }

    @Test
    void numbersAreShownWithAllTheirDigitsAndTellApartWhatWouldPrintAlike() {
        ApprovalRequest exact = request("{\"amount\":100000000000000000.01}", null);
        ApprovalRequest near = request("{\"amount\":100000000000000000.02}", null);
        assertThat(exact.shown()).contains("/amount = 100000000000000000.01\n");
        assertThat(near.shown()).contains("/amount = 100000000000000000.02\n");
        assertThat(exact.digest()).isNotEqualTo(near.digest());
        assertThat(request("{\"amount\":\"1\"}", null).shown()).contains("/amount = \"1\"\n");
        assertThat(request("{\"amount\":1}", null).shown()).contains("/amount = 1\n");
        assertThat(request("{\"amount\":1.0}", null).digest()).as("one number has one digest")
                .isEqualTo(request("{\"amount\":1}", null).digest());
    }

    @Test
    void theStoredFormIsReadBack() {
        ApprovalRequest request = request("{\"amount\":7}", "p");
        assertThat(ApprovalRequest.of(request.toJson(), request.call().arguments(), request.call().payload()))
                .isEqualTo(request);
    }

    @Test
    void theDigestIsThatOfFingerprintArgumentsPayloadAndPreview() {
        Json arguments = Json.of("{\"b\":1,\"a\":2}");
        String digest = ApprovalRequest.digest("print", arguments, null, null);
        assertThat(ApprovalRequest.digest("print", Json.of("{ \"a\": 2, \"b\": 1 }"), null, null))
                .isEqualTo(digest);
        assertThat(ApprovalRequest.digest("other", arguments, null, null)).isNotEqualTo(digest);
        assertThat(ApprovalRequest.digest("print", Json.of("{\"a\":2,\"b\":\"1\"}"), null, null))
                .isNotEqualTo(digest);
        assertThat(ApprovalRequest.digest("print", arguments, Json.NULL, null)).isNotEqualTo(digest);
        assertThat(ApprovalRequest.digest("print", arguments, null, "pays 5")).isNotEqualTo(digest)
                .isNotEqualTo(ApprovalRequest.digest("print", arguments, null, "pays 6"));
    }

    @Test
    void answersAreReadBackFromTheirForms() {
        for (ApprovalAnswer answer : List.of(ApprovalAnswer.once(), ApprovalAnswer.forTurn(),
                ApprovalAnswer.forSession(),
                ApprovalAnswer.edit(Json.of("{\"a\":1}")), ApprovalAnswer.answer(Json.NULL),
                ApprovalAnswer.deny("no"))) {
            assertThat(ApprovalAnswer.of(answer.settlement("ann", "web", Instant.EPOCH))).contains(answer);
            assertThat(ApprovalAnswer.by(answer.settlement("ann", "web", Instant.EPOCH))).isEqualTo("ann");
        }
        assertThat(ApprovalAnswer.of(Json.of("{\"x\":1}"))).isEmpty();
    }

    @Test
    void randomTextsAreShownWithoutHiddenCharacters() {
        var random = new Random(20);
        for (int i = 0; i < 20_000; i++) {
            String text = new String(random.ints(1 + random.nextInt(20), 0, 0x110000).toArray(), 0, 1);
            assertThat(ShownText.escaped(text).codePoints().anyMatch(ShownText::isHidden))
                    .as("seed 20, text %d", i)
                    .isFalse();
        }
    }
}

package dev.belay.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.belay.json.Json;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Schemas and values made to hang or crash a check; each must end with an answer, and soon. */
class HostileTest {

    private static final Duration SOON = Duration.ofSeconds(10);

    @Test
    void doublingReferencesEndWithTheBudget() {
        String levels = IntStream.range(0, 30)
                .mapToObj(i -> "\"d%d\":{\"allOf\":[{\"$ref\":\"#/$defs/d%d\"},{\"$ref\":\"#/$defs/d%d\"}]}"
                        .formatted(i, i + 1, i + 1))
                .collect(Collectors.joining(","));
        String schema = "{\"$ref\":\"#/$defs/d0\",\"$defs\":{" + levels + ",\"d30\":{\"type\":\"string\"}}}";

        Violations violations = check(schema, "\"a\"");
        assertThat(violations.first()).extracting(Violation::keyword).containsExactly("budget");
        assertThat(violations.message()).contains("can be checked in 10000000 steps");
    }

    @Test
    void aBudgetSpentBelowNotIsNoAcceptance() {
        String levels = IntStream.range(0, 30)
                .mapToObj(i -> "\"d%d\":{\"allOf\":[{\"$ref\":\"#/$defs/d%d\"},{\"$ref\":\"#/$defs/d%d\"}]}"
                        .formatted(i, i + 1, i + 1))
                .collect(Collectors.joining(","));

        assertThat(check("{\"not\":{\"$ref\":\"#/$defs/d0\"},\"$defs\":{" + levels + ",\"d30\":true}}", "1")
                .first())
                .extracting(Violation::keyword)
                .containsExactly("budget");
    }

    /** How much stack a level takes depends on what the virtual machine has compiled by then, so there is plenty. */
    @Test
    void theDeepestValueIsCheckedThroughARecursiveSchema() throws InterruptedException {
        checksAList(512, 16 << 20);
    }

    @Test
    void argumentsOfTheGreatestDepthAreCheckedOnASmallStack() throws InterruptedException {
        checksAList(128, 512 << 10);
    }

    private static void checksAList(int levels, int stackSize) throws InterruptedException {
        String schema = """
                {"$ref":"#/$defs/list","$defs":{"list":{"anyOf":[{"type":"null"},{"$ref":"#/$defs/cell"}]},
                 "cell":{"type":"object","required":["next"],"properties":{"next":{"$ref":"#/$defs/list"}}}}}""";
        String open = "{\"next\":".repeat(levels);
        String close = "}".repeat(levels);
        Violations[] answers = new Violations[2];
        Thread thread = new Thread(null, () -> {
            answers[0] = check(schema, open + "null" + close);
            answers[1] = check(schema, open + "5" + close);
        }, "a stack of " + stackSize, stackSize);
        thread.start();
        thread.join();
        assertThat(answers[0].message()).isEmpty();
        assertThat(answers[1].first()).singleElement()
                .satisfies(violation -> assertThat(violation.pointer()).hasSize(levels * "/next".length()));
    }

    @Test
    void deepSchemasOnDeepValuesEndOnASmallStack() throws InterruptedException {
        String nested = "{\"allOf\":[".repeat(20) + "{\"items\":{\"$ref\":\"#\"}}" + "]}".repeat(20);
        JsonSchema schema = JsonSchema.of(Json.of(nested));
        Json value = Json.of("[".repeat(512) + "]".repeat(512));
        Violations[] answer = new Violations[1];
        Thread small = new Thread(null, () -> answer[0] = schema.validate(value), "small", 256 << 10);
        small.start();
        small.join();

        assertThat(answer[0].first()).extracting(Violation::keyword).containsExactly("budget");
    }

    @Test
    void aLongChainOfReferencesNeedsNoStack() {
        String chain = IntStream.range(0, 6_000)
                .mapToObj(i -> "\"%d\":{\"$ref\":\"#/$defs/%d\"}".formatted(i, i + 1))
                .collect(Collectors.joining(","));
        String schema = "{\"items\":{\"$ref\":\"#/$defs/0\"},\"$defs\":{" + chain
                + ",\"6000\":{\"type\":\"null\"}}}";

        assertThat(check(schema, "[null]").message()).isEmpty();
        assertThat(check(schema, "[1]").message()).isEqualTo("/0: expected null, found 1");
    }

    @Test
    void aLongChainThroughOtherKeywordsEndsWithTheBudget() {
        String chain = IntStream.range(0, 3_000)
                .mapToObj(i -> "\"%d\":{\"allOf\":[{\"$ref\":\"#/$defs/%d\"}]}".formatted(i, i + 1))
                .collect(Collectors.joining(","));

        assertThat(
                check("{\"items\":{\"$ref\":\"#/$defs/0\"},\"$defs\":{" + chain + ",\"3000\":true}}", "[1]")
                        .first())
                .extracting(Violation::keyword)
                .containsExactly("budget");
    }

    @Test
    void hugeExponentsAreNeverWrittenOut() {
        assertThat(check("{\"multipleOf\":3e-9999}", "[1]").isEmpty()).isTrue();
        String many = IntStream.range(0, 20_000)
                .mapToObj(i -> i + "e9000")
                .collect(Collectors.joining(",", "[", "]"));

        assertThat(check("{\"items\":{\"multipleOf\":7e-9000,\"maximum\":1e9999}}", many).isEmpty())
                .isFalse();
    }

    @Test
    void manyDivisionsByALongNumberEnd() {
        String divisor = "7".repeat(900);
        String many = "[" + "1e9999,".repeat(150_000) + "0]";

        assertThat(check("{\"items\":{\"multipleOf\":" + divisor + "}}", many).total())
                .isEqualTo(150_000);
        assertThat(check("{\"items\":{\"multipleOf\":" + divisor + "e-950}}", "[1e9999,7e-50]").first())
                .extracting(Violation::pointer)
                .containsExactly("/0", "/1");
    }

    @Test
    void longNumbersArePaidForByTheirLength() {
        String limits = IntStream.range(0, 2_000)
                .mapToObj(i -> "{\"type\":\"integer\",\"minimum\":" + i + "}")
                .collect(Collectors.joining(","));
        String many = "[" + ("1." + "0".repeat(990) + ",").repeat(500) + "2]";

        assertThat(
                check("{\"items\":{\"anyOf\":[{\"allOf\":[" + limits + "]},{\"minimum\":0}]}}", many).first())
                .isNotNull();
    }

    @Test
    void manyPatternsOnManyFieldsEnd() {
        String patterns = IntStream.range(0, 500)
                .mapToObj(i -> "\"^x[a-z]*" + i + "$\":{}")
                .collect(Collectors.joining(",", "{", "}"));
        String fields = IntStream.range(0, 20_000)
                .mapToObj(i -> "\"xab" + i + "\":1")
                .collect(Collectors.joining(",", "{", "}"));

        assertThat(check("{\"patternProperties\":" + patterns + "}", fields).first())
                .extracting(Violation::keyword)
                .containsExactly("budget");
    }

    @Test
    void manyUniqueItemsTakeLinearTime() {
        String items = IntStream.range(0, 200_000)
                .mapToObj(i -> "{\"id\":" + i + "}")
                .collect(Collectors.joining(",", "[", "]"));

        assertThat(check("{\"uniqueItems\":true}", items).isEmpty()).isTrue();
    }

    @Test
    void itemsWithOneHashEndWithTheBudget() {
        String items = IntStream.range(0, 1 << 14)
                .mapToObj(i -> IntStream.range(0, 14)
                        .mapToObj(bit -> (i >> bit & 1) == 0 ? "Aa" : "BB")
                        .collect(Collectors.joining("", "[\"", "\"]")))
                .collect(Collectors.joining(",", "[", "]"));

        assertThat(check("{\"uniqueItems\":true}", items).first()).extracting(Violation::keyword)
                .containsExactly("budget");
    }

    @Test
    void nestedUniquenessDoesNotHashEveryLevelAgainForEver() {
        String text = "\"" + "x".repeat(100_000) + "\"";
        String value = "[0,".repeat(400) + text + "]".repeat(400);

        assertThat(check("{\"uniqueItems\":true,\"items\":{\"$ref\":\"#\"}}", value).total())
                .isLessThanOrEqualTo(1);
    }

    @Test
    void manyBranchesOnManyItemsEnd() {
        String branches = IntStream.range(0, 500)
                .mapToObj(i -> "{\"type\":\"object\",\"required\":[\"f" + i + "\"]}")
                .collect(Collectors.joining(","));
        String items = "{},".repeat(50_000);

        Violations violations = check("{\"items\":{\"anyOf\":[" + branches + "]}}", "[" + items + "{}]");
        assertThat(violations.first()).hasSize(10);
    }

    @Test
    void longNamesAreNeitherComparedNorShownWhole() {
        String name = "n".repeat(100_000);

        assertThat(check("{\"properties\":{\"" + name + "\":true},\"additionalProperties\":false}",
                "{\"x" + name + "\":1}").message())
                .contains("is not a known field; known fields are \"nnn")
                .hasSizeLessThan(500);
    }

    private static Violations check(String schema, String value) {
        return assertTimeoutPreemptively(SOON, () -> JsonSchema.of(Json.of(schema)).validate(Json.of(value)));
    }
}

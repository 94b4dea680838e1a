package dev.belay.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.belay.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Schemas and values made to hang or crash a check; each must end with an answer, and soon. */
class HostileTest {

    /** Many times what is expected; a check is bounded by its steps. */
    private static final Duration SOON = Duration.ofMinutes(2);

    @Test
    void doublingReferencesEndWithTheBudget() {
        Violations violations = check(doubling(30, "{\"type\":\"string\"}"), "\"a\"");
        assertThat(violations.first()).extracting(Violation::keyword).containsExactly("budget");
        assertThat(violations.message()).contains("can be checked in 10000000 steps");
    }

    @Test
    void aBudgetSpentBelowNotIsNoAcceptance() {
        String below = doubling(30, "true").replaceFirst("\\{\"\\$ref\":\"#/\\$defs/d0\"",
                "{\"not\":{\"\\$ref\":\"#/\\$defs/d0\"}");

        assertThat(check(below, "1").first()).extracting(Violation::keyword).containsExactly("budget");
    }

    @Test
    void theDeepestValueIsCheckedThroughARecursiveSchema() throws InterruptedException {
        checksAList(512, 1 << 20);
    }

    @Test
    void argumentsOfTheGreatestDepthAreCheckedOnASmallStack() throws InterruptedException {
        checksAList(128, 512 << 10);
    }

    private static void checksAList(int levels, int stackSize) throws InterruptedException {
        String schema = """
                {"type":["object","null"],"required":["next"],"properties":{"next":{"$ref":"#"}}}""";
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
    void manyBranchesOnManyItemsAreGivenUpByTheirSteps() {
        String branches = IntStream.range(0, 500)
                .mapToObj(i -> "{\"type\":\"object\",\"required\":[\"f" + i + "\"]}")
                .collect(Collectors.joining(","));
        String schema = "{\"items\":{\"anyOf\":[" + branches + "]}}";

        // 1,000 items take 3 to 6 steps for each of 500 branches and may take 10.3 million; 50,000 may take 25 million
        assertThat(check(schema, "[" + "{},".repeat(999) + "{}]").total()).isEqualTo(1_000);
        assertThat(check(schema, "[" + "{},".repeat(49_999) + "{}]").total()).isBetween(8_000, 20_000);
    }

    @Test
    void aNameIsPaidForByItsLength() {
        assertGivenUp(doubling(11, "{\"propertyNames\":{}}"), "{\"" + "a".repeat(100_000) + "\":1}");
        String name = "a".repeat(100_000);
        assertGivenUp(doubling(13, "{\"properties\":{\"" + name + "\":true}}"), "{\"" + name + "\":1}");
        assertGivenUp(doubling(13, "{\"required\":[\"" + name + "\"]}"), "{\"" + name + "\":1}");
    }

    @Test
    void aRuleAboutAnAbsentFieldTakesAStep() {
        for (String rule : List.of("{\"dependentSchemas\":{%s}}", "{\"dependentRequired\":{%s}}")) {
            String fields = IntStream.range(0, 18_000)
                    .mapToObj(i -> "\"a" + i + "\":" + (rule.contains("Schemas") ? "true" : "[]"))
                    .collect(Collectors.joining(","));
            assertGivenUp(doubling(10, rule.formatted(fields)), "{}");
        }
    }

    @Test
    void eachVisitOfAFieldTakesAStep() {
        String branches = "{\"properties\":{}},".repeat(4_000) + "{}";
        String value = IntStream.range(0, 5_000)
                .mapToObj(i -> "\"f" + i + "\":1")
                .collect(Collectors.joining(",", "{", "}"));

        assertGivenUp("{\"unevaluatedProperties\":false,\"anyOf\":[" + branches + "]}", value);
        assertGivenUp("{\"allOf\":[" + branches + "]}", value);
        assertGivenUp("{\"allOf\":[" + branches.replace("properties\":{}", "unevaluatedProperties\":true")
                + "]}", value);
    }

    /** Each hint compares 200 long names with one of 190 characters: 7 of the 10 million cells that a check may fill. */
    @Test
    void theHintsOfACheckShareOneBound() {
        String far = IntStream.range(100, 300)
                .mapToObj(i -> "\"" + "a".repeat(187) + i + "\":1,")
                .collect(Collectors.joining());
        String schema = "{\"required\":[\"" + "b".repeat(190) + "\",\"" + "c".repeat(190) + "\"]}";
        String value = "{" + far + "\"" + "b".repeat(189) + "\":1,\"" + "c".repeat(189) + "\":1}";

        assertThat(check(schema, value).first()).extracting(violation -> violation.hint() != null)
                .containsExactly(true, false);
    }

    private static void assertGivenUp(String schema, String value) {
        assertThat(check(schema, value).first()).extracting(Violation::keyword).contains("budget");
    }

    /** A schema that leads to another one by 2 to the power of {@code levels} ways. */
    private static String doubling(int levels, String schema) {
        return IntStream.range(0, levels)
                .mapToObj(i -> "\"d%d\":{\"allOf\":[{\"$ref\":\"#/$defs/d%d\"},{\"$ref\":\"#/$defs/d%d\"}]}"
                        .formatted(i, i + 1, i + 1))
                .collect(Collectors.joining(",", "{\"$ref\":\"#/$defs/d0\",\"$defs\":{",
                        ",\"d" + levels + "\":" + schema + "}}"));
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

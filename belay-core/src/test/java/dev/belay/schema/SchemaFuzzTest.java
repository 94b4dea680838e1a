package dev.belay.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.belay.json.Json;
import dev.belay.json.JsonSyntaxException;
import dev.belay.schema.pattern.RandomPatterns;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Schemas with random damage: each is refused by a {@link SchemaException}, or checks every value and repeats its answer. */
class SchemaFuzzTest {

    private static final int SCHEMAS = Boolean.getBoolean("belay.long") ? 200_000 : 2_000;
    /** For all of them; a few seconds, or minutes, are expected. */
    private static final Duration SOON = Duration.ofMinutes(1 + SCHEMAS / 5_000);

    private static final List<Draft> DRAFTS = List.of(Draft.values());
    private static final List<String> TOKENS = List.of("\"$ref\":\"#\"", "\"$ref\":\"#/items/0\"",
            "\"$ref\":\"#a\"",
            "\"$id\":\"x.json\"", "\"$id\":\"#a\"", "\"id\":\"http://[\"", "\"$anchor\":\"a\"",
            "\"$dynamicRef\":\"#a\"",
            "\"$recursiveRef\":\"#\"", "\"$ref\":\"x.json#/$defs/p\"", "\"$ref\":\"% %\"", "\"items\":[true]",
            "\"additionalItems\":false", "\"dependencies\":{\"a\":[\"b\"],\"b\":{}}", "\"nullable\":true",
            "\"$schema\":\"http://json-schema.org/draft-07/schema#\"", "\"multipleOf\":1e-9999",
            "\"multipleOf\":-0.0",
            "\"minLength\":1e400", "\"enum\":[]", "\"required\":[\"a\",\"a\"]", "\"properties\":null",
            "\"type\":[]",
            "\"exclusiveMinimum\":true", "\"format\":\"date\"", "null", "[]", "{}", "true", "-1", "\"a\"",
            "1e9999");

    @Test
    void aDamagedSchemaIsRefusedOrAnswers() {
        int compiled = assertTimeoutPreemptively(SOON, SchemaFuzzTest::run);
        assertThat(compiled).as("enough damage is survived").isGreaterThan(SCHEMAS / 10);
    }

    /** How many schemas could be compiled. */
    private static int run() {
        int compiled = 0;
        for (long seed = 0; seed < SCHEMAS; seed++) {
            Random random = new Random(seed);
            Draft draft = DRAFTS.get(random.nextInt(DRAFTS.size()));
            RandomSchemas schemas = new RandomSchemas(seed, draft);
            String text = damaged(schemas.schema(), random, new RandomPatterns(seed));
            String what = "seed " + seed + ", " + draft + ", " + text;
            try {
                JsonSchema schema = JsonSchema.of(Json.of(text), draft);
                compiled++;
                for (int i = 0; i < 4; i++) {
                    Json value = Json.of(schemas.value());
                    Violations found = schema.validate(value);
                    assertThat(schema.validate(value).message()).as(what).isEqualTo(found.message());
                    assertThat(found.message().isEmpty()).as(what).isEqualTo(found.isEmpty());
                }
                assertThat(schema.withoutAnnotations()).as(what).isNotNull();
            } catch (JsonSyntaxException | SchemaException refused) {
                assertThat(refused.getMessage()).as(what).isNotBlank().hasSizeLessThan(1_000);
            } catch (RuntimeException other) {
                throw new AssertionError(what, other);
            }
        }
        return compiled;
    }

    private static String damaged(String schema, Random random, RandomPatterns patterns) {
        String text = schema;
        for (int left = 1 + random.nextInt(3); left > 0; left--) {
            int at = text.indexOf("{\"", random.nextInt(text.length()));
            String token = random.nextInt(3) == 0
                    ? "\"pattern\":" + Json.string(patterns.pattern()).text()
                    : TOKENS.get(random.nextInt(TOKENS.size()));
            if (at >= 0 && token.indexOf(':') > 0) {
                text = text.substring(0, at + 1) + token + "," + text.substring(at + 1);
            } else if (at >= 0) { // in place of a value
                int colon = text.indexOf(':', at);
                int end = colon < 0 ? -1 : text.indexOf(',', colon);
                text = end < 0 ? text : text.substring(0, colon + 1) + token + text.substring(end);
            }
        }
        return text;
    }
}

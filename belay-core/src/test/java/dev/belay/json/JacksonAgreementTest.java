package dev.belay.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Jackson in its strict settings is an independent judge: on thousands of damaged texts both accept or both refuse, and read the
 * same. Belay alone refuses lone surrogates and exponents beyond 9,999; texts with those are counted apart.
 */
class JacksonAgreementTest {

    private static final JsonMapper JACKSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS,
                    DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS,
                    DeserializationFeature.USE_BIG_INTEGER_FOR_INTS)
            .build();
    private static final Pattern LARGE_EXPONENT = Pattern.compile("[0-9][eE][+-]?[0-9]{4,}");
    private static final String DAMAGE = "{}[]:,\"\\0123456789.eE+-tfnulrasbx/' \n\t\u0001é\uD83D\uDE00\uFEFF";

    @Test
    void bothAgreeOnDamagedTexts() {
        long seed = 9_001;
        var random = new Random(seed);
        var values = new RandomJson(random);
        int accepted = 0;
        int refused = 0;
        int apart = 0;
        for (int round = 0; round < 40_000; round++) {
            String text = values.spell(values.value(3));
            for (int damages = random.nextInt(4); damages > 0; damages--) {
                text = damage(text, random);
            }
            String where = "seed " + seed + ", round " + round + ": " + text;
            Optional<Json> ours = ours(text);
            Optional<JsonNode> theirs = theirs(text);
            if (ours.isEmpty() && theirs.isPresent()) {
                assertThat(isOurOwnRefusal(text)).as(where).isTrue();
                apart++;
            } else {
                assertThat(ours.isPresent()).as(where).isEqualTo(theirs.isPresent());
                ours.ifPresent(json -> assertSame(json, theirs.orElseThrow(), where));
                accepted += ours.isPresent() ? 1 : 0;
                refused += ours.isPresent() ? 0 : 1;
            }
        }
        assertThat(accepted).isGreaterThan(10_000);
        assertThat(refused).isGreaterThan(10_000);
        assertThat(apart).isBetween(1, 500);
    }

    private static String damage(String text, Random random) {
        int at = random.nextInt(text.length() + 1);
        int end = Math.min(text.length(), at + random.nextInt(3));
        String piece = String.valueOf(DAMAGE.charAt(random.nextInt(DAMAGE.length())));
        return switch (random.nextInt(5)) {
            case 0 -> text.substring(0, at) + text.substring(end);
            case 1 -> text.substring(0, at) + piece + text.substring(at);
            case 2 -> text.substring(0, at) + piece + text.substring(end);
            case 3 -> text.substring(0, at) + text.substring(at, end) + text.substring(at);
            default -> random.nextInt(8) == 0 ? text.substring(0, at) : text;
        };
    }

    private static Optional<Json> ours(String text) {
        try {
            return Optional.of(Json.of(text));
        } catch (JsonSyntaxException refused) {
            return Optional.empty();
        }
    }

    private static Optional<JsonNode> theirs(String text) {
        try {
            JsonNode node = JACKSON.readTree(text);
            return node.isMissingNode() ? Optional.empty() : Optional.of(node);
        } catch (JacksonException | NumberFormatException refused) {
            return Optional.empty();
        }
    }

    private static boolean isOurOwnRefusal(String text) {
        if (LARGE_EXPONENT.matcher(text).find()) {
            return true;
        }
        JsonNode node = JACKSON.readTree(text);
        return hasLoneSurrogate(node) || isBroken(text);
    }

    private static boolean hasLoneSurrogate(JsonNode node) {
        return (node.isString() && isBroken(node.stringValue()))
                || node.propertyNames().stream().anyMatch(JacksonAgreementTest::isBroken)
                || node.valueStream().anyMatch(JacksonAgreementTest::hasLoneSurrogate);
    }

    private static boolean isBroken(String string) {
        return string.codePoints()
                .anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    }

    private static void assertSame(Json ours, JsonNode theirs, String where) {
        switch (ours.kind()) {
            case OBJECT -> {
                assertThat(ours.fields().keySet()).as(where)
                        .containsExactlyElementsOf(theirs.propertyNames());
                ours.fields().forEach((name, field) -> assertSame(field, theirs.get(name), where));
            }
            case ARRAY -> {
                assertThat(ours.items()).as(where).hasSize(theirs.size());
                for (int i = 0; i < theirs.size(); i++) {
                    assertSame(ours.items().get(i), theirs.get(i), where);
                }
            }
            case STRING -> assertThat(ours.asString()).as(where).isEqualTo(theirs.stringValue());
            case NUMBER ->
                assertThat(ours.asBigDecimal()).as(where).isEqualByComparingTo(theirs.decimalValue());
            case BOOLEAN -> assertThat(ours.asBoolean()).as(where).isEqualTo(theirs.booleanValue());
            case NULL -> assertThat(theirs.isNull()).as(where).isTrue();
        }
    }
}

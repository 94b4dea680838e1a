package dev.belay.model.envelope;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.OutputSpec;
import dev.belay.model.envelope.Envelope.Call;
import dev.belay.model.envelope.Envelope.Final;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Laws of R.2: what an envelope says does not depend on what stands around it. Another JSON library writes and judges. */
class EnvelopeLawsTest {

    private static final int RUNS = 3_000;
    private static final JsonMapper JUDGE = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final List<String> PIECES = List.of("a", " ", "\n", "{", "}", "\"", "\\", "```",
            "```json\n", "<think>",
            "</think>", "[", "]", ":", ",", "é", "世", "\ud83d\ude00",
            "{\"kind\":\"final\",\"content\":\"no\"}", "\t", "'");
    private static final List<String> PROSE = List.of("Sure.", " It's \"fine\":", "\n\n", " `code` ", " ]",
            " x < y ", "} ",
            " {name} ", " {\"other\":[1,{}]} ", " {not: json} ");

    @Test
    void anEnvelopeIsReadAsItWasWritten() {
        for (long seed = 0; seed < RUNS; seed++) {
            Random random = new Random(seed);
            Envelope said = random(random);
            assertThat(read(written(said))).as("seed %d", seed).isEqualTo(said);
        }
    }

    /** The oracle knows what it wrapped: thoughts do not count, a fenced envelope goes before others, the first one wins. */
    @Test
    void whatStandsAroundAnEnvelopeDoesNotChangeIt() {
        for (long seed = 0; seed < RUNS; seed++) {
            Random random = new Random(seed);
            Envelope firstFenced = null;
            Envelope firstBare = null;
            StringBuilder text = new StringBuilder("Hm.");
            for (int left = 1 + random.nextInt(6); left > 0; left--) {
                switch (random.nextInt(5)) {
                    case 0 -> text.append("<think>")
                            .append(noise(random).replace("</think>", ""))
                            .append("</think>");
                    case 1 -> {
                        Envelope said = random(random);
                        firstFenced = firstFenced == null ? said : firstFenced;
                        text.append("\n```")
                                .append(random.nextBoolean() ? "json\n" : "\n")
                                .append(written(said))
                                .append("\n```\n");
                    }
                    case 2 -> {
                        Envelope said = random(random);
                        firstBare = firstBare == null ? said : firstBare;
                        text.append(" : ").append(written(said));
                    }
                    default -> text.append(PROSE.get(random.nextInt(PROSE.size())));
                }
            }
            Envelope expected = firstFenced != null ? firstFenced : firstBare;
            Envelope found = read(text.toString());
            if (expected == null) {
                assertThat(found).as("seed %d: %s", seed, text).isInstanceOf(Envelope.Wrong.class);
            } else {
                assertThat(found).as("seed %d: %s", seed, text).isEqualTo(expected);
            }
        }
    }

    /** Brute force: the end of the first object is the nearest brace up to which another library reads JSON. */
    @Test
    void theFirstObjectEndsWhereAnotherLibraryEndsIt() {
        int objects = 0;
        for (long seed = 0; seed < RUNS; seed++) {
            Random random = new Random(seed);
            String text = "so " + written(random(random)) + noise(random);
            String first = firstObject(text);
            var found = new EnvelopeCandidates(text).found();
            if (found.isEmpty()) {
                continue; // a stray </think> behind the object made thoughts of it
            }
            objects++;
            if (!text.substring(text.indexOf(first) + first.length()).contains("</think>")) {
                assertThat(found.getFirst().text()).as("seed %d: %s", seed, text).isEqualTo(first);
            }
        }
        assertThat(objects).isGreaterThan(RUNS / 2);
    }

    @Test
    void anyTextIsReadOrRefusedWithAReason() {
        for (long seed = 0; seed < RUNS; seed++) {
            String text = noise(new Random(seed)) + noise(new Random(-seed));
            assertThat(read(text)).as("seed %d: %s", seed, text).satisfies(envelope -> {
                if (envelope instanceof Envelope.Wrong(String problem)) {
                    assertThat(problem).isNotBlank();
                }
            });
        }
    }

    private static String firstObject(String text) {
        int start = text.indexOf('{');
        int end = text.indexOf('}', start);
        while (end >= 0 && !isJson(text.substring(start, end + 1))) {
            end = text.indexOf('}', end + 1);
        }
        assertThat(end).as("no object in %s", text).isNotNegative();
        return text.substring(start, end + 1);
    }

    private static boolean isJson(String text) {
        try {
            return JUDGE.readTree(text).isObject();
        } catch (JacksonException notJson) {
            return false;
        }
    }

    private static Envelope random(Random random) {
        if (random.nextBoolean()) {
            return new Final("x" + noise(random));
        }
        Map<String, Object> arguments = new LinkedHashMap<>();
        for (int left = random.nextInt(3); left > 0; left--) {
            arguments.put("k" + left + noise(random),
                    random.nextBoolean() ? noise(random) : List.of(1, noise(random)));
        }
        return new Call("tool" + random.nextInt(9), Json.of(JUDGE.writeValueAsString(arguments)),
                noise(random));
    }

    private static String written(Envelope envelope) {
        Map<String, Object> fields = new LinkedHashMap<>();
        switch (envelope) {
            case Final(String content) -> {
                fields.put("kind", "final");
                fields.put("content", content);
            }
            case Call(String name, Json arguments, String note) -> {
                fields.put("tool_name", name);
                fields.put("arguments", JUDGE.readTree(arguments.text()));
                fields.put("note", note);
                fields.put("kind", "tool_call");
            }
            case Envelope.Wrong wrong -> throw new AssertionError(wrong);
        }
        return JUDGE.writeValueAsString(fields);
    }

    private static String noise(Random random) {
        StringBuilder out = new StringBuilder();
        for (int left = random.nextInt(12); left > 0; left--) {
            out.append(PIECES.get(random.nextInt(PIECES.size())));
        }
        return out.toString();
    }

    private static Envelope read(String text) {
        return EnvelopeReader.read(text, OutputSpec.text()).envelope();
    }
}

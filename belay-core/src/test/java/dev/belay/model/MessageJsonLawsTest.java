package dev.belay.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.json.JsonSyntaxException;
import dev.belay.model.Message.AssistantMessage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What is written reads back as it was; what is spoiled is a message or is refused with its code. */
class MessageJsonLawsTest {

    private static final int RUNS = 5_000;
    private static final int SPOILED = 20_000;
    private static final List<String> NAMES = List.of("user", "assistant", "replies", "system", "native",
            "text", "image",
            "file", "type", "base64", "uri", "uploaded", "call", "name", "arguments", "reasoning", "refusal",
            "status",
            "provider", "payload", "message", "finish", "usage", "model", "id", "input", "extra", "", "/~");
    private static final List<String> VALUES = List.of("null", "true", "1", "-1", "1e400", "1.5", "\"\"",
            "\"ok\"",
            "\"stop\"", "\"a/b\"", "\"aGk=\"", "\"%%\"", "\"u:x\"", "\"{\"", "[]", "{}", "[[]]", "[{}]",
            "[{\"text\":\"a\"}]", "{\"text\":\"a\"}", "{\"assistant\":[]}");

    @Test
    void messagesRoundTrip() {
        for (long seed = 0; seed < RUNS; seed++) {
            Message said = new RandomMessages(new Random(seed)).message();
            Json json = MessageJson.of(said);
            Message read = MessageJson.message(Json.of(json.text()));
            assertThat(read).as("seed %d: %s", seed, json).isEqualTo(said);
            assertThat(MessageJson.message(json)).as("seed %d, unparsed: %s", seed, json).isEqualTo(said);
            assertThat(MessageJson.of(read).text()).as("seed %d", seed).isEqualTo(json.text());
            assertThat(json.text()).as("seed %d: one line without space", seed).isEqualTo(json.compact());
            assertThat(payload(read)).as("seed %d", seed).isEqualTo(payload(said));
        }
    }

    @Test
    void responsesRoundTrip() {
        for (long seed = 0; seed < RUNS; seed++) {
            ModelResponse said = new RandomMessages(new Random(seed)).response();
            Json json = MessageJson.of(said);
            ModelResponse read = MessageJson.response(Json.of(json.text()));
            assertThat(read).as("seed %d: %s", seed, json).isEqualTo(said);
            assertThat(payload(read.message())).as("seed %d", seed).isEqualTo(payload(said.message()));
            assertThat(MessageJson.usage(MessageJson.of(said.usage()))).as("seed %d", seed)
                    .isEqualTo(said.usage());
        }
    }

    /** A response with halves is read back equal; another message is written the same way again. */
    @Test
    void halvesOfCharactersNeverStopARecord() {
        for (long seed = 0; seed < RUNS; seed++) {
            ModelResponse said = new RandomMessages(new Random(seed), true).response();
            Json json = MessageJson.of(said);
            assertThat(MessageJson.response(Json.of(json.text()))).as("seed %d", seed).isEqualTo(said);
            Message message = new RandomMessages(new Random(seed), true).message();
            Message again = MessageJson.message(MessageJson.of(message));
            assertThat(MessageJson.of(again)).as("seed %d", seed).isEqualTo(MessageJson.of(message));
        }
    }

    @Test
    void spoiledTextIsAMessageOrRefused() {
        int read = 0;
        int refused = 0;
        for (long seed = 0; seed < SPOILED; seed++) {
            var random = new Random(seed);
            var messages = new RandomMessages(random);
            boolean message = random.nextBoolean();
            Json json = message ? MessageJson.of(messages.message()) : MessageJson.of(messages.response());
            String text = random.nextBoolean() ? spoil(json, random) : scratch(json.text(), random);
            try {
                if (message) {
                    assertSame(Json.of(text), MessageJson::message, MessageJson::of);
                } else {
                    assertSame(Json.of(text), MessageJson::response, MessageJson::of);
                }
                read++;
            } catch (JsonSyntaxException noJson) {
                assertThat(noJson.code()).isEqualTo("malformed_json");
            } catch (BelayException e) {
                assertThat(e.code()).as("seed %d: %s", seed, text).isEqualTo("invalid_message");
                refused++;
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + text, e);
            }
        }
        assertThat(read).as("spoiled, but still readable").isGreaterThan(SPOILED / 10);
        assertThat(refused).as("refused with the code").isGreaterThan(SPOILED / 5);
    }

    private static <T> void assertSame(Json json, Function<Json, T> reading, Function<T, Json> writing) {
        T first = reading.apply(json);
        assertThat(reading.apply(writing.apply(first))).isEqualTo(first);
    }

    private static String payload(Message message) {
        NativePayload payload = message instanceof AssistantMessage said ? said.nativePayload() : null;
        return payload == null ? "" : payload.payload().text();
    }

    /** Changes a few characters anywhere. */
    private static String scratch(String text, Random random) {
        var out = new StringBuilder(text);
        for (int left = 1 + random.nextInt(2); left > 0; left--) {
            int at = random.nextInt(out.length());
            switch (random.nextInt(3)) {
                case 0 -> out.deleteCharAt(at);
                case 1 -> out.insert(at, out.charAt(random.nextInt(out.length())));
                default -> out.setCharAt(at, "az09\"\\{}[],: /".charAt(random.nextInt(14)));
            }
            if (out.isEmpty()) {
                return "[]";
            }
        }
        return out.toString();
    }

    /** Changes one value somewhere; it stays JSON. */
    private static String spoil(Json json, Random random) {
        boolean here = random.nextInt(4) == 0;
        return switch (json.kind()) {
            case OBJECT -> {
                Map<String, String> fields = new LinkedHashMap<>();
                json.fields().forEach((name, value) -> fields.put(name, value.text()));
                String name = fields.isEmpty() ? "extra" : pick(List.copyOf(fields.keySet()), random);
                Json value = json.get(name).orElse(Json.NULL);
                if (!here) {
                    fields.put(name, spoil(value, random));
                } else if (random.nextBoolean()) {
                    fields.put(pick(NAMES, random), pick(VALUES, random));
                } else {
                    fields.remove(name);
                    if (random.nextBoolean()) {
                        fields.put(pick(NAMES, random), value.text());
                    }
                }
                List<String> written = new ArrayList<>();
                fields.forEach((key, text) -> written.add(Json.string(key) + ":" + text));
                yield "{" + String.join(", ", written) + "}";
            }
            case ARRAY -> {
                List<String> items = new ArrayList<>(json.items().stream().map(Json::text).toList());
                int at = random.nextInt(items.size() + 1);
                if (here || at == items.size()) {
                    items.add(at, pick(VALUES, random));
                } else {
                    items.set(at, spoil(json.items().get(at), random));
                }
                yield "[" + String.join(" ,", items) + "]";
            }
            case STRING, NUMBER, BOOLEAN, NULL -> pick(VALUES, random);
        };
    }

    private static <T> T pick(List<T> from, Random random) {
        return from.get(random.nextInt(from.size()));
    }
}

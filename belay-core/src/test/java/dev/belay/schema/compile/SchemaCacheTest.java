package dev.belay.schema.compile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.schema.Draft;
import dev.belay.schema.FormatMode;
import dev.belay.schema.JsonSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class SchemaCacheTest {

    private static final JsonSchema ANY = JsonSchema.of(Json.of("true"));

    private final List<String> compiled = new ArrayList<>();

    @Test
    void equalTextsGiveTheSameInstance() {
        assertThat(JsonSchema.of(Json.of("{\"minimum\":41}")))
                .isSameAs(JsonSchema.of(Json.of("{\"minimum\":41}")));
        assertThat(JsonSchema.of(Json.of("{\"minimum\":41}")))
                .isNotSameAs(JsonSchema.of(Json.of("{\"minimum\": 41}")));
    }

    @Test
    void theFormatModeIsPartOfTheKey() {
        Json schema = Json.of("{\"format\":\"date\"}");

        assertThat(JsonSchema.of(schema).validate(Json.of("\"x\"")).isEmpty()).isTrue();
        assertThat(JsonSchema.of(schema, FormatMode.ASSERT).validate(Json.of("\"x\"")).isEmpty()).isFalse();
        assertThat(JsonSchema.of(schema).validate(Json.of("\"x\"")).isEmpty()).isTrue();
    }

    @Test
    void theOneUsedLongestAgoLeavesFirst() {
        SchemaCache cache = new SchemaCache(2, 1_000);
        get(cache, "a");
        get(cache, "b");
        get(cache, "a");
        get(cache, "c");
        get(cache, "a");
        get(cache, "b");

        assertThat(compiled).containsExactly("a", "b", "c", "b");
        assertThat(cache.size()).isEqualTo(2);
    }

    @Test
    void theTextsTogetherAreBounded() {
        SchemaCache cache = new SchemaCache(100, 10);
        get(cache, "aaaa");
        get(cache, "bbbb");
        get(cache, "cccc");
        assertThat(cache.size()).isEqualTo(2);

        get(cache, "d".repeat(11));
        assertThat(cache.size()).isEqualTo(1);
        get(cache, "aaaa");
        assertThat(cache.size()).isEqualTo(1);
    }

    @Test
    void theSharedCacheHoldsAtMostItsBound() {
        JsonSchema first = JsonSchema.of(Json.of("{\"minimum\":-1}"));
        for (int i = 0; i < SchemaCache.MOST_ENTRIES; i++) {
            JsonSchema.of(Json.of("{\"minimum\":" + i + "}"));
        }

        assertThat(JsonSchema.of(Json.of("{\"minimum\":-1}"))).isNotSameAs(first);
    }

    @Test
    void threadsThatMeetGetOneInstance() throws Exception {
        Set<JsonSchema> instances = ConcurrentHashMap.newKeySet();
        CyclicBarrier start = new CyclicBarrier(8);
        try (var threads = Executors.newFixedThreadPool(8)) {
            Callable<Void> task = () -> {
                start.await();
                instances.add(JsonSchema.of(Json.of("{\"maximum\":77}")));
                return null;
            };
            for (Future<Void> done : threads.invokeAll(java.util.Collections.nCopies(8, task))) {
                done.get();
            }
        }

        assertThat(instances).hasSize(1);
    }

    private void get(SchemaCache cache, String text) {
        cache.get(text, FormatMode.ANNOTATE, Draft.DRAFT_2020_12, () -> {
            compiled.add(text);
            return ANY;
        });
    }
}

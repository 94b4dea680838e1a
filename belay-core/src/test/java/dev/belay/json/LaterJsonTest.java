package dev.belay.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LaterJsonTest {

    private static final String TEXT = "{\"b\":[1,{\"c\":null}],\"a\":\"x\"}";

    private final AtomicInteger written = new AtomicInteger();

    private void body(JsonWriter out) {
        written.incrementAndGet();
        out.beginObject().name("b").beginArray().value(1).beginObject().name("c").nullValue();
        out.endObject().endArray().name("a").value("x").endObject();
    }

    @Test
    void itIsWrittenOnceWhenItsTextIsAskedFor() {
        Json later = Json.later(100, this::body);

        assertThat(later.kind()).isEqualTo(Json.Kind.OBJECT);
        assertThat(later.mostLength()).isEqualTo(100);
        assertThat(written).hasValue(0);
        assertThat(later.text()).isEqualTo(TEXT).isSameAs(later.text());
        assertThat(written).hasValue(1);
    }

    @Test
    void itIsTheValueThatItsTextIs() {
        assertThat(Json.later(100, this::body)).isEqualTo(Json.of(TEXT)).hasSameHashCodeAs(Json.of(TEXT));
        assertThat(Json.later(100, this::body).canonical()).isEqualTo("{\"a\":\"x\",\"b\":[1,{\"c\":null}]}");
        assertThat(Json.later(100, this::body).height()).isEqualTo(3);
        assertThat(Json.later(100, this::body).fields()).containsOnlyKeys("b", "a");
        assertThat(Json.later(100, this::body).peekText("a")).isEqualTo("x");
        assertThat(Json.later(100, this::body).compact()).isEqualTo(TEXT);
        assertThat(Json.write(out -> out.beginArray().value(Json.later(100, this::body)).endArray()).text())
                .isEqualTo("[" + TEXT + "]");
    }

    @Test
    void whatMayBeLongIsWrittenAtOnce() {
        assertThat(Json.later(1L << 40, this::body).mostLength()).isEqualTo(TEXT.length());
        assertThat(written).hasValue(1);
    }

    @Test
    void threadsThatAskAtOnceGetOneText() throws Exception {
        Json later = Json.later(100, this::body);
        var go = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> texts = IntStream.range(0, 50).mapToObj(i -> threads.submit(() -> {
                go.await();
                return later.text();
            })).toList();
            go.countDown();
            for (Future<String> text : texts) {
                assertThat(text.get()).isSameAs(later.text());
            }
        }
        assertThat(written).hasValue(1);
    }
}

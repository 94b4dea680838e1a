package dev.belay.generated;

import dev.belay.json.Json;
import dev.belay.json.JsonLimits;
import dev.belay.json.JsonMismatchException;
import dev.belay.json.JsonReader;
import dev.belay.json.JsonWriter;
import dev.belay.schema.shape.Constraints;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lists, sets and string-keyed maps. What is read is unmodifiable and keeps its order. */
final class CollectionCodec {

    private CollectionCodec() {}

    private static void check(Constraints.@Nullable CountRange size, int count) {
        if (size != null && !size.allows(count)) {
            throw new JsonMismatchException("the number of items is out of bounds");
        }
    }

    @SuppressWarnings("unchecked")
    private static void writeItem(JsonWriter out, @Nullable Object item, JsonCodec<Object> codec) {
        JsonCodec<?> any = codec;
        if (item == null && !(any instanceof MaybeCodec)) {
            throw new JsonMismatchException("an item is null but not marked @Nullable");
        }
        ((JsonCodec<@Nullable Object>) any).write(out, item);
    }

    record ListCodec(JsonCodec<Object> item,
            Constraints.@Nullable CountRange size) implements JsonCodec<Object> {
        @Override
        public Object read(JsonReader in) {
            List<Object> items = new ArrayList<>();
            in.beginArray();
            while (in.nextItem()) {
                items.add(item.read(in));
            }
            check(size, items.size());
            return Collections.unmodifiableList(items);
        }

        @Override
        public void write(JsonWriter out, Object value) {
            Collection<?> items = (Collection<?>) value;
            check(size, items.size());
            out.beginArray();
            for (Object element : items) {
                writeItem(out, element, item);
            }
            out.endArray();
        }
    }

    /**
     * Items must differ as JSON. Two that differ as JSON and are equal in Java (a moment with two offsets) collapse into one
     * when they are read; two that differ in Java and are equal as JSON (1.0 and 1.00) are not written.
     */
    record SetCodec(JsonCodec<Object> item,
            Constraints.@Nullable CountRange size) implements JsonCodec<Object> {
        @Override
        public Object read(JsonReader in) {
            Json array = in.readJson();
            Set<Json> texts = new HashSet<>();
            SequencedSet<Object> items = new LinkedHashSet<>();
            for (Json element : array.items()) {
                if (!texts.add(element)) {
                    throw new JsonMismatchException("an item stands twice");
                }
                items.add(item.read(new JsonReader(element.text(), JsonLimits.DEFAULT, in.budget())));
            }
            check(size, texts.size());
            return Collections.unmodifiableSequencedSet(items);
        }

        @Override
        public void write(JsonWriter out, Object value) {
            Collection<?> items = (Collection<?>) value;
            check(size, items.size());
            Set<Json> texts = new HashSet<>();
            out.beginArray();
            for (Object element : items) {
                Json text = Json.write(alone -> {
                    alone.shareBudget(out);
                    writeItem(alone, element, item);
                });
                if (!texts.add(text)) {
                    throw new JsonMismatchException("an item stands twice");
                }
                out.value(text);
            }
            out.endArray();
        }
    }

    record MapCodec(JsonCodec<Object> value,
            Constraints.@Nullable CountRange size) implements JsonCodec<Object> {
        @Override
        public Object read(JsonReader in) {
            SequencedMap<String, Object> entries = new LinkedHashMap<>();
            in.beginObject();
            for (String name = in.nextName(); name != null; name = in.nextName()) {
                int before = entries.size();
                entries.put(name, value.read(in));
                if (entries.size() == before) {
                    throw new JsonMismatchException("key \"" + name + "\" stands twice");
                }
            }
            check(size, entries.size());
            return Collections.unmodifiableSequencedMap(entries);
        }

        @Override
        public void write(JsonWriter out, Object held) {
            Map<?, ?> entries = (Map<?, ?>) held;
            check(size, entries.size());
            out.beginObject();
            entries.forEach((key, element) -> {
                if (key == null) {
                    throw new JsonMismatchException("a key is null");
                }
                out.name((String) key);
                writeItem(out, element, value);
            });
            out.endObject();
        }
    }
}

package dev.belay.schema.rules;

import dev.belay.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds equal values by a hash of their content. Equal means what JSON Schema means: 1 and 1.0 are one number, the order of
 * fields does not count. All work is charged to the walk, so that neither colliding hashes nor hashing the same part again on
 * every level can run away.
 */
final class ValueIndex {

    private final Map<Integer, List<Entry>> entries = new HashMap<>();
    private int size;

    /** Adds a value of a schema, which is small, without looking for an equal one. */
    void put(Json value) {
        entries.computeIfAbsent(hash(value, null), none -> new ArrayList<>(1)).add(new Entry(value, size++));
    }

    /** Adds a value; returns the position of the equal one that was added before, or -1. */
    int add(Json value, Walk walk) {
        List<Entry> bucket = entries.computeIfAbsent(hash(value, walk), none -> new ArrayList<>(1));
        for (Entry entry : bucket) {
            if (same(entry.value, value, walk)) {
                return entry.position;
            }
        }
        bucket.add(new Entry(value, size++));
        return -1;
    }

    boolean contains(Json value, Walk walk) {
        for (Entry entry : entries.getOrDefault(hash(value, walk), List.of())) {
            if (same(entry.value, value, walk)) {
                return true;
            }
        }
        return false;
    }

    private static int hash(Json value, @Nullable Walk walk) {
        if (walk != null) {
            walk.charge(1);
        }
        return switch (value.kind()) {
            case NULL -> 1;
            case BOOLEAN -> value.asBoolean() ? 2 : 3;
            case NUMBER -> text(value.canonical(), walk).hashCode();
            case STRING -> text(value.asString(), walk).hashCode();
            case ARRAY -> {
                int hash = 5;
                for (Json item : value.items()) {
                    hash = 31 * hash + hash(item, walk);
                }
                yield hash;
            }
            case OBJECT -> {
                int hash = 7;
                for (Map.Entry<String, Json> field : value.fields().entrySet()) {
                    hash += text(field.getKey(), walk).hashCode() * 31 ^ hash(field.getValue(), walk);
                }
                yield hash;
            }
        };
    }

    private static boolean same(Json a, Json b, Walk walk) {
        walk.charge(1);
        if (a.kind() != b.kind()) {
            return false;
        }
        return switch (a.kind()) {
            case NULL -> true;
            case BOOLEAN -> a.asBoolean() == b.asBoolean();
            case NUMBER -> text(a.canonical(), walk).equals(text(b.canonical(), walk));
            case STRING -> text(a.asString(), walk).equals(b.asString());
            case ARRAY -> sameItems(a.items(), b.items(), walk);
            case OBJECT -> sameFields(a.fields(), b.fields(), walk);
        };
    }

    private static boolean sameItems(List<Json> a, List<Json> b, Walk walk) {
        if (a.size() != b.size()) {
            return false;
        }
        Iterator<Json> other = b.iterator();
        for (Json item : a) {
            if (!same(item, other.next(), walk)) {
                return false;
            }
        }
        return true;
    }

    private static boolean sameFields(Map<String, Json> a, Map<String, Json> b, Walk walk) {
        if (a.size() != b.size()) {
            return false;
        }
        for (Map.Entry<String, Json> field : a.entrySet()) {
            Json other = b.get(text(field.getKey(), walk));
            if (other == null || !same(field.getValue(), other, walk)) {
                return false;
            }
        }
        return true;
    }

    private static String text(String text, @Nullable Walk walk) {
        if (walk != null) {
            walk.chargeText(text);
        }
        return text;
    }

    private record Entry(Json value, int position) {}
}

package dev.belay.schema.rules;

import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The fields or items of one value that some keyword has evaluated; what is left is for {@code unevaluated…}. */
public final class Seen {

    private boolean all;
    private final Set<String> fields = new HashSet<>();
    private final BitSet items = new BitSet();

    void all() {
        all = true;
    }

    void field(String name) {
        fields.add(name);
    }

    void item(int index) {
        items.set(index);
    }

    /** Adds the first items. */
    void items(int count) {
        items.set(0, count);
    }

    boolean hasField(String name) {
        return all || fields.contains(name);
    }

    boolean hasItem(int index) {
        return all || items.get(index);
    }

    /** A record of its own for a schema that may refuse the value; null if there is nothing to record. */
    static @Nullable Seen apart(@Nullable Seen outer) {
        return outer == null ? null : new Seen();
    }

    /** Adds the record of a schema that accepted the value. */
    static void merge(@Nullable Seen own, @Nullable Seen outer, Walk walk) {
        if (own != null && outer != null) {
            outer.addAll(own, walk);
        }
    }

    private void addAll(Seen other, Walk walk) {
        walk.charge(other.fields.size() + (other.items.length() >> 3));
        all |= other.all;
        fields.addAll(other.fields);
        items.or(other.items);
    }
}

package dev.belay.schema.rules;

import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;

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

    void addAll(Seen other, Walk walk) {
        walk.charge((other.fields.size() + other.items.length()) >> 3);
        all |= other.all;
        fields.addAll(other.fields);
        items.or(other.items);
    }
}

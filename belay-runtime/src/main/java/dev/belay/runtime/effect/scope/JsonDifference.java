package dev.belay.runtime.effect.scope;

import dev.belay.json.Json;
import dev.belay.schema.Wording;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Says where two JSON values differ, in words. Confined to one thread. */
public final class JsonDifference {

    private static final int MOST_PLACES = 8;
    private static final int LONGEST = 2_048;

    private final List<String> places = new ArrayList<>();
    private int more;

    private JsonDifference() {}

    /** A line with the number of places and one for each of the first eight; empty if the values are equal. */
    public static Optional<String> between(Json recorded, Json now) {
        var difference = new JsonDifference();
        difference.compare("", recorded, now);
        return difference.words();
    }

    private Optional<String> words() {
        int count = places.size() + more;
        if (count == 0) {
            return Optional.empty();
        }
        var text = new StringBuilder(count == 1 ? "1 place differs:" : count + " places differ:");
        places.forEach(place -> text.append("\n  ").append(place));
        if (more > 0) {
            text.append("\n  and ").append(more).append(" more");
        }
        return Optional.of(text.toString());
    }

    private void compare(String path, @Nullable Json recorded, @Nullable Json now) {
        if (recorded == null || now == null || recorded.kind() != now.kind()) {
            add(path, recorded, now);
            return;
        }
        switch (recorded.kind()) {
            case OBJECT -> compareFields(path, recorded.fields(), now.fields());
            case ARRAY -> compareItems(path, recorded.items(), now.items());
            case STRING, NUMBER, BOOLEAN, NULL -> {
                if (!recorded.equals(now)) {
                    add(path, recorded, now);
                }
            }
        }
    }

    private void compareFields(String path, Map<String, Json> recorded, Map<String, Json> now) {
        var names = new TreeSet<>(recorded.keySet());
        names.addAll(now.keySet());
        for (String name : names) {
            String step = name.replace("~", "~0").replace("/", "~1");
            compare(path + "/" + step, recorded.get(name), now.get(name));
        }
    }

    private void compareItems(String path, List<Json> recorded, List<Json> now) {
        for (int i = 0; i < Math.max(recorded.size(), now.size()); i++) {
            compare(path + "/" + i, i < recorded.size() ? recorded.get(i) : null,
                    i < now.size() ? now.get(i) : null);
        }
    }

    private void add(String path, @Nullable Json recorded, @Nullable Json now) {
        if (places.size() == MOST_PLACES) {
            more++;
        } else {
            places.add((path.isEmpty() ? "the whole" : Wording.shown(path, LONGEST)) + ": recorded "
                    + shown(recorded) + ", now " + shown(now));
        }
    }

    private static String shown(@Nullable Json value) {
        return value == null ? "nothing" : Wording.shown(value.compact(), LONGEST);
    }
}

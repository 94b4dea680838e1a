package dev.belay.cli.operate;

import dev.belay.runtime.operate.Page;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads pages of a list one after another. Stateless. */
final class Pages {

    private Pages() {}

    /** The first items of a list. */
    static <T> List<T> all(Function<@Nullable String, Page<T>> read, int most) {
        List<T> found = new ArrayList<>();
        String after = null;
        do {
            Page<T> page = read.apply(after);
            found.addAll(page.items());
            after = page.next();
        } while (after != null && found.size() < most);
        return found.size() > most ? found.subList(0, most) : found;
    }
}

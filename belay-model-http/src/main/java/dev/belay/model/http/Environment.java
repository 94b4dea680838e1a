package dev.belay.model.http;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Environment variables. */
@FunctionalInterface
public interface Environment {

    /** The variables of this process. */
    static Environment system() {
        return System::getenv;
    }

    /** These variables and no others. */
    static Environment of(Map<String, String> variables) {
        return Map.copyOf(variables)::get;
    }

    /** A variable, or null if it is not set. */
    @Nullable
    String get(String name);

    /** A variable without white space around it; empty if it is not set or blank. */
    default Optional<String> find(String name) {
        return Optional.ofNullable(get(name)).map(String::strip).filter(value -> !value.isEmpty());
    }
}

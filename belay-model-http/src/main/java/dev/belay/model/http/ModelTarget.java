package dev.belay.model.http;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The result of {@link ModelDiscovery}: which model, where, and how to ask it.
 *
 * @param model its name at that address
 * @param url where it is
 * @param key sent along, or null if the server wants none
 * @param http how requests travel
 */
public record ModelTarget(String model, BaseUrl url, @Nullable ApiKey key, HttpSettings http) {

    /** Refuses null, except for the key. */
    public ModelTarget {
        Objects.requireNonNull(model, "model");
        Objects.requireNonNull(url, "url");
        Objects.requireNonNull(http, "http");
    }
}

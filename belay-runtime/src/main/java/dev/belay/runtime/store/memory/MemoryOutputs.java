package dev.belay.runtime.store.memory;

import dev.belay.json.Json;
import dev.belay.runtime.store.journal.KeptBytes;
import dev.belay.tool.context.Attachments;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is kept by content: large results and attachments, once each, with how often they are referred to. Guarded and taken back
 * as {@link MemoryTables} are.
 */
final class MemoryOutputs {

    /** Some content: the result, if a record has referred to it, and the bytes, if a keeper has kept them. */
    private record Output(@Nullable Json result, @Nullable KeptBytes bytes, int references, Instant written) {

        Output with(@Nullable Json otherResult, @Nullable KeptBytes otherBytes, Instant at) {
            return new Output(result == null ? otherResult : result, bytes == null ? otherBytes : bytes,
                    references + 1, written.isAfter(at) ? written : at);
        }
    }

    private final MemoryTables tables;
    private final Map<String, Output> outputs = new HashMap<>();
    /** What each keeper keeps, with the moment since when. */
    private final Map<String, Map<Attachments.Reference, Instant>> keepers = new HashMap<>();

    MemoryOutputs(MemoryTables tables) {
        this.tables = tables;
    }

    /** A result that a record refers to. */
    @Nullable
    Json result(String hash) {
        return output(hash).result();
    }

    /** A record refers to a result. */
    void refer(String hash, Json result, Instant at) {
        refer(hash, result, null, at);
    }

    private void refer(String hash, @Nullable Json result, @Nullable KeptBytes bytes, Instant at) {
        Output known = outputs.get(hash);
        tables.put(outputs, hash,
                known == null ? new Output(result, bytes, 1, at) : known.with(result, bytes, at));
    }

    /** A record does not refer to some content any more, or a keeper has let go of it. */
    void forget(String hash) {
        Output known = output(hash);
        tables.put(outputs, hash,
                new Output(known.result(), known.bytes(), known.references() - 1, known.written()));
    }

    private Output output(String hash) {
        return Objects.requireNonNull(outputs.get(hash), "what is referred to is there");
    }

    private Map<Attachments.Reference, Instant> of(String keeper) {
        return keepers.getOrDefault(keeper, Map.of());
    }

    boolean isKeeper(String keeper) {
        return !of(keeper).isEmpty();
    }

    boolean isKept(String keeper, Attachments.Reference reference) {
        return of(keeper).containsKey(reference);
    }

    Optional<KeptBytes> kept(String keeper, Attachments.Reference reference) {
        return isKept(keeper, reference)
                ? Optional.ofNullable(output(reference.hash()).bytes())
                : Optional.empty();
    }

    void keep(String keeper, KeptBytes bytes, Instant at) {
        keep(keeper, bytes.reference(), bytes, at);
    }

    private void keep(String keeper, Attachments.Reference reference, @Nullable KeptBytes bytes, Instant at) {
        if (!isKept(keeper, reference)) {
            refer(reference.hash(), null, bytes, at);
            tables.put(keepers.computeIfAbsent(keeper, unused -> new LinkedHashMap<>()), reference, at);
        }
    }

    /** Lets a keeper keep what another one keeps. */
    void keepToo(String keeper, String from) {
        of(from).forEach((reference, since) -> keep(keeper, reference, null, since));
    }

    /** Lets a keeper keep nothing any more; how many it kept. */
    int letGo(String keeper) {
        Map<Attachments.Reference, Instant> rows = of(keeper);
        List<Attachments.Reference> all = List.copyOf(rows.keySet());
        for (Attachments.Reference reference : all) {
            tables.put(rows, reference, null);
            forget(reference.hash());
        }
        return all.size();
    }

    /** All whose names begin with something keep nothing any more. */
    void letGoOf(String prefix) {
        List.copyOf(keepers.keySet()).stream().filter(name -> name.startsWith(prefix)).forEach(name -> {
            letGo(name);
            tables.put(keepers, name, null);
        });
    }

    /** Content that nothing refers to and that was last written before a moment. */
    List<String> unused(Instant before) {
        return outputs.entrySet()
                .stream()
                .filter(entry -> entry.getValue().references() == 0
                        && entry.getValue().written().isBefore(before))
                .map(Map.Entry::getKey)
                .toList();
    }

    void remove(String hash) {
        tables.put(outputs, hash, null);
    }
}

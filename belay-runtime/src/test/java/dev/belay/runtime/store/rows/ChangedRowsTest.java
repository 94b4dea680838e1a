package dev.belay.runtime.store.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ChangedRowsTest {

    private static final List<Table<?>> TABLES = List.of(SessionRows.MESSAGES, SessionRows.TURNS,
            ScopeRows.EFFECTS);

    @Test
    void changedRowsAreAMapInTheOrderOfFirstChanges() {
        for (int seed = 0; seed < 200; seed++) {
            var random = new Random(seed);
            var rows = new ChangedRows();
            Map<Key, @Nullable Object> expected = new LinkedHashMap<>();
            int changes = random.nextInt(120);
            for (int i = 0; i < changes; i++) {
                Key key = key(random, changes);
                if (random.nextInt(20) == 0) {
                    rows.removeOf(new Key(key.table(), key.parent(), null));
                    expected.keySet()
                            .removeIf(one -> one.table() == key.table()
                                    && one.parent().equals(key.parent()));
                } else {
                    Object row = random.nextInt(4) == 0 ? null : "row " + i;
                    rows.put(key, row);
                    expected.put(key, row);
                }
                assertThat(rows.containsKey(key)).as("seed %d", seed).isEqualTo(expected.containsKey(key));
                assertThat(rows.get(key)).as("seed %d", seed).isEqualTo(expected.get(key));
            }
            assertThat(new ArrayList<>(rows.entrySet())).as("seed %d", seed)
                    .isEqualTo(new ArrayList<>(expected.entrySet()));
            List<Key> told = new ArrayList<>();
            rows.forEach((key, row) -> told.add(key));
            assertThat(told).as("seed %d", seed).isEqualTo(new ArrayList<>(expected.keySet()));
            for (Table<?> table : TABLES) {
                assertThat(rows.concern(table)).as("seed %d", seed)
                        .isEqualTo(expected.keySet().stream().anyMatch(key -> key.table() == table));
            }
        }
    }

    private static Key key(Random random, int changes) {
        return new Key(TABLES.get(random.nextInt(TABLES.size())), "p" + random.nextInt(3),
                (long) random.nextInt(1 + changes / 3));
    }
}

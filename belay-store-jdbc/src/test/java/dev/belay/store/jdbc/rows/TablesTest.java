package dev.belay.store.jdbc.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.runtime.store.rows.Table;
import dev.belay.runtime.store.rows.Tables;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.store.jdbc.Sample;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** PostgreSQL's tables are made from a list; SQLite's schema is written by hand. */
class TablesTest {

    @Test
    void theListHasTheTablesOfTheWrittenSchema(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("belay.db");
        JdbcStore.sqlite(file).close();

        assertThat(Tables.ALL).extracting(Table::name)
                .containsExactlyInAnyOrderElementsOf(Sample.query(file, "select name from sqlite_schema"
                        + " where type = 'table' and name not like 'sqlite_%' and name <> 'format'"));
    }
}

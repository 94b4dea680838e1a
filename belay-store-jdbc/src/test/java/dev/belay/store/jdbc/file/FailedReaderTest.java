package dev.belay.store.jdbc.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.runtime.effect.JournalException;
import dev.belay.store.jdbc.SqliteOptions;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A read that finds no memory fails alone; if there is none to say so either, each caller is answered and the runtime ends. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FailedReaderTest {

    /** Finds no memory for its own words. */
    private static final class Speechless extends Error {

        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new OutOfMemoryError("simulated");
        }
    }

    private static ReaderPool<Database> pool(Path directory) throws Exception {
        var file = SqliteFile.open(directory.resolve("b.db"), SqliteOptions.STANDARD);
        var pool = new ReaderPool<>(file);
        pool.start();
        return pool;
    }

    @Test
    void aReadThatFindsNoMemoryFailsAlone(@TempDir Path directory) throws Exception {
        ReaderPool<Database> pool = pool(directory);
        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(() -> pool.read(db -> {
                throw new OutOfMemoryError("simulated");
            })).isInstanceOfSatisfying(JournalException.class, e -> assertThat(e.retryable()).isTrue());
        }
        assertThat(pool.<Integer>read(db -> 1)).isOne();
        pool.close();
    }

    @Test
    void aThreadThatFailsAnswersAllReads(@TempDir Path directory) throws Exception {
        ReaderPool<Database> pool = pool(directory);
        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(() -> pool.read(db -> {
                throw new Speechless();
            })).isInstanceOfSatisfying(JournalException.class,
                    e -> assertThat(e.code()).isEqualTo("runtime_failed"));
        }
        pool.close();
    }
}

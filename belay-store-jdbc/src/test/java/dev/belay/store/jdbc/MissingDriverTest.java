package dev.belay.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program without the driver is told which dependency it lacks. */
class MissingDriverTest {

    @TempDir
    Path directory;

    /** The class path of this test without the driver. */
    private static URL[] withoutDriver() throws Exception {
        String all = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        List<URL> rest = new ArrayList<>();
        for (String entry : all.split(File.pathSeparator, -1)) {
            if (!entry.isEmpty() && !entry.contains("sqlite-jdbc")) {
                rest.add(Path.of(entry).toUri().toURL());
            }
        }
        return rest.toArray(URL[]::new);
    }

    @Test
    void aMissingDriverIsNamed() throws Exception {
        try (var loader = new URLClassLoader(withoutDriver(), ClassLoader.getPlatformClassLoader())) {
            var open = loader.loadClass(JdbcStore.class.getName()).getMethod("sqlite", Path.class);

            assertThatThrownBy(() -> open.invoke(null, directory.resolve("belay.db"))).cause()
                    .satisfies(e -> assertThat(e.getClass().getName()).isEqualTo("dev.belay.BelayException"))
                    .hasMessageContaining("org.xerial:sqlite-jdbc")
                    .extracting("code")
                    .isEqualTo("journal_unusable");
        }
        assertThat(directory).isEmptyDirectory();
    }
}

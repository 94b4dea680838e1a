package dev.belay.examples.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class MainTest {

    @Test
    void theSessionPaysItsLimitAndNoMore() throws Exception {
        var printed = new ByteArrayOutputStream();
        Main.run(new PrintStream(printed, true, StandardCharsets.UTF_8));
        assertThat(printed.toString(StandardCharsets.UTF_8).lines().filter(line -> line.contains("till:")))
                .containsExactly("  till:   paid 40 euros", "  till:   paid 40 euros",
                        "  till:   paid 20 euros");
        assertThat(printed.toString(StandardCharsets.UTF_8)).contains("account.changed {\"paid\":100}")
                .contains("this session has paid its 100 euros");
    }
}

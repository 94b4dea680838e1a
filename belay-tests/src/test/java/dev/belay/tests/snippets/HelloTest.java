package dev.belay.tests.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.tests.Project;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

@ResourceLock(Resources.SYSTEM_OUT)
class HelloTest {

    @Test
    void theQuickstartShowsWhatTheProgramPrints() {
        PrintStream before = System.out;
        var printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            Hello.main(new String[0]);
        } finally {
            System.setOut(before);
        }
        String text = printed.toString(StandardCharsets.UTF_8).replace("\r\n", "\n");
        assertThat(text).startsWith("-3.5\n");
        assertThat(Project.here().read("docs/quickstart.md")).contains("```text\n" + text + "```\n");
    }
}

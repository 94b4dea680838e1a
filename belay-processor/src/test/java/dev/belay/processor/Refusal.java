package dev.belay.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Locale;

/**
 * Expects that a source is refused.
 *
 * @param directory where to compile
 */
record Refusal(Path directory) {

    private static final String ARROW = "// <--";
    private static final String IMPORTS = "package p; import dev.belay.tool.*; import dev.belay.tool.context.*; import dev.belay.tool.option.*; import dev.belay.schema.*; "
            + "import java.util.*; import java.util.function.*; ";

    /** One error, which has the code, stands at the arrow and says all the parts. */
    void expect(String code, String source, String... parts) {
        expect(code, source, 1, parts);
    }

    /** The same with more errors of the same code; the first one is looked at. */
    void expect(String code, String source, int count, String... parts) {
        Compilation.Result result = new Compilation(directory).source("p/T.java", IMPORTS + source).run();

        check(result, code, count, parts);
        long line = source.substring(0, source.indexOf(ARROW)).lines().count();
        assertThat(result.errors().get(0).getLineNumber()).as(result.messages()).isEqualTo(line);
    }

    /** The same with a second file, in which the error may stand. */
    void expectBeside(String file, String beside, String code, String source, String... parts) {
        check(new Compilation(directory).source("p/T.java", IMPORTS + source).source(file, beside).run(),
                code, 1, parts);
    }

    private static void check(Compilation.Result result, String code, int count, String... parts) {
        assertThat(result.success()).as(result.messages()).isFalse();
        assertThat(result.errors()).as(result.messages())
                .hasSize(count)
                .allSatisfy(
                        error -> assertThat(error.getMessage(Locale.ROOT))
                                .startsWith("[belay:" + code + "] "));
        assertThat(result.errors().get(0).getMessage(Locale.ROOT)).contains(parts);
    }
}

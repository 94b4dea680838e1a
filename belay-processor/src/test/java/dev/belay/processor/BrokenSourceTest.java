package dev.belay.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.ProcessingEnvironment;
import javax.annotation.processing.RoundEnvironment;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.TypeElement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Other mistakes in the source are the compiler's to report; the processor neither crashes nor adds to them. */
class BrokenSourceTest {

    private static final String IMPORTS = "package p; import dev.belay.tool.*; import dev.belay.tool.context.*; import dev.belay.tool.option.*; import dev.belay.schema.*; "
            + "import java.util.*;\n";

    @TempDir
    private Path directory = Path.of("");

    @Test
    void missingComponentType() {
        onlyTheCompilerComplains("/** F. */ @Tool record Find(Missing id) implements ToolInput<String> {}");
    }

    @Test
    void missingTypeArgument() {
        onlyTheCompilerComplains(
                "/** F. */ @Tool record Find(Map<String, List<Missing>> id) implements ToolInput<String> {}");
    }

    @Test
    void missingOutput() {
        onlyTheCompilerComplains("/** F. */ @Tool record Find(int id) implements ToolInput<Missing> {}");
    }

    @Test
    void missingSupertype() {
        onlyTheCompilerComplains("/** F. */ @Tool record Find(int id) implements Missing<String> {}");
    }

    @Test
    void missingParameterAndReturnType() {
        onlyTheCompilerComplains("class Shop { /** F. */ @Tool Missing find(int id) { return null; } }");
        onlyTheCompilerComplains("class Shop { /** F. */ @Tool int find(Missing id) { return 1; } }");
        onlyTheCompilerComplains(
                "class Shop { /** F. */ @Tool int find(@FromHost List<Missing[]> id) { return 1; } }");
    }

    @Test
    void missingPermittedType() {
        onlyTheCompilerComplains("@Tools sealed interface Shop permits Missing {}");
    }

    @Test
    void missingNestedSet() {
        onlyTheCompilerComplains(
                "@Tools sealed interface Shop { @Nested record Crm(Missing tools) implements Shop {} }");
    }

    @Test
    void wrongAnnotationValues() {
        onlyTheCompilerComplains(
                "/** F. */ @Tool(name = 5) record Find(int id) implements ToolInput<String> {}");
        onlyTheCompilerComplains(
                "/** F. */ @Tool(timeout = MISSING) record Find(int id) implements ToolInput<String> {}");
        onlyTheCompilerComplains(
                "/** F. */ @Tool(effect = ToolEffect.NEVER) record Find(int id) implements ToolInput<String> {}");
        onlyTheCompilerComplains(
                "/** F. */ @Tool(nonsense = 1) record Find(int id) implements ToolInput<String> {}");
        onlyTheCompilerComplains(
                "/** F. */ @Tool record Find(@Range(min = \"x\") int id) implements ToolInput<String> {}");
        onlyTheCompilerComplains(
                "/** F. */ @Tool record Find(@Pattern String id) implements ToolInput<String> {}");
    }

    @Test
    void cyclesAndEmptyHierarchies() {
        onlyTheCompilerComplains("@Tools sealed interface Shop {}");
        onlyTheCompilerComplains("interface A extends B {} interface B extends A {} "
                + "/** F. */ @Tool record Find(int id) implements A, ToolInput<String> {}");
        onlyTheCompilerComplains(
                "/** F. */ @Tool record Find(int id) implements ToolInput<String> {} record Find() {}");
    }

    @Test
    void mistakesInBodiesAndSyntax() {
        onlyTheCompilerComplains("class Shop { /** F. */ @Tool int find(int id) { return missing(); } }");
        onlyTheCompilerComplains("class Shop { /** F. */ @Tool int find(int id { return 1; } }");
    }

    @Test
    void typeThatAnotherProcessorWritesIsWaitedFor() {
        Compilation.Result result = new Compilation(directory).processor(new Maker())
                .source("p/T.java",
                        IMPORTS + "/** F. */ @Tool record Find(Made id) implements ToolInput<Made> {}")
                .run()
                .orFail();

        assertThat(result.generatedSource("p.Find__Belay")).contains("new p.Made(");
    }

    @Test
    void mistakesBesideAMissingTypeAreLeftForLater() {
        onlyTheCompilerComplains("@Tools sealed interface Shop { record Undescribed() implements Shop {} "
                + "/** F. */ record Find(Missing id) implements Shop, ToolInput<String> {} }");
    }

    @Test
    void faultOfTheProcessorIsReportedAtTheElement() {
        Compilation.Result result = new Compilation(directory).withoutProcessor()
                .processor(new Faulty())
                .source("p/T.java",
                        IMPORTS + "/** F. */ @Tool record Find(int id) implements ToolInput<String> {}")
                .run();

        assertThat(result.errors()).singleElement().satisfies(error -> {
            assertThat(error.getLineNumber()).isEqualTo(2);
            assertThat(error.getMessage(Locale.ROOT))
                    .startsWith("[belay:internal] the processor failed on p.Find: ")
                    .contains("out of types");
        });
    }

    private void onlyTheCompilerComplains(String source) {
        Compilation.Result result = new Compilation(directory).source("p/T.java", IMPORTS + source).run();

        assertThat(result.success()).as(source).isFalse();
        assertThat(result.errors()).as(source).isNotEmpty();
        assertThat(result.messages()).doesNotContain("[belay:");
    }

    /** Writes one record in the first round. */
    private static final class Maker extends AbstractProcessor {

        private boolean made;

        @Override
        public Set<String> getSupportedAnnotationTypes() {
            return Set.of("*");
        }

        @Override
        public SourceVersion getSupportedSourceVersion() {
            return SourceVersion.latestSupported();
        }

        @Override
        public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
            if (!made) {
                made = true;
                try (Writer writer = processingEnv.getFiler().createSourceFile("p.Made").openWriter()) {
                    writer.write("package p; record Made(int id) {}");
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            return false;
        }
    }

    /** Ours in an environment that fails. */
    private static final class Faulty extends AbstractProcessor {

        private final BelayProcessor processor = new BelayProcessor();

        @Override
        public synchronized void init(ProcessingEnvironment environment) {
            super.init(environment);
            processor.init((ProcessingEnvironment) Proxy.newProxyInstance(getClass().getClassLoader(),
                    new Class<?>[]{ProcessingEnvironment.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("getTypeUtils")) {
                            throw new IllegalStateException("out of types");
                        }
                        return method.invoke(environment, arguments);
                    }));
        }

        @Override
        public Set<String> getSupportedAnnotationTypes() {
            return processor.getSupportedAnnotationTypes();
        }

        @Override
        public SourceVersion getSupportedSourceVersion() {
            return processor.getSupportedSourceVersion();
        }

        @Override
        public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
            processor.process(annotations, round);
            return false;
        }
    }
}

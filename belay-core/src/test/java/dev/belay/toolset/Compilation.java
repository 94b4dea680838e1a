package dev.belay.toolset;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import org.jspecify.annotations.NullMarked;

/**
 * What the compiler says about a source text that uses Belay; nothing is written.
 *
 * @param complaints errors and warnings
 */
record Compilation(List<Complaint> complaints) {

    /**
     * One of them.
     *
     * @param line counted from 1
     * @param text in English
     */
    record Complaint(long line, String text) {}

    /** Compiles one class of the package {@code shop} with every lint on. */
    static Compilation of(String className, String source) {
        JavaCompiler compiler = Objects.requireNonNull(javax.tools.ToolProvider.getSystemJavaCompiler(),
                "these tests need a JDK");
        var heard = new DiagnosticCollector<JavaFileObject>();
        try (var files = new Nowhere(compiler.getStandardFileManager(heard, Locale.ENGLISH, null))) {
            var options = List.of("--release", "21", "-Xlint:all", "-proc:none", "-cp", classPath());
            compiler.getTask(null, files, heard, options, null, List.of(new Source(className, source)))
                    .call();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        // copied first: putting a message into words may load a class, which javac then complains about too
        return new Compilation(List.copyOf(heard.getDiagnostics())
                .stream()
                .filter(each -> each.getKind() != Diagnostic.Kind.NOTE)
                .map(each -> new Complaint(each.getLineNumber(), each.getMessage(Locale.ENGLISH)))
                .toList());
    }

    private static String classPath() {
        return Stream.of(Toolset.class, NullMarked.class)
                .map(type -> location(type).toString())
                .collect(Collectors.joining(System.getProperty("path.separator")));
    }

    private static Path location(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class Source extends SimpleJavaFileObject {

        private final String text;

        Source(String className, String text) {
            super(URI.create("string:///shop/" + className + ".java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    /** Forgets every class that it is given. */
    private static final class Nowhere extends ForwardingJavaFileManager<JavaFileManager> {

        Nowhere(JavaFileManager files) {
            super(files);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(Location location, String className,
                JavaFileObject.Kind kind,
                FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("memory:///" + className.replace('.', '/')), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return OutputStream.nullOutputStream();
                }
            };
        }
    }
}

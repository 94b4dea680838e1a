package dev.belay.processor;

import dev.belay.json.Json;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.annotation.processing.Processor;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** One run of the compiler over sources in memory; class files and generated sources go to a directory. */
final class Compilation {

    /** What a user of Belay compiles against. */
    static final List<Path> LIBRARIES = List.of(place(Json.class), place(Nullable.class),
            place(org.slf4j.Logger.class));

    private final Path directory;
    private final List<JavaFileObject> sources = new ArrayList<>();
    private final List<String> options = new ArrayList<>();
    private final List<Path> path = new ArrayList<>(LIBRARIES);
    private final List<Processor> processors = new ArrayList<>(List.of(new BelayProcessor()));
    private boolean modular;

    /** What the compiler said. */
    record Result(boolean success, List<Diagnostic<? extends JavaFileObject>> diagnostics, Path classes,
            Path generated) {

        List<Diagnostic<? extends JavaFileObject>> errors() {
            return diagnostics.stream().filter(found -> found.getKind() == Diagnostic.Kind.ERROR).toList();
        }

        /** All messages, one per line, for assertions and failures. */
        String messages() {
            return diagnostics.stream()
                    .map(found -> found.getKind() + " line " + found.getLineNumber() + ": "
                            + found.getMessage(Locale.ROOT))
                    .collect(Collectors.joining("\n"));
        }

        String generatedSource(String name) {
            try {
                return Files.readString(generated.resolve(name.replace('.', '/') + ".java"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        Result orFail() {
            if (!success) {
                throw new AssertionError("compilation failed:\n" + messages());
            }
            return this;
        }
    }

    Compilation(Path directory) {
        this.directory = directory;
    }

    Compilation source(String path, String text) {
        sources.add(new SimpleJavaFileObject(URI.create("string:///" + path), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return text;
            }
        });
        return this;
    }

    /** Adds every Java file below a directory. */
    Compilation sourcesBelow(Path root) {
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(found -> found.toString().endsWith(".java")).sorted().toList()) {
                source(root.relativize(file).toString().replace(File.separatorChar, '/'),
                        Files.readString(file, StandardCharsets.UTF_8));
            }
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Compilation withoutProcessor() {
        processors.clear();
        return this;
    }

    /** Runs another processor beside ours, or ours from another class loader. */
    Compilation processor(Processor other) {
        processors.add(other);
        return this;
    }

    Compilation options(String... more) {
        options.addAll(Arrays.asList(more));
        return this;
    }

    /** Puts class files before the libraries. */
    Compilation on(Path classes) {
        path.add(0, classes);
        return this;
    }

    /** Puts the libraries on the module path. */
    Compilation modular() {
        modular = true;
        return this;
    }

    Result run() {
        try {
            Path classes = Files.createDirectories(directory.resolve("classes"));
            Path generated = Files.createDirectories(directory.resolve("generated"));
            JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(),
                    "the tests need a JDK");
            List<String> all = new ArrayList<>(List.of("--release", "21", "-d", classes.toString(), "-s",
                    generated.toString(), modular ? "--module-path" : "--class-path", join(path)));
            if (processors.isEmpty()) {
                all.add("-proc:none");
            }
            all.addAll(options);
            var diagnostics = new DiagnosticCollector<JavaFileObject>();
            var output = new StringWriter();
            JavaCompiler.CompilationTask task = compiler.getTask(output, null, diagnostics, all, null,
                    sources);
            if (!processors.isEmpty()) {
                task.setProcessors(processors);
            }
            boolean success = task.call();
            if (!output.toString().isEmpty()) {
                throw new AssertionError("the compiler printed:\n" + output);
            }
            return new Result(success, diagnostics.getDiagnostics(), classes, generated);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String join(List<Path> path) {
        return path.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    static Path place(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}

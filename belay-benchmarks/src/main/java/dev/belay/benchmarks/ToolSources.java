package dev.belay.benchmarks;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Writes and compiles many distinct tools: records for Belay and, beside each, the same tool as a method for the peers. */
final class ToolSources implements AutoCloseable {

    /** The package of the generated tools. */
    static final String PACKAGE = "bench.tools";

    private static final String PROCESSOR = "dev.belay.processor.BelayProcessor";

    private final Path directory;
    private final List<Path> files = new ArrayList<>();

    private ToolSources(Path directory) {
        this.directory = directory;
    }

    /** The name of the record at an index. */
    static String recordName(int index) {
        return PACKAGE + ".Lookup" + index;
    }

    /** The name of the class with the method at an index. */
    static String methodsName(int index) {
        return PACKAGE + ".Service" + index;
    }

    /** Arguments that the tool at an index takes. */
    static String arguments(int index) {
        return """
                {"customer%1$d":"ada","limit":3,"open":true,"least":1.5}""".formatted(index);
    }

    /** Writes the sources of so many tools into a new directory. */
    static ToolSources write(int count) throws IOException {
        var sources = new ToolSources(Files.createTempDirectory("belay-startup"));
        Path folder = Files
                .createDirectories(sources.directory.resolve("src").resolve(PACKAGE.replace('.', '/')));
        for (int i = 0; i < count; i++) {
            sources.files
                    .add(Files.writeString(folder.resolve("Lookup" + i + ".java"), record(i)));
            sources.files
                    .add(Files.writeString(folder.resolve("Service" + i + ".java"), method(i)));
        }
        return sources;
    }

    /** Whether companions can be made. */
    static boolean hasProcessor() {
        try {
            Class.forName(PROCESSOR, false, ToolSources.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** Compiles the sources; the directory with the classes. */
    Path compile(boolean companions) throws IOException {
        Path classes = Files.createDirectories(directory.resolve(companions ? "with" : "without"));
        List<String> options = new ArrayList<>(List.of("-d", classes.toString(), "-parameters", "-nowarn",
                "-classpath", System.getProperty("java.class.path")));
        options.addAll(companions ? List.of("-processor", PROCESSOR) : List.of("-proc:none"));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        var messages = new StringWriter();
        try (var manager = compiler.getStandardFileManager(null, null, null)) {
            boolean compiled = compiler
                    .getTask(messages, manager, null, options, null,
                            manager.getJavaFileObjectsFromPaths(files))
                    .call();
            if (!compiled) {
                throw new IllegalStateException("the generated tools do not compile:\n" + messages);
            }
        }
        return classes;
    }

    /** Deletes the sources and classes. */
    @Override
    public void close() throws IOException {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    private static String record(int index) {
        return """
                package bench.tools;

                /** Looks up orders of customer %1$d.
                 *  @param customer%1$d e-mail or customer number
                 *  @param limit at most this many
                 *  @param open only those that are open
                 *  @param least smallest amount */
                @dev.belay.tool.Tool(effect = dev.belay.tool.ToolEffect.READ)
                public record Lookup%1$d(String customer%1$d, int limit, boolean open, double least)
                        implements dev.belay.tool.ToolInput<Lookup%1$d.Found> {

                    /** What was found.
                     *  @param customer who
                     *  @param orders how many
                     *  @param total%1$d their sum */
                    public record Found(String customer, int orders, double total%1$d) {}
                }
                """.formatted(index);
    }

    private static String method(int index) {
        return """
                package bench.tools;

                public class Service%1$d {

                    @dev.langchain4j.agent.tool.Tool("Looks up orders of customer %1$d.")
                    @org.springframework.ai.tool.annotation.Tool(description = "Looks up orders of customer %1$d.")
                    public Lookup%1$d.Found lookup%1$d(
                            @dev.langchain4j.agent.tool.P("e-mail or customer number") String customer%1$d,
                            @dev.langchain4j.agent.tool.P("at most this many") int limit,
                            @dev.langchain4j.agent.tool.P("only those that are open") boolean open,
                            @dev.langchain4j.agent.tool.P("smallest amount") double least) {
                        return new Lookup%1$d.Found(customer%1$d, limit, least);
                    }
                }
                """
                .formatted(index);
    }
}

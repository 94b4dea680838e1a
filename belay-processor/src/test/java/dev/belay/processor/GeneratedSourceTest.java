package dev.belay.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.probe.Probe;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Modifier;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.annotation.processing.Processor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is generated must compile, and stay small enough to load, in any user's build. */
class GeneratedSourceTest {

    private static final String IMPORTS = "import dev.belay.tool.*; import dev.belay.tool.context.*; import dev.belay.tool.option.*; import dev.belay.schema.*; import java.util.*;\n";

    @TempDir
    private Path directory = Path.of("");

    private URLClassLoader loader(Compilation.Result result) throws MalformedURLException {
        return new URLClassLoader(new URL[]{result.classes().toUri().toURL()}, getClass().getClassLoader());
    }

    private Compilation strict() {
        return new Compilation(directory).options("-Xlint:all,-processing", "-Werror");
    }

    @Test
    void strictBuildsHaveNothingToComplainAbout() throws Exception {
        Compilation.Result result = strict().source("p/Shop.java", "package p; " + IMPORTS + """
                class Shop {
                  /** Old. @deprecated gone */
                  @Deprecated(forRemoval = true) record Old(int id, Box<String> box) {}
                  record Box<T extends Comparable<T>>(T value, List<? extends T> hidden) {
                    Box { hidden = List.of(); }
                  }
                  record Pair<A, B>(A a, B b) {}
                  /** Uses what is old. */
                  @Deprecated
                  @Tool @SuppressWarnings("removal")
                  Map<String, Pair<Integer, List<Long>>> use(@FromHost Old old, @FromHost String[] more,
                      Pair<Integer, List<Long>> pair, List<Pair<String, Boolean>> list,
                      @FromHost Map.Entry<String, int[][]> entry) throws Exception {
                    return Map.of("a", pair);
                  }
                  /** Takes what comes. */
                  @Tool public static void values_(@FromHost Object... target_) {}
                }
                """).run().orFail();

        Class<?> companion = Class.forName("p.Shop__Belay", false, loader(result));
        assertThat(Modifier.isPublic(companion.getModifiers())).isFalse();
        assertThat(Probe.description(loader(result), "p.Shop", "#values_(java.lang.Object[])"))
                .isEqualTo("Takes what comes.");
        assertThat(Probe.roundTripOutput(loader(result), "p.Shop", "use", "{\"a\":{\"a\":1,\"b\":[2]}}"))
                .isEqualTo("{\"a\":{\"a\":1,\"b\":[2]}}");
    }

    @Test
    void theSourceIsTheOneWrittenDown() {
        Compilation.Result result = strict().source("p/Outer.java", "package p; " + IMPORTS + """
                class Outer {
                  /** Says "hello" – twice. */
                  @Tool record Greet(String name, int times) implements ToolInput<Void> {}
                }
                """).run().orFail();

        assertThat(result.generatedSource("p.Outer_Greet__Belay").replaceAll("\"[0-9a-f]{16}\"", "\"HASH\""))
                .isEqualTo(
                        """
                                package p;

                                /** Written by belay-processor for {@code p.Outer$Greet}. */
                                @java.lang.SuppressWarnings({"all", "auxiliaryclass", "cast", "deprecation", "rawtypes", "removal", "unchecked", "NullAway"})
                                final class Outer_Greet__Belay {

                                    private Outer_Greet__Belay() {}

                                    static {
                                        dev.belay.generated.Companion.Builder builder_ =
                                                dev.belay.generated.Companion.builder(1, "HASH");
                                        part0(builder_);
                                        builder_.register(p.Outer.Greet.class);
                                    }

                                    private static void part0(dev.belay.generated.Companion.Builder builder_) {
                                        builder_.describe("p.Outer$Greet", "Says \\"hello\\" \\u2013 twice.");
                                        builder_.access(p.Outer.Greet.class, new dev.belay.generated.RecordAccess() {
                                            @java.lang.Override
                                            public java.lang.Object create(java.lang.Object[] values_) {
                                                return new p.Outer.Greet((java.lang.String) values_[0], (int) values_[1]);
                                            }

                                            @java.lang.Override
                                            public java.lang.Object get(java.lang.Object record_, int index_) {
                                                switch (index_) {
                                                    case 0: return ((p.Outer.Greet) record_).name();
                                                    case 1: return ((p.Outer.Greet) record_).times();
                                                    default: throw new java.lang.IndexOutOfBoundsException(index_);
                                                }
                                            }
                                        });
                                    }
                                }
                                """);
    }

    @Test
    void unnamedPackageWorks() throws Exception {
        Compilation.Result result = strict().source("Ping.java", IMPORTS + """
                /** Answers. */ @Tool record Ping(int id) implements ToolInput<String> {}
                """).run().orFail();

        assertThat(Probe.look(loader(result), "Ping")).containsEntry("companion", "used");
    }

    @Test
    void thousandToolsFitIntoOneCompanion() throws Exception {
        String tools = IntStream.range(0, 1000)
                .mapToObj(
                        i -> """
                                  /** Tool number %1$d. @param a first
                                      @param b second */
                                  record Tool%1$d(String a, int b, List<String> c) implements Big, ToolInput<String> {}
                                """
                                .formatted(i))
                .collect(Collectors.joining());
        Compilation.Result result = strict()
                .source("p/Big.java",
                        "package p; " + IMPORTS + "@Tools sealed interface Big {\n" + tools + "}")
                .run()
                .orFail();

        assertThat(Probe.look(loader(result), "p.Big")).hasSize(2002).containsEntry("companion", "used");
        assertThat(Probe.roundTrip(loader(result), "p.Big", "tool999", "{\"a\":\"x\",\"b\":1,\"c\":[]}"))
                .isEqualTo("{\"a\":\"x\",\"b\":1,\"c\":[]}");
    }

    @Test
    void longAndOddTextsSurvive() throws Exception {
        String text = "ä\"\\\\ €🛒 ".repeat(20_000);
        Compilation.Result result = strict().source("p/Ping.java", "package p; " + IMPORTS + "/** " + text
                + " */ @Tool record Ping(int id) implements ToolInput<String> {}").run().orFail();

        assertThat(Probe.description(loader(result), "p.Ping", "p.Ping")).isEqualTo(text.strip());
    }

    @Test
    void recordsOutOfReachAreLeftToReflection() throws Exception {
        Compilation.Result result = strict()
                .source("p/Shop.java",
                        "package p; " + IMPORTS
                                + """
                                        class Shop {
                                          private record Hidden(int id) {}
                                          record Holder(Hidden hidden) {}
                                          record Open(int id) {}
                                          /** Finds. */
                                          @Tool record Find(Holder holder, Open open, q.Far far) implements ToolInput<List<Hidden>> {}
                                        }
                                        """)
                .source("q/Far.java",
                        "package q; public record Far(Near near) { protected record Near(int id) {} }")
                .run()
                .orFail();

        URLClassLoader loader = loader(result);
        assertThat(Stream
                .of("p.Shop$Find", "p.Shop$Open", "p.Shop$Hidden", "p.Shop$Holder", "q.Far", "q.Far$Near")
                .filter(record -> access(loader, record))).containsExactly("p.Shop$Find", "p.Shop$Open");
        String json = "{\"holder\":{\"hidden\":{\"id\":1}},\"open\":{\"id\":2},\"far\":{\"near\":{\"id\":3}}}";
        assertThat(Probe.roundTrip(loader, "p.Shop$Find", "find", json)).isEqualTo(json);
    }

    private static boolean access(ClassLoader loader, String record) {
        try {
            return Probe.hasAccess(loader, "p.Shop$Find", record);
        } catch (Exception e) {
            throw new AssertionError(record, e);
        }
    }

    @Test
    void recordsOfModulesThatAreNotReadAreLeftToReflection() {
        Path far = new Compilation(directory.resolve("far")).modular()
                .source("module-info.java", "module far { exports far; }")
                .source("far/Far.java", "package far; public record Far(int id) {}")
                .run()
                .orFail()
                .classes();
        Path near = new Compilation(directory.resolve("near")).modular()
                .on(far)
                .source("module-info.java", "module near { requires far; exports near; }")
                .source("near/Near.java", "package near; public record Near(far.Far far) {}")
                .run()
                .orFail()
                .classes();

        Compilation.Result result = new Compilation(directory.resolve("user")).modular()
                .on(far)
                .on(near)
                .source("module-info.java", "module user { requires near; requires dev.belay.core; }")
                .source("p/Ping.java", "package p; " + IMPORTS
                        + "/** Answers. */ @Tool record Ping(near.Near near) implements ToolInput<String> {}")
                .run()
                .orFail();

        assertThat(result.generatedSource("p.Ping__Belay")).contains("p.Ping.class")
                .doesNotContain("far.Far");
    }

    @Test
    void contextAndResultOfTheRuntimeAreUnderstood() throws Exception {
        Compilation.Result result = strict()
                .source("dev/belay/runtime/SessionToolContext.java", "package dev.belay.runtime; "
                        + "public interface SessionToolContext extends dev.belay.tool.ToolContext {}")
                .source("p/Shop.java", "package p; " + IMPORTS + """
                        @Tools sealed interface Shop {
                          @Nested record Mcp(dev.belay.tool.Dynamic call) implements Shop {}
                        }
                        class Service {
                          /** Adds. */
                          @Tool ToolResult<@Range(min = 0) Integer> add(ToolContext context, int a) {
                            return ToolResult.ok(a);
                          }
                          /** Stops. */
                          @Tool ToolResult<Void> stop(dev.belay.runtime.SessionToolContext context) {
                            return ToolResult.ok(null);
                          }
                        }
                        """)
                .run()
                .orFail();

        assertThat(result.generatedSource("p.Service__Belay"))
                .contains("\"add(dev.belay.tool.ToolContext,int)\", java.util.List.of(\"context\", \"a\")");
        assertThat(result.generatedSource("p.Shop__Belay"))
                .contains("new p.Shop.Mcp((dev.belay.tool.Dynamic)");
        assertThat(Probe.look(loader(result), "p.Service")).containsEntry("companion", "used")
                .containsEntry("add in", "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"integer\","
                        + "\"format\":\"int32\"}},\"required\":[\"a\"],\"additionalProperties\":false}")
                .containsEntry("add out", "{\"type\":\"integer\",\"format\":\"int32\",\"minimum\":0}")
                .containsEntry("stop out", "nothing");
    }

    @Test
    void memberOfASetHasNoCompanionOfItsOwn() {
        Compilation.Result result = strict().source("p/Shop.java", "package p; " + IMPORTS + """
                @Tools sealed interface Shop {
                  sealed interface Group extends Shop {}
                  /** Finds. */ @Tool record Find(int id) implements Group, ToolInput<String> {}
                }
                """).run().orFail();

        assertThat(result.generated().resolve("p/Shop__Belay.java")).exists();
        assertThat(result.generated().resolve("p/Shop_Find__Belay.java")).doesNotExist();
    }

    @Test
    void nothingIsPrintedByTheCompiler() throws Exception {
        URL[] path = Stream
                .concat(Stream.of(Compilation.place(BelayProcessor.class)), Compilation.LIBRARIES.stream())
                .map(GeneratedSourceTest::url)
                .toArray(URL[]::new);
        var loader = new URLClassLoader(path, ClassLoader.getPlatformClassLoader());
        Processor processor = ServiceLoader.load(Processor.class, loader).findFirst().orElseThrow();
        assertThat(processor.getClass().getName()).isEqualTo(BelayProcessor.class.getName());

        var printed = new ByteArrayOutputStream();
        PrintStream before = System.err;
        System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            strict().withoutProcessor()
                    .processor(processor)
                    .source("p/Ping.java", "package p; " + IMPORTS
                            + "/** Answers. */ @Tool record Ping(int id) implements ToolInput<String> {}")
                    .run()
                    .orFail();
        } finally {
            System.setErr(before);
        }

        assertThat(printed.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    private static URL url(Path path) {
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void gradleIsToldThatCompanionsAreIsolated() throws IOException {
        try (var marker = BelayProcessor.class
                .getResourceAsStream("/META-INF/gradle/incremental.annotation.processors")) {
            assertThat(marker).isNotNull().hasContent("dev.belay.processor.BelayProcessor,isolating");
        }
    }
}

package dev.belay.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.probe.Probe;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The corpus compiled in several ways: the same schemas, hashes and values each time. */
class BothWaysTest {

    private static final Path CORPUS = Path.of("src/test/resources/corpus");
    private static final Path PROBE = Path.of("src/test/java");
    private static final List<String> OWNERS = List.of("shop.ShopTools", "shop.CrmTools", "shop.Ping",
            "shop.ShopService");
    private static final String LINE = "{\"article\":\"pen\",\"count\":2,\"tags\":[\"blue\"]}";

    @TempDir
    private static Path shared = Path.of("");
    private static Path processed = Path.of("");
    private static Path plain = Path.of("");

    @TempDir
    private Path directory = Path.of("");

    @BeforeAll
    static void compileBothWays() throws IOException {
        processed = new Compilation(shared.resolve("processed")).sourcesBelow(CORPUS)
                .options("-Xlint:all,-processing", "-Werror")
                .run()
                .orFail()
                .classes();
        plain = new Compilation(shared.resolve("plain")).sourcesBelow(CORPUS)
                .withoutProcessor()
                .options("-parameters")
                .run()
                .orFail()
                .classes();
        offerStart(processed);
        offerStart(plain);
    }

    private static void offerStart(Path classes) throws IOException {
        Path services = Files.createDirectories(classes.resolve("META-INF/services"));
        Files.writeString(services.resolve("java.util.function.Supplier"), "shop.Start");
    }

    private static URLClassLoader loader(Path classes) throws IOException {
        return new URLClassLoader(new URL[]{classes.toUri().toURL()}, BothWaysTest.class.getClassLoader());
    }

    private static Map<String, String> look(Path classes, String owner) throws Exception {
        return Probe.look(loader(classes), owner);
    }

    private static Map<String, String> withCompanion(Map<String, String> seen) {
        var changed = new HashMap<>(seen);
        assertThat(changed.put("companion", "used")).isEqualTo("none");
        return changed;
    }

    @Test
    void schemasAreTheSameWithAndWithoutProcessor() throws Exception {
        for (String owner : OWNERS) {
            assertThat(look(processed, owner)).isEqualTo(withCompanion(look(plain, owner)));
        }
    }

    @Test
    void schemaIsTheOneWrittenDown() throws Exception {
        assertThat(look(processed, "shop.ShopTools"))
                .containsEntry("find_orders in",
                        """
                                {"type":"object","properties":{"customer":{"type":"string","minLength":3,"maxLength":80,"pattern":"@"},\
                                "limit":{"type":["integer","null"],"format":"int32","minimum":1,"maximum":50}},\
                                "required":["customer"],"additionalProperties":false}""")
                .containsEntry("turn in", """
                        {"type":"object","properties":{"type":{"type":"string","enum":["ON","OFF"]}},\
                        "required":["type"],"additionalProperties":false}""")
                .containsEntry("turn out", "nothing")
                .hasEntrySatisfying("pair in", schema -> assertThat(schema)
                        .contains("{\"type\":[\"string\",\"null\"]}")
                        .contains("{\"type\":\"string\",\"maxLength\":3}"));
        assertThat(look(processed, "shop.ShopService")).containsEntry("add_up in", """
                {"type":"object","properties":{"left":{"type":"integer","format":"int32"},\
                "right":{"type":"integer","format":"int32"}},"required":["left","right"],\
                "additionalProperties":false}""");
    }

    @Test
    void javadocOfTheOwnFileBecomesDescriptions() throws Exception {
        Map.of("shop.ShopTools$FindOrders", "Finds orders of a customer.",
                "shop.ShopTools$FindOrders#customer",
                "e-mail or customer number", "shop.ShopTools$Status", "A status, in this file.",
                "shop.ShopTools$Shape", "A shape; tagged by kind.", "shop.ShopTools$Shape$Circle#radius",
                "in orders",
                "shop.ShopTools$Turn", "Turns the shop on and off.", "shop.ShopTools$Search",
                "Searches in one of two ways.")
                .forEach((key, text) -> assertThat(described("shop.ShopTools", key)).as(key).isEqualTo(text));
        String refund = "#refund(shop.ShopService$Tenant,long,java.lang.String,java.util.List)";
        assertThat(described("shop.ShopService", refund)).isEqualTo("Refunds an order.");
        assertThat(described("shop.ShopService", refund + "#orderId")).isEqualTo("the number of the order");
    }

    @Test
    void javadocOfOtherFilesDoesNotCount() {
        assertThat(described("shop.ShopTools", "shop.Order")).isEmpty();
        assertThat(described("shop.CrmTools", "shop.DropUser")).isEmpty();
    }

    @Test
    void descriptionAnnotationIsLeftToReflection() {
        assertThat(described("shop.ShopTools", "shop.ShopTools$Tree#label")).isEmpty();
    }

    private static String described(String owner, String key) {
        try {
            return Probe.description(loader(processed), owner, key);
        } catch (Exception e) {
            throw new AssertionError(key, e);
        }
    }

    @Test
    void toolsOfASetStandInDeclarationOrder() throws Exception {
        assertThat(look(processed, "shop.ShopTools").keySet().stream().filter(key -> key.endsWith(" in")))
                .containsExactly("find_orders in", "scalars in", "absent in", "collections in", "grow in",
                        "pair in",
                        "turn in", "search in");
    }

    @Test
    void valuesSurviveTheWayThroughTheCompanion() throws Exception {
        for (Path classes : List.of(processed, plain)) {
            roundTrips((owner, tool, json) -> Probe.roundTrip(loader(classes), owner, tool, json));
            calls((owner, tool, json) -> Probe.call(loader(classes), owner, tool, json));
            assertThat(Probe.roundTripOutput(loader(classes), "shop.ShopTools", "search",
                    "{\"items\":[" + order(7) + "],\"first\":" + order(7) + "}"))
                    .isEqualTo("{\"items\":[" + order(7) + "],\"first\":" + order(7) + "}");
        }
    }

    private interface Way {
        String apply(String owner, String tool, String json) throws Throwable;
    }

    private static void roundTrips(Way way) {
        Map.of("scalars",
                """
                        {"a":true,"b":false,"c":1,"d":-1,"e":2,"f":-2,"g":3,"h":-3,"i":4,"j":-4,"k":1.5,"l":2.5,"m":3.5,\
                        "n":4.5,"o":12345678901234567.89,"p":123456789012345678901,"q":"text",\
                        "r":"123e4567-e89b-12d3-a456-426614174000","s":"urn:x","t":"2026-01-02T03:04:05Z",\
                        "u":"2026-01-02T03:04:05+01:00","v":"2026-01-02T03:04:05+01:00[Europe/Paris]","w":"2026-01-02",\
                        "x":"03:04:05","y":"2026-01-02T03:04:05","z":"PT1H","aa":"P1D","bb":"Europe/Paris","any":{"x":[1]}}""",
                "absent",
                "{\"a\":\"x\",\"d\":1.25,\"f\":" + LINE + ",\"g\":[\"y\",null],\"i\":2,\"j\":\"PAID\"}",
                "collections",
                """
                        {"name":"n","status":"OPEN","a":["x"],"b":["PAID","OPEN"],"c":[1],"d":[LINE],"e":["q"],\
                        "f":{"k":[LINE]},"g":{"z":1.50,"y":null}}"""
                        .replace("LINE", LINE),
                "grow", """
                        {"tree":{"label":"a","children":[{"label":"b","children":[]}]},\
                        "shape":{"kind":"circle","radius":1.5},\
                        "more":[{"kind":"box","side":2.5,"inner":{"kind":"ellipse","a":1.5,"b":2.5}}]}""",
                "pair",
                """
                        {"mine":ORDER,"theirs":{"number":"n"},"page":{"items":[ORDER],"first":ORDER},\
                        "names":{"items":["a",null]},"pages":{"items":[{"items":["abc"]}]}}""".replace(
                        "ORDER",
                        order(1)),
                "search", "{\"type\":\"by_id\",\"id\":5}")

                .forEach(
                        (tool, json) -> assertThat(apply(way, "shop.ShopTools", tool, json)).isEqualTo(json));
        assertThat(apply(way, "shop.CrmTools", "drop_user", "{\"id\":1,\"line\":" + LINE + "}"))
                .isEqualTo("{\"id\":1,\"line\":" + LINE + "}");
        assertThat(apply(way, "shop.Ping", "ping", "{\"line\":" + LINE + "}"))
                .isEqualTo("{\"line\":" + LINE + "}");
    }

    private static void calls(Way way) {
        assertThat(apply(way, "shop.ShopService", "add_up", "{\"left\":2,\"right\":40}")).isEqualTo("42");
        assertThat(apply(way, "shop.ShopService", "forget", "{}")).isEqualTo("nothing, null");
        assertThat(apply(way, "shop.ShopService", "seen", "{}")).isEqualTo("null");
        assertThat(apply(way, "shop.ShopService", "refund", "{\"orderId\":9,\"lines\":[" + LINE + "]}"))
                .isEqualTo("{\"id\":9,\"lines\":[" + LINE + "],\"colour\":\"GREEN\"}");
    }

    private static String apply(Way way, String owner, String tool, String json) {
        try {
            return way.apply(owner, tool, json);
        } catch (Throwable e) {
            throw new AssertionError(tool + " with " + json, e);
        }
    }

    private static String order(int id) {
        return "{\"id\":" + id + ",\"lines\":[" + LINE + "],\"note\":\"n\",\"colour\":\"BLUE\"}";
    }

    @Test
    void moduleWithoutExportsWorksThroughTheCompanion() throws Exception {
        Path shop = new Compilation(directory.resolve("shop")).sourcesBelow(CORPUS)
                .source("module-info.java",
                        "module shop { requires dev.belay.core; requires static org.jspecify; "
                                + "provides java.util.function.Supplier with shop.Start; }")
                .modular()
                .run()
                .orFail()
                .classes();
        Compilation outside = new Compilation(directory.resolve("probe")).withoutProcessor()
                .modular()
                .source(
                        "module-info.java",
                        "module probe { requires dev.belay.core; requires static org.jspecify; "
                                + "exports dev.belay.probe; uses java.util.function.Supplier; }");
        for (String name : List.of("Probe", "ReflectedTool")) {
            String file = "dev/belay/probe/" + name + ".java";
            outside.source(file, Files.readString(PROBE.resolve(file)));
        }
        Path probe = outside.run().orFail().classes();
        ModuleFinder finder = ModuleFinder.of(
                Stream.concat(Stream.of(shop, probe), Compilation.LIBRARIES.stream()).toArray(Path[]::new));
        Configuration configuration = ModuleLayer.boot()
                .configuration()
                .resolve(finder, ModuleFinder.of(), Set.of("shop", "probe"));
        ClassLoader loader = ModuleLayer.boot()
                .defineModulesWithOneLoader(configuration, ClassLoader.getPlatformClassLoader())
                .findLoader("probe");
        Class<?> inside = loader.loadClass("dev.belay.probe.Probe");
        assertThat(loader.loadClass("shop.ShopTools").getModule().getName()).isEqualTo("shop");

        for (String owner : OWNERS) {
            assertThat(inside.getMethod("look", ClassLoader.class, String.class).invoke(null, loader, owner))
                    .isEqualTo(withCompanion(look(plain, owner)));
        }
        var recode = inside.getMethod("roundTrip", ClassLoader.class, String.class, String.class,
                String.class);
        roundTrips((owner, tool, json) -> (String) recode.invoke(null, loader, owner, tool, json));
        var call = inside.getMethod("call", ClassLoader.class, String.class, String.class, String.class);
        calls((owner, tool, json) -> (String) call.invoke(null, loader, owner, tool, json));
    }

    @Test
    void recompilingOneFileChangesNothing() throws Exception {
        for (String file : List.of("shop/ShopTools.java", "shop/ShopService.java", "shop/CrmTools.java",
                "shop/DropUser.java", "shop/Order.java", "shop/Line.java")) {
            Path copy = directory.resolve(file.replace('/', '_'));
            copy(processed, copy.resolve("classes"));
            Path companion = copy.resolve("classes").resolve(file.replace(".java", "__Belay.class"));
            boolean owner = Files.deleteIfExists(companion);
            Path classes = new Compilation(copy).source(file, Files.readString(CORPUS.resolve(file)))
                    .on(copy.resolve("classes"))
                    .run()
                    .orFail()
                    .classes();

            assertThat(Files.exists(companion)).as(file).isEqualTo(owner);
            for (String each : OWNERS) {
                assertThat(look(classes, each)).as(file).isEqualTo(look(processed, each));
            }
            assertThat(
                    Probe.description(loader(classes), "shop.ShopTools", "shop.ShopTools$FindOrders#limit"))
                    .isEqualTo("at most this many");
        }
    }

    @Test
    void staleCompanionIsIgnoredWithAWarning() throws Exception {
        copy(processed, directory.resolve("classes"));
        String changed = Files.readString(CORPUS.resolve("shop/Line.java"))
                .replace("int count", "int count, boolean gift");
        Path classes = new Compilation(directory).source("shop/Line.java", changed)
                .on(directory.resolve("classes"))
                .withoutProcessor()
                .run()
                .orFail()
                .classes();

        var warnings = new ByteArrayOutputStream();
        PrintStream before = System.err;
        System.setErr(new PrintStream(warnings, true, StandardCharsets.UTF_8));
        Map<String, String> seen;
        try {
            seen = look(classes, "shop.Ping");
        } finally {
            System.setErr(before);
        }

        assertThat(warnings.toString(StandardCharsets.UTF_8)).contains("WARN")
                .contains("Ignoring the generated companion of shop.Ping: it was made for another shape")
                .contains("Compile the class again");
        assertThat(seen).containsEntry("companion", "none")
                .hasEntrySatisfying("ping in",
                        schema -> assertThat(schema).contains("\"gift\":{\"type\":\"boolean\"}"));
        String line = "{\"line\":{\"article\":\"pen\",\"count\":2,\"gift\":true,\"tags\":[]}}";
        assertThat(Probe.roundTrip(loader(classes), "shop.Ping", "ping", line)).isEqualTo(line);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
    }
}

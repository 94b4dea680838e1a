package dev.belay.probe;

import dev.belay.generated.Codecs;
import dev.belay.generated.Companion;
import dev.belay.generated.Companions;
import dev.belay.generated.Invoker;
import dev.belay.generated.JsonCodec;
import dev.belay.generated.RecordAccess;
import dev.belay.generated.ReflectiveAccess;
import dev.belay.json.Json;
import dev.belay.json.JsonLimits;
import dev.belay.json.JsonReader;
import dev.belay.schema.shape.SchemaWriter;
import dev.belay.schema.shape.Shape;
import dev.belay.schema.shape.ShapeHash;
import dev.belay.tool.FromHost;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Looks at one owner as the run-time side of Belay does. Takes and returns only types of the JDK, because in one scenario it
 * runs in a module layer with its own copy of Belay.
 */
public final class Probe {

    private final ClassLoader loader;
    private final Class<?> owner;
    private final List<ReflectedTool> tools;
    private final Optional<Companion> companion;

    private Probe(ClassLoader loader, String owner) throws ClassNotFoundException {
        this.loader = loader;
        this.owner = Class.forName(owner, false, loader);
        this.tools = ReflectedTool.of(this.owner, Companions.of(this.owner));
        this.companion = Companions.of(this.owner, hash());
    }

    /** Hash, presence of a companion and all schemas of an owner, by name. */
    public static Map<String, String> look(ClassLoader loader, String owner) throws Exception {
        var probe = new Probe(loader, owner);
        var seen = new LinkedHashMap<String, String>();
        seen.put("hash", probe.hash());
        seen.put("companion", probe.companion.isPresent() ? "used" : "none");
        for (ReflectedTool tool : probe.tools) {
            seen.put(tool.name() + " in", SchemaWriter.write(tool.input()).map(Json::text).orElse("nothing"));
            seen.put(tool.name() + " out",
                    SchemaWriter.write(tool.output()).map(Json::text).orElse("nothing"));
        }
        return seen;
    }

    /** Decodes and encodes the input of a tool. */
    public static String roundTrip(ClassLoader loader, String owner, String tool, String json)
            throws Exception {
        var probe = new Probe(loader, owner);
        return recode(probe.codec(probe.tool(tool).input()), json);
    }

    /** Decodes and encodes the output of a tool. */
    public static String roundTripOutput(ClassLoader loader, String owner, String tool, String json)
            throws Exception {
        var probe = new Probe(loader, owner);
        return recode(probe.codec(probe.tool(tool).output()), json);
    }

    /** Calls a method with arguments as JSON, and the host's values by type. */
    public static String call(ClassLoader loader, String owner, String tool, String json) throws Throwable {
        var probe = new Probe(loader, owner);
        ReflectedTool found = probe.tool(tool);
        Method method = Objects.requireNonNull(found.method());
        @Nullable
        Object[] decoded = (@Nullable Object[]) Objects.requireNonNull(
                decode(Codecs.ofArray((Shape.Structure) found.input(), loader, probe::access), json));
        List<Object> host = ServiceLoader.load(Supplier.class, loader)
                .findFirst()
                .map(supplier -> (List<?>) supplier.get())
                .orElseThrow()
                .stream()
                .map(value -> (Object) value)
                .toList();
        var arguments = new ArrayList<@Nullable Object>();
        int next = 0;
        for (Parameter parameter : method.getParameters()) {
            arguments.add(parameter.isAnnotationPresent(FromHost.class)
                    ? supplied(host, parameter)
                    : decoded[next++]);
        }
        Invoker invoker = probe.companion.flatMap(known -> known.method(found.key()))
                .map(Companion.Method::invoker)
                .orElseGet(() -> ReflectiveAccess.of(method));
        Object result = invoker.invoke(host.get(0), arguments.toArray());
        if (found.output() instanceof Shape.Nothing) {
            return "nothing, " + result;
        }
        return Json.write(out -> probe.codec(found.output()).write(out, result)).text();
    }

    /** What the companion says under a key. */
    public static String description(ClassLoader loader, String owner, String key) throws Exception {
        return new Probe(loader, owner).companion.map(known -> known.description(key)).orElse("no companion");
    }

    /** Whether the companion can make a record. */
    public static boolean hasAccess(ClassLoader loader, String owner, String record) throws Exception {
        var probe = new Probe(loader, owner);
        return probe.access(Class.forName(record, false, loader)).isPresent();
    }

    private static Object supplied(List<Object> host, Parameter parameter) {
        return host.stream().filter(parameter.getType()::isInstance).findFirst().orElseThrow();
    }

    private String hash() {
        return ShapeHash.of(tools.stream()
                .flatMap(tool -> Stream.of(tool.input(), tool.output()))
                .toArray(Shape[]::new));
    }

    private ReflectedTool tool(String name) {
        return tools.stream()
                .filter(tool -> tool.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(name + " is no tool of " + owner));
    }

    private Optional<RecordAccess> access(Class<?> type) {
        return companion.flatMap(known -> known.access(type));
    }

    private JsonCodec<@Nullable Object> codec(Shape shape) {
        return Codecs.of(shape, loader, this::access);
    }

    private static @Nullable Object decode(JsonCodec<@Nullable Object> codec, String json) {
        var reader = new JsonReader(json, JsonLimits.DEFAULT);
        Object value = codec.read(reader);
        reader.end();
        return value;
    }

    private static String recode(JsonCodec<@Nullable Object> codec, String json) {
        Object value = decode(codec, json);
        return Json.write(out -> codec.write(out, value)).text();
    }
}

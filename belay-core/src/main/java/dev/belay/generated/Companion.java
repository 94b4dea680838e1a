package dev.belay.generated;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the processor wrote down about one class that declares tools: texts that reflection cannot see, and code that needs no
 * reflection. Immutable.
 */
public final class Companion {

    /** The format that this version of Belay reads and its processor writes. */
    public static final int FORMAT = 1;

    private final int format;
    private final String shapeHash;
    private final Map<String, String> descriptions;
    private final Map<Class<?>, RecordAccess> records;
    private final Map<String, Method> methods;

    /**
     * A method tool.
     *
     * @param parameters names of all parameters, in order
     * @param invoker calls it
     */
    public record Method(List<String> parameters, Invoker invoker) {

        /** Copies the list. */
        public Method {
            parameters = List.copyOf(parameters);
        }
    }

    private Companion(Builder builder) {
        this.format = builder.format;
        this.shapeHash = builder.shapeHash;
        this.descriptions = Map.copyOf(builder.descriptions);
        this.records = Map.copyOf(builder.records);
        this.methods = Map.copyOf(builder.methods);
    }

    /**
     * Starts a companion.
     *
     * @param format the format it was written in
     * @param shapeHash hash of the shapes the processor saw
     */
    public static Builder builder(int format, String shapeHash) {
        return new Builder(format, shapeHash);
    }

    /** The format it was written in. */
    public int format() {
        return format;
    }

    /** The hash of the shapes the processor saw. */
    public String shapeHash() {
        return shapeHash;
    }

    /** The Javadoc of an element, or empty. Keys: {@code p.Type}, {@code p.Type#component}, {@code #method(types)}. */
    public String description(String key) {
        return descriptions.getOrDefault(key, "");
    }

    /** How to make and read a record without reflection. */
    public Optional<RecordAccess> access(Class<?> record) {
        return Optional.ofNullable(records.get(record));
    }

    /** How to call a method without reflection; the key is {@code name(erased,parameter,types)}. */
    public Optional<Method> method(String key) {
        return Optional.ofNullable(methods.get(key));
    }

    /** Collects what a companion holds. Confined to its static initializer. */
    public static final class Builder {

        private final int format;
        private final String shapeHash;
        private final Map<String, String> descriptions = new HashMap<>();
        private final Map<Class<?>, RecordAccess> records = new HashMap<>();
        private final Map<String, Method> methods = new HashMap<>();

        private Builder(int format, String shapeHash) {
            this.format = format;
            this.shapeHash = shapeHash;
        }

        /** Adds a description. */
        public Builder describe(String key, String text) {
            descriptions.put(key, text);
            return this;
        }

        /** Adds access to a record. */
        public Builder access(Class<?> record, RecordAccess access) {
            records.put(record, access);
            return this;
        }

        /** Adds a method. */
        public Builder method(String key, List<String> parameters, Invoker invoker) {
            methods.put(key, new Method(parameters, invoker));
            return this;
        }

        /** Registers the finished companion for its class. */
        public void register(Class<?> owner) {
            Companions.register(owner, new Companion(this));
        }
    }
}

package dev.belay.toolset.loop;

import dev.belay.BelayException;
import dev.belay.model.ToolChoice;
import dev.belay.model.ToolSpec;
import dev.belay.tool.Dynamic;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.call.Admission;
import dev.belay.tool.context.HostValues;
import dev.belay.tool.option.Visibility;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Which tools a request offers, which it demands and how it describes them. Confined to one thread. */
public final class Offer<T> {

    private enum Availability {
        DEFAULT, ALL, ONLY
    }

    private final SetLayout<T> set;
    private Availability availability = Availability.DEFAULT;
    private final List<Predicate<ToolEntry<T>>> named = new ArrayList<>();
    private final Map<String, ToolEntry<T>> filled = new LinkedHashMap<>();
    private final Map<String, String> words = new HashMap<>();
    private boolean any;
    private @Nullable String required;

    /**
     * What a request offers.
     *
     * @param entries offered tools by name
     * @param admission the gate for what the model says
     * @param specs what is sent
     * @param choice what is demanded
     */
    public record Resolved<T>(Map<String, ToolEntry<T>> entries, Admission admission, List<ToolSpec> specs,
            ToolChoice choice) {}

    /** Offers the tools of a set that are on by default. */
    public Offer(SetLayout<T> set) {
        this.set = set;
    }

    /** The same offer, to be changed on its own. */
    public Offer<T> copy() {
        var copy = new Offer<>(set);
        copy.availability = availability;
        copy.named.addAll(named);
        copy.filled.putAll(filled);
        copy.words.putAll(words);
        copy.any = any;
        copy.required = required;
        return copy;
    }

    public void all() {
        availability = Availability.ALL;
    }

    public void plus(Class<? extends T> part) {
        named.add(entry -> part.isAssignableFrom(entry.top()));
    }

    public void plus(Collection<String> names) {
        names.forEach(name -> named.add(entry -> entry.name().equals(name)));
    }

    public void only(Class<? extends T> part) {
        onlyNamed();
        plus(part);
    }

    public void only(Collection<String> names) {
        onlyNamed();
        plus(names);
    }

    /** Forgets tools that were named besides the default ones. */
    private void onlyNamed() {
        if (availability != Availability.ONLY) {
            availability = Availability.ONLY;
            named.clear();
        }
    }

    /** Fills a place with the tools of a provider, which prepares their calls. */
    public void fill(Class<? extends T> place, ToolProvider provider) {
        fill(place, provider.definitions(), provider);
    }

    /** Fills a place with tools; null if no provider prepares their calls. */
    public void fill(Class<? extends T> place, Collection<ToolDefinition> tools,
            @Nullable ToolProvider provider) {
        List<SetLayout.Slot> slots = set.slots().getOrDefault(place, List.of());
        if (slots.size() != 1) {
            throw constraint(place.getSimpleName() + " of " + set.type().getSimpleName() + " has "
                    + (slots.isEmpty() ? "no place" : slots.size() + " places, not one,")
                    + " for tools that are known only at run time; write: "
                    + "@Nested record " + place.getSimpleName() + "(Dynamic call) implements …");
        }
        SetLayout.Slot slot = slots.getFirst();
        for (ToolDefinition tool : tools) {
            ToolEntry<T> entry = ToolEntry.of(tool, slot.prefix(), Dynamic.class, slot.path(),
                    slot.defaultOn(), provider);
            if (set.entries().containsKey(entry.name())
                    || filled.putIfAbsent(entry.name(), entry) != null) {
                throw new BelayException("duplicate_tool_name", "tool name \"" + entry.name()
                        + "\" is taken already; give the place a prefix: @Nested(prefix = \"…\")");
            }
        }
    }

    public void requireAny() {
        any = true;
        required = null;
    }

    public void require(String name) {
        any = false;
        required = name;
    }

    public void describe(String name, String text) {
        if (text.isBlank()) {
            throw new BelayException("missing_description",
                    "the words for tool " + name
                            + " are blank; leave them out to keep its own description");
        }
        words.put(name, text);
    }

    /**
     * Says what is offered.
     *
     * @param hosted whether a session stands behind the loop
     */
    public Resolved<T> resolve(HostValues host, boolean hosted) {
        Map<String, ToolEntry<T>> everything = new LinkedHashMap<>(set.entries());
        everything.putAll(filled);
        Map<String, ToolEntry<T>> offered = offered(
                everything.values()
                        .stream()
                        .filter(entry -> entry.definition().manifest().visibility() == Visibility.MODEL)
                        .toList());
        requireNeeds(offered.values(), host, hosted);
        List<String> others = everything.keySet()
                .stream()
                .filter(name -> !offered.containsKey(name))
                .toList();
        Admission admission = Admission.of(offered.values().stream().map(ToolEntry::definition).toList(),
                others);
        return new Resolved<>(offered, admission, offered.values().stream().map(this::spec).toList(),
                choice(offered));
    }

    private Map<String, ToolEntry<T>> offered(Collection<ToolEntry<T>> everything) {
        Map<String, ToolEntry<T>> offered = new LinkedHashMap<>();
        if (availability != Availability.ONLY) {
            everything.stream()
                    .filter(entry -> availability == Availability.ALL || entry.defaultOn()
                            || named.stream().anyMatch(wanted -> wanted.test(entry)))
                    .forEach(entry -> offered.put(entry.name(), entry));
        } else {
            named.forEach(wanted -> everything.stream()
                    .filter(wanted)
                    .forEach(entry -> offered.putIfAbsent(entry.name(), entry)));
        }
        return offered;
    }

    private ToolSpec spec(ToolEntry<T> entry) {
        ToolSpec own = entry.definition().spec();
        String words = this.words.get(entry.name());
        return words == null ? own : new ToolSpec(own.name(), words, own.inputSchema());
    }

    private ToolChoice choice(Map<String, ToolEntry<T>> offered) {
        if (any && offered.isEmpty()) {
            throw constraint("some tool must be called but none is offered");
        }
        if (required == null) {
            return any ? ToolChoice.any() : ToolChoice.auto();
        }
        if (!offered.containsKey(required)) {
            throw constraint("tool " + required + " must be called but is not offered; offered are "
                    + offered.keySet());
        }
        return ToolChoice.specific(required);
    }

    private static BelayException constraint(String message) {
        return new BelayException("invalid_tool_constraints", message);
    }

    /** What a body needs beside its arguments must be there before the model is asked. */
    private void requireNeeds(Collection<ToolEntry<T>> offered, HostValues host, boolean hosted) {
        for (ToolEntry<T> entry : offered) {
            List<String> missing = entry.definition()
                    .hostValues()
                    .stream()
                    .filter(type -> !host.types().contains(type))
                    .map(Class::getSimpleName)
                    .toList();
            if (!missing.isEmpty()) {
                throw new BelayException("host_value_missing", "tool " + entry.name() + " needs " + missing
                        + " from the host; write .supply(" + missing.getFirst() + ".class, () -> …)");
            }
            List<String> contexts = entry.definition()
                    .runtimeContexts()
                    .stream()
                    .map(Class::getSimpleName)
                    .toList();
            if (!contexts.isEmpty() && !hosted) {
                throw new BelayException("capability_unavailable",
                        "tool " + entry.name() + " asks for " + contexts
                                + ", which only a session of the runtime has; here it gets a ToolContext");
            }
        }
    }
}

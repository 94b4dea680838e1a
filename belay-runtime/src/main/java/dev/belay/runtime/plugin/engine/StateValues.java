package dev.belay.runtime.plugin.engine;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.store.journal.LargeResult;
import dev.belay.runtime.store.journal.RecordReader;
import dev.belay.tool.context.Attachments;
import dev.belay.tool.context.Attachments.Reference;
import dev.belay.tool.context.PluginState;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The states of a session's plugins. Immutable: a change gives other values, which share the rest. The state of a plugin that is not
 * there is kept as it is, with the changes that were recorded since, and returns with the plugin. A value of more than 64 KiB is kept
 * by content: its kept form has the hash, so that a large value that did not change is not written again.
 */
public final class StateValues {

    /** How many bytes of UTF-8 the kept form of a value may have. */
    static final int MOST = 1 << 20;
    /** The field for the hash of a value that is kept by content. */
    private static final String CONTENT = "content";
    private static final String TYPE = "application/json";

    private final Base base;
    private final Map<PluginState<?, ?>, Object> values;
    /** Changes of states whose plugin is not there, since. */
    private final Map<String, List<Json>> waiting;

    /**
     * What values begin with.
     *
     * @param plugins of the session
     * @param kept what was kept, by key, in its kept form; null for nothing
     * @param restored the values that were kept in today's form
     * @param reset whether an operator lets a plugin begin anew: then changes that it cannot read are left out
     */
    private record Base(SessionPlugins plugins, @Nullable Json kept,
            Map<PluginState<?, ?>, Object> restored, Predicate<String> reset) {}

    private StateValues(Base base, Map<PluginState<?, ?>, Object> values, Map<String, List<Json>> waiting) {
        this.base = base;
        this.values = values;
        this.waiting = waiting;
    }

    /**
     * The states that a session has; {@code plugin_not_restored} if a plugin cannot read its own.
     *
     * @param kept null for a session that has none
     * @param contents reads values that are kept by content
     * @param reset whether an operator lets a plugin begin anew: then what it cannot read is left out
     */
    public static StateValues of(SessionPlugins plugins, @Nullable Json kept,
            Function<Reference, Optional<byte[]>> contents, Predicate<String> reset) {
        try {
            return of(plugins, kept, contents).resetting(reset);
        } catch (NotRestoredException e) {
            if (!has(kept, e.plugin()) || !reset.test(e.plugin())) {
                throw e;
            }
            return of(plugins, without(kept, e.plugin()), contents, reset);
        }
    }

    private StateValues resetting(Predicate<String> reset) {
        return new StateValues(new Base(base.plugins, base.kept, base.restored, reset), values, waiting);
    }

    /** The same if no operator has reset a plugin. */
    public static StateValues of(SessionPlugins plugins, @Nullable Json kept,
            Function<Reference, Optional<byte[]>> contents) {
        if (kept == null || plugins.states.isEmpty()) {
            return new StateValues(new Base(plugins, kept, Map.of(), plugin -> false), Map.of(), Map.of());
        }
        Map<PluginState<?, ?>, Object> restored = new HashMap<>();
        Map<PluginState<?, ?>, Object> values = new HashMap<>();
        plugins.states.forEach((key, state) -> kept.get(key).ifPresent(form -> {
            Object value = named(key, () -> restored(state, form, contents));
            values.put(state, value);
            if (form.get("v").filter(version -> version.asInt() == state.version()).isPresent()
                    && form.get("waiting").isEmpty()) {
                restored.put(state, value);
            }
        }));
        return new StateValues(new Base(plugins, kept, restored, plugin -> false), values, Map.of());
    }

    private static String plugin(String key) {
        return key.substring(0, key.indexOf('/'));
    }

    /** The values without those of a plugin, which begins anew. */
    public StateValues without(String plugin) {
        Map<PluginState<?, ?>, Object> left = new HashMap<>(values);
        left.keySet().removeIf(state -> plugin(base.plugins.key(state)).equals(plugin));
        Map<String, List<Json>> more = new HashMap<>(waiting);
        more.keySet().removeIf(key -> plugin(key).equals(plugin));
        return new StateValues(
                new Base(base.plugins, without(base.kept, plugin), base.restored, base.reset), left, more);
    }

    /** What a session keeps, without the states of a plugin. */
    public static @Nullable Json without(@Nullable Json kept, String plugin) {
        return kept == null || !has(kept, plugin) ? kept : Json.write(out -> {
            out.beginObject();
            kept.fields().forEach((key, form) -> {
                if (!plugin(key).equals(plugin)) {
                    out.name(key).value(form);
                }
            });
            out.endObject();
        });
    }

    /** Whether a session keeps a state of a plugin. */
    public static boolean has(@Nullable Json kept, String plugin) {
        return kept != null && kept.fields().keySet().stream().anyMatch(key -> plugin(key).equals(plugin));
    }

    private static <T> T named(String key, Supplier<T> restore) {
        try {
            return restore.get();
        } catch (BelayException e) {
            if (e.code().equals("resource_limit")) {
                throw e;
            }
            throw new NotRestoredException(plugin(key), e);
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) { // of an upgrade, of apply, or of a form that is none
            throw new NotRestoredException(plugin(key), e);
        }
    }

    private static <S, C> S restored(PluginState<S, C> state, Json form,
            Function<Reference, Optional<byte[]>> contents) {
        Json first = form.get(CONTENT).isPresent()
                ? content(state, form, contents)
                : form.get("value").orElse(null); // none if its changes were recorded before it was ever kept
        S value = first == null
                ? state.initial()
                : state.decode(RecordReader.field(form, "v").asInt(), first);
        for (Json change : RecordReader.items(form, "waiting")) {
            value = state.apply(value, state.decodeChange(change));
        }
        return value;
    }

    private static Json content(PluginState<?, ?> state, Json form,
            Function<Reference, Optional<byte[]>> contents) {
        var named = new Reference(RecordReader.text(form, CONTENT), TYPE,
                RecordReader.field(form, "size").asLong());
        return Json.of(new String(contents.apply(named)
                .orElseThrow(() -> new BelayException("plugin_not_restored",
                        "the content of state " + state.name() + " is not in the store: " + named.hash())),
                StandardCharsets.UTF_8));
    }

    /** The value of a state; {@code unknown_plugin_state} if none has registered it. */
    @SuppressWarnings("unchecked")
    public <S> S get(PluginState<S, ?> state) {
        Object value = values.get(state);
        if (value == null) {
            base.plugins.key(state);
            return state.initial();
        }
        return (S) value;
    }

    /** The values after a change. */
    public <S, C> StateValues with(PluginState<S, C> state, C change) {
        S next = state.apply(get(state), change);
        String text = state.encode(next).text();
        int size = text.length() > MOST / 3 && text.length() <= MOST // no UTF-16 unit takes more than three bytes
                ? text.getBytes(StandardCharsets.UTF_8).length
                : text.length();
        if (size > MOST) {
            throw new BelayException("resource_limit", "state " + base.plugins.key(state)
                    + " would have at least " + size + " bytes as JSON; it may have " + MOST
                    + ". Keep what is large as an attachment");
        }
        Map<PluginState<?, ?>, Object> changed = new HashMap<>(values);
        changed.put(state, next);
        return new StateValues(base, changed, waiting);
    }

    /** The change as it is recorded. */
    public <S, C> Json recorded(PluginState<S, C> state, C change) {
        String key = base.plugins.key(state);
        return new StateChange(key.substring(0, key.indexOf('/')), state.name(), false,
                state.encodeChange(change)).toJson();
    }

    /** The values after a recorded change; the same after an event. */
    public StateValues with(StateChange change) {
        if (change.isEvent()) {
            return this;
        }
        String key = SessionPlugins.key(change.plugin(), change.name());
        PluginState<?, ?> state = base.plugins.states.get(key);
        if (state != null) {
            try {
                return named(key, () -> applied(state, change.data()));
            } catch (NotRestoredException e) {
                if (!base.reset.test(e.plugin())) {
                    throw e;
                }
                return this;
            }
        }
        Map<String, List<Json>> more = new HashMap<>(waiting);
        var changes = new ArrayList<>(more.getOrDefault(key, List.of()));
        changes.add(change.data());
        more.put(key, changes);
        return new StateValues(base, values, more);
    }

    private <S, C> StateValues applied(PluginState<S, C> state, Json change) {
        return with(state, state.decodeChange(change));
    }

    /** The values after all state changes among recorded changes. */
    public StateValues with(List<Json> changes) {
        StateValues now = this;
        for (Json change : changes) {
            now = StateChange.of(change).map(now::with).orElse(now);
        }
        return now;
    }

    /**
     * What a session keeps, or null for nothing; the same object if nothing has changed.
     *
     * @param contents keeps values by content
     */
    @SuppressWarnings("ReferenceEquality") // a value that no change has touched is the same object
    public @Nullable Json kept(Supplier<Attachments> contents) {
        var all = new TreeMap<String, Json>();
        if (base.kept != null) {
            all.putAll(base.kept.fields());
        }
        boolean changed = false;
        for (Map.Entry<PluginState<?, ?>, Object> one : values.entrySet()) {
            if (base.restored.get(one.getKey()) == one.getValue()) {
                continue;
            }
            Json form = form(one.getKey(), one.getValue(), contents);
            Json before = all.put(base.plugins.key(one.getKey()), form);
            changed |= before == null || !before.equals(form);
        }
        for (Map.Entry<String, List<Json>> one : waiting.entrySet()) {
            all.put(one.getKey(), later(all.get(one.getKey()), one.getValue()));
            changed = true;
        }
        return changed ? Json.write(out -> {
            out.beginObject();
            all.forEach((key, form) -> out.name(key).value(form));
            out.endObject();
        }) : base.kept;
    }

    @SuppressWarnings("unchecked")
    private static <S> Json form(PluginState<S, ?> state, Object value, Supplier<Attachments> contents) {
        Json encoded = state.encode((S) value);
        Reference content = LargeResult.of(encoded)
                .map(large -> contents.get().put(large.bytes(), TYPE))
                .orElse(null);
        return Json.write(out -> {
            out.beginObject().name("v").value(state.version());
            if (content == null) {
                out.name("value").value(encoded);
            } else {
                out.name(CONTENT).value(content.hash()).name("size").value(content.size());
            }
            out.endObject();
        });
    }

    /** The kept form of an absent plugin's state with more changes. */
    private static Json later(@Nullable Json form, List<Json> changes) {
        return Json.write(out -> {
            out.beginObject();
            var all = new ArrayList<Json>();
            if (form != null) {
                form.fields().forEach((name, value) -> {
                    if (name.equals("waiting")) {
                        all.addAll(value.items());
                    } else {
                        out.name(name).value(value);
                    }
                });
            }
            all.addAll(changes);
            out.name("waiting").value(Json.array(all)).endObject();
        });
    }
}

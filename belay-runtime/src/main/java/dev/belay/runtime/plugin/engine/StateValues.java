package dev.belay.runtime.plugin.engine;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.store.journal.RecordReader;
import dev.belay.tool.context.PluginState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The states of a session's plugins. Immutable: a change gives other values, which share the rest. The state of a plugin that is not
 * there is kept as it is, with the changes that were recorded since, and returns with the plugin.
 */
public final class StateValues {

    /** How large the kept form of a value may be. */
    static final int MOST = 1 << 20;

    private final SessionPlugins plugins;
    /** What was kept, by key, in its kept form; null for nothing. */
    private final @Nullable Json kept;
    private final Map<PluginState<?, ?>, Object> values;
    /** Changes of states whose plugin is not there, since. */
    private final Map<String, List<Json>> waiting;

    private StateValues(SessionPlugins plugins, @Nullable Json kept, Map<PluginState<?, ?>, Object> values,
            Map<String, List<Json>> waiting) {
        this.plugins = plugins;
        this.kept = kept;
        this.values = values;
        this.waiting = waiting;
    }

    /**
     * The states that a session has; {@code plugin_not_restored} if a plugin cannot read its own.
     *
     * @param kept null for a session that has none
     */
    public static StateValues of(SessionPlugins plugins, @Nullable Json kept) {
        var start = new StateValues(plugins, kept, Map.of(), Map.of());
        if (kept == null || plugins.states.isEmpty()) {
            return start;
        }
        Map<PluginState<?, ?>, Object> values = new HashMap<>();
        plugins.states.forEach((key, state) -> kept.get(key)
                .ifPresent(form -> named(key, () -> values.put(state, restored(state, form)))));
        return new StateValues(plugins, kept, values, Map.of());
    }

    private static String plugin(String key) {
        return key.substring(0, key.indexOf('/'));
    }

    /** The values without those of a plugin, which begins anew. */
    public StateValues without(String plugin) {
        Map<PluginState<?, ?>, Object> left = new HashMap<>(values);
        left.keySet().removeIf(state -> plugin(plugins.key(state)).equals(plugin));
        Map<String, List<Json>> more = new HashMap<>(waiting);
        more.keySet().removeIf(key -> plugin(key).equals(plugin));
        return new StateValues(plugins, without(kept, plugin), left, more);
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

    private static <T> T named(String key, java.util.function.Supplier<T> restore) {
        try {
            return restore.get();
        } catch (BelayException e) {
            if (e.code().equals("resource_limit")) {
                throw e;
            }
            throw new NotRestoredException(plugin(key), e);
        } catch (RuntimeException e) { // of an upgrade, of apply, or of a form that is none
            throw new NotRestoredException(plugin(key), e);
        }
    }

    private static <S, C> S restored(PluginState<S, C> state, Json form) {
        Json first = form.get("value").orElse(null); // none if its changes were recorded before it was ever kept
        S value = first == null
                ? state.initial()
                : state.decode(RecordReader.field(form, "v").asInt(), first);
        for (Json change : RecordReader.items(form, "waiting")) {
            value = state.apply(value, state.decodeChange(change));
        }
        return value;
    }

    /** The value of a state; {@code unknown_plugin_state} if none has registered it. */
    @SuppressWarnings("unchecked")
    public <S> S get(PluginState<S, ?> state) {
        Object value = values.get(state);
        if (value == null) {
            plugins.key(state);
            return state.initial();
        }
        return (S) value;
    }

    /** The values after a change. */
    public <S, C> StateValues with(PluginState<S, C> state, C change) {
        S next = state.apply(get(state), change);
        int size = state.encode(next).text().length();
        if (size > MOST) {
            throw new BelayException("resource_limit", "state " + plugins.key(state) + " would have " + size
                    + " characters; it may have " + MOST + ". Keep what is large as an attachment");
        }
        Map<PluginState<?, ?>, Object> changed = new HashMap<>(values);
        changed.put(state, next);
        return new StateValues(plugins, kept, changed, waiting);
    }

    /** The change as it is recorded. */
    public <S, C> Json recorded(PluginState<S, C> state, C change) {
        String key = plugins.key(state);
        return new StateChange(key.substring(0, key.indexOf('/')), state.name(), false,
                state.encodeChange(change)).toJson();
    }

    /** The values after a recorded change; the same after an event. */
    public StateValues with(StateChange change) {
        if (change.isEvent()) {
            return this;
        }
        String key = SessionPlugins.key(change.plugin(), change.name());
        PluginState<?, ?> state = plugins.states.get(key);
        if (state != null) {
            return named(key, () -> applied(state, change.data()));
        }
        Map<String, List<Json>> more = new HashMap<>(waiting);
        var changes = new ArrayList<>(more.getOrDefault(key, List.of()));
        changes.add(change.data());
        more.put(key, changes);
        return new StateValues(plugins, kept, values, more);
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

    /** What a session keeps, or null for nothing; the same object if nothing has changed. */
    public @Nullable Json kept() {
        var all = new TreeMap<String, Json>();
        if (kept != null) {
            all.putAll(kept.fields());
        }
        boolean changed = false;
        for (Map.Entry<PluginState<?, ?>, Object> one : values.entrySet()) {
            Json form = form(one.getKey(), one.getValue());
            Json before = all.put(plugins.key(one.getKey()), form);
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
        }) : kept;
    }

    @SuppressWarnings("unchecked")
    private static <S> Json form(PluginState<S, ?> state, Object value) {
        return Json.write(out -> out.beginObject()
                .name("v")
                .value(state.version())
                .name("value")
                .value(state.encode((S) value))
                .endObject());
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

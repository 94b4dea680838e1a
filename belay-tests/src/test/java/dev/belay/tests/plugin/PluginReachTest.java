package dev.belay.tests.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.runtime.BelayClient;
import dev.belay.runtime.dispatch.ToolDispatcher;
import dev.belay.runtime.effect.EffectHost;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.plugin.CallHook;
import dev.belay.runtime.plugin.Contribution;
import dev.belay.runtime.plugin.Monitor;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.plugin.PluginRegistrar;
import dev.belay.runtime.plugin.SessionPlugin;
import dev.belay.runtime.plugin.TurnHook;
import dev.belay.runtime.process.Processes;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.runtime.store.Store;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Contract O.13: no type that a plugin can reach returns the runtime, a store or a host. */
class PluginReachTest {

    private static final List<Class<?>> FIRST = List.of(PluginFactory.class, SessionPlugin.class,
            PluginRegistrar.class, Contribution.class, CallHook.class, TurnHook.class, Monitor.class,
            SessionToolContext.class);
    private static final List<Class<?>> FORBIDDEN = List.of(BelayClient.class, Session.class,
            Store.class, EffectHost.class,
            EffectScope.class, ToolDispatcher.class, Processes.class);

    private final Map<Class<?>, String> reached = new LinkedHashMap<>();
    private final Deque<Class<?>> next = new ArrayDeque<>();

    private void reach(Type type, String from) {
        switch (type) {
            case Class<?> found -> {
                Class<?> plain = found.isArray() ? found.getComponentType() : found;
                if (plain.getName().startsWith("dev.belay.") && reached.putIfAbsent(plain, from) == null) {
                    next.add(plain);
                }
            }
            case ParameterizedType generic -> {
                reach(generic.getRawType(), from);
                for (Type argument : generic.getActualTypeArguments()) {
                    reach(argument, from);
                }
            }
            case WildcardType wild -> {
                for (Type bound : wild.getUpperBounds()) {
                    reach(bound, from);
                }
            }
            default -> {
            }
        }
    }

    /** What an object of the type returns, and what it hands to code of a plugin. */
    private void follow(Class<?> type) {
        for (Class<?> nested : type.getClasses()) {
            reach(nested, type.getSimpleName());
        }
        for (Method method : type.getMethods()) {
            if (Modifier.isStatic(method.getModifiers()) || method.getDeclaringClass() == Object.class) {
                continue;
            }
            String from = type.getSimpleName() + "." + method.getName();
            reach(method.getGenericReturnType(), from);
            for (Type parameter : method.getGenericParameterTypes()) {
                reach(parameter, from);
            }
        }
    }

    @Test
    void noTypeThatAPluginCanReachReturnsRuntimeStoreOrHost() {
        FIRST.forEach(type -> reach(type, "first"));
        while (!next.isEmpty()) {
            follow(next.poll());
        }
        assertThat(reached).hasSizeGreaterThan(40);
        for (Class<?> forbidden : FORBIDDEN) {
            assertThat(reached.entrySet()).as(forbidden.getSimpleName())
                    .noneMatch(one -> forbidden.isAssignableFrom(one.getKey()));
        }
    }
}

package dev.belay.tests.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelRequest;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.plugin.PluginSession;
import dev.belay.runtime.plugin.SessionPlugin;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.tests.session.SessionBench;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** What tests of plugins share: a model that hears every request, and the events of plugins. */
public final class PluginBench {

    final List<ModelRequest> requests = new CopyOnWriteArrayList<>();
    final List<String> told = new CopyOnWriteArrayList<>();
    private final AtomicInteger committed = new AtomicInteger();
    /** Where this thread's tests keep sessions; none for memory. */
    private static final ThreadLocal<Path> FOLDER = new ThreadLocal<>();
    private static final AtomicInteger FILES = new AtomicInteger();

    /** Lets tests of this class keep sessions on files. */
    interface OnFile {

        @BeforeEach
        default void onFile(@TempDir Path folder) {
            FOLDER.set(folder);
        }

        @AfterEach
        default void inMemory() {
            FOLDER.remove();
        }
    }

    /** A runtime with a store of its own. */
    static BelayBuilder builder() {
        Path folder = FOLDER.get();
        BelayBuilder builder = Belay.builder();
        return folder == null
                ? builder
                : builder.store(JdbcStore.sqlite(folder.resolve(FILES.incrementAndGet() + ".db")));
    }

    /** A model that makes calls, message by message, and then says what it has read, in every turn. */
    @SafeVarargs
    final Model calling(List<CallPart>... rounds) {
        return SessionBench.model(request -> {
            requests.add(request);
            long asked = request.messages()
                    .stream()
                    .filter(Message.AssistantMessage.class::isInstance)
                    .count();
            int at = (int) (asked % (rounds.length + 1));
            return at < rounds.length
                    ? SessionBench.calls(rounds[at])
                    : SessionBench.text("done: " + SessionBench.lastReplies(request));
        });
    }

    /** The events of plugins, once so many turns were committed: listeners are told on threads of their own. */
    List<String> toldBy(int commits) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (committed.get() < commits) {
            assertThat(System.nanoTime()).as("waits for %s commits, told %s", commits, told).isLessThan(end);
            LockSupport.parkNanos(SessionBench.A_MOMENT);
        }
        return List.copyOf(told);
    }

    void hear(TurnEvent event) {
        if (event instanceof TurnEvent.Committed) {
            committed.incrementAndGet();
        }
        if (event instanceof TurnEvent.Plugin said) {
            told.add(said.plugin() + " " + said.name() + " " + said.data());
        }
    }

    /** A plugin that is a function of its session. */
    static PluginFactory built(String id, Function<PluginSession, SessionPlugin> build) {
        return new PluginFactory() {
            @Override
            public String id() {
                return id;
            }

            @Override
            public SessionPlugin build(PluginSession session) {
                return build.apply(session);
            }
        };
    }

    /** A plugin that registers the same in every session. */
    public static PluginFactory plugin(String id, SessionPlugin plugin) {
        return built(id, session -> plugin);
    }

    /** The system text of a request; empty for none. */
    static String system(ModelRequest request) {
        return request.messages().getFirst() instanceof Message.SystemMessage(String text) ? text : "";
    }

    Belay open(Model model, PluginFactory... plugins) {
        var builder = builder().model(model).listener((session, event) -> hear(event));
        for (PluginFactory plugin : plugins) {
            builder.plugin(plugin);
        }
        return builder.build();
    }
}

package dev.belay.tests.session;

import static dev.belay.tests.session.Desk.LOOK;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.roundsSinceUser;
import static dev.belay.tests.session.SessionBench.text;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.Model;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.effect.Journal.Written;
import dev.belay.runtime.memory.InMemorySessions;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.store.SessionStore;
import dev.belay.tests.Intercepted;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a body has read is recorded before a model or a program is told (decision 0016). */
@Timeout(60)
class RecordedFirstTest {

    private final List<String> order = new CopyOnWriteArrayList<>();

    /** A store whose records take until somebody waits for them. */
    @SuppressWarnings("unchecked")
    private SessionStore store() {
        return Intercepted.store(new InMemorySessions().open(), (method, arguments, real) -> {
            Object answer = real.call();
            return !method.equals("writing") ? answer : (Supplier<Written>) () -> {
                order.add("recorded");
                return ((Supplier<Written>) answer).get();
            };
        });
    }

    private Model asking(CallPart... looks) {
        return model(request -> {
            order.add("asked");
            return roundsSinceUser(request) == 0 ? calls(List.of(looks)) : text("done");
        });
    }

    @Test
    void aModelIsShownOnlyWhatIsRecorded() throws Exception {
        var tools = StaticToolProvider.builder().raw(tool("look", ToolEffect.READ), (in, context) -> {
            order.add("read");
            return "sky";
        }).build();
        try (Belay belay = Belay.builder().model(asking(LOOK)).tools(tools).store(store()).build()) {
            belay.session("s").turn("Go.").run();
        }
        assertThat(order).containsExactly("asked", "read", "recorded", "asked");
    }

    @Test
    void aLoopOfOnesOwnIsToldOnlyWhatIsRecorded() {
        var desk = new Desk();
        try (Belay belay = Belay.builder().model(asking(LOOK)).store(store()).build();
                OpenTurn turn = belay.session("s").begin("Go.", "in")) {
            desk.execute(Desk.round(turn).expectOne());
            order.add("told");
        }
        assertThat(order).containsExactly("asked", "recorded", "told");
    }
}

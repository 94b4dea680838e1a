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
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.Pending;
import dev.belay.runtime.store.journal.Written;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.tests.Intercepted;
import dev.belay.tests.LateWriting;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a body has read is recorded before a model or a program is told (decision 0016). */
@Timeout(60)
class RecordedFirstTest {

    private final List<String> order = new CopyOnWriteArrayList<>();

    /** A store whose records take until somebody waits for them. */
    private Store store() {
        return Intercepted.store(new SharedMemory().open(), (what, real) -> {
            Object answer = Objects.requireNonNull(real.call());
            return !what.startsWith("begin effect ") ? answer : LateWriting.of(order, () -> {
                order.add("recorded");
                return (Written) ((Pending<?>) answer).await();
            });
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

    @Test
    void whoeverListensToATurnHearsOfItsCommitHoweverEarlyItsEndIsSeen() throws Exception {
        var committed = new CountDownLatch(1);
        var seen = new CountDownLatch(1);
        Store store = Intercepted.store(new SharedMemory().open(), (what, real) -> {
            boolean isState = what.contains("scope_result ");
            if (isState) {
                committed.await(); // the listener looks when the end is there
            }
            Object answer = real.call();
            if (isState) {
                seen.countDown();
            } else if (what.startsWith("commit ")) {
                committed.countDown();
                seen.await(); // and before anybody is told
            }
            return answer;
        });
        try (Belay belay = Belay.builder().model(model(request -> text("done"))).store(store).build()) {
            belay.session("s").turn("Go.").stream(event -> order.add(event.getClass().getSimpleName()));
        }
        assertThat(order).endsWith("Committed");
    }
}

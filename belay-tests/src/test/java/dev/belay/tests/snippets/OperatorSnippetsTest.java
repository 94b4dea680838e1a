package dev.belay.tests.snippets;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.lastReplies;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.roundsSinceUser;
import static dev.belay.tests.session.SessionBench.text;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.Message.UserMessage;
import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.operate.SessionEntry;
import dev.belay.runtime.operate.SessionFilter;
import dev.belay.runtime.session.InputHandle;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The code of {@code docs/operations.md} does what the page says. */
@Timeout(60)
class OperatorSnippetsTest {

    /** Calls the tool that its input names, and says what it read; other inputs are answered at once. */
    private static final Model MODEL = model(request -> {
        String last = ((UserMessage) request.messages()
                .stream()
                .filter(UserMessage.class::isInstance)
                .reduce((one, two) -> two)
                .orElseThrow()).text();
        boolean calls = last.equals("ask_person") || last.equals("pay");
        return calls && roundsSinceUser(request) == 0
                ? calls(List.of(call("c", last)))
                : text(calls ? lastReplies(request) : "done");
    });

    @TempDir
    private Path folder;
    private Belay belay = Belay.builder().build();

    @BeforeEach
    void open() {
        belay = Belay.builder()
                .model(MODEL)
                .parkAfter(Duration.ZERO)
                .store(JdbcStore.sqlite(folder.resolve("belay.db")))
                .tools(StaticToolProvider.builder()
                        .raw(tool("ask_person", ToolEffect.READ), (arguments, context) -> {
                            context.completionKey();
                            return ToolResult.pending();
                        })
                        .raw(tool("pay", ToolEffect.ONCE), (arguments, context) -> {
                            throw new InternalError("the machine fails");
                        })
                        .build())
                .build();
    }

    @AfterEach
    void close() {
        belay.close();
    }

    /** A wait is listed while its turn is still about to park. */
    private void awaitPending() {
        while (belay.pending(null, 1).items().isEmpty()
                || belay.sessions(SessionFilter.ALL.state(SessionEntry.State.WAITING), null, 1)
                        .items()
                        .isEmpty()) {
            LockSupport.parkNanos(SessionBench.A_MOMENT);
        }
    }

    @Test
    void inputOfTheClientIsAnsweredByTheWorker() throws Exception {
        OperatorSnippets.look(folder.resolve("belay.db"));
        while (belay.session("order-42").head().filter(head -> head.revision() == 1).isEmpty()) {
            LockSupport.parkNanos(SessionBench.A_MOMENT);
        }
        assertThat(belay.session("order-42").messages()).hasSize(2);
    }

    @Test
    void parkedCallIsAnsweredByItsKeyThatWasLost() throws Exception {
        InputHandle input = belay.session("s").turn("ask_person").submit();
        awaitPending();
        OperatorSnippets.answerForAnna(belay);
        assertThat(input.awaitCommit().text()).isEqualTo("yes");
    }

    @Test
    void turnIsGivenUpOnce() throws Exception {
        for (int turn = 1; turn < 7; turn++) {
            belay.session("order-42").turn("Go.").run();
        }
        belay.session("order-42").turn("ask_person").submit();
        awaitPending();
        assertThat(OperatorSnippets.giveUp(belay)).isEqualTo("abandoned");
        assertThat(OperatorSnippets.giveUp(belay)).isEqualTo("it had ended before");
    }

    @Test
    void inputThatWaitsBehindAParkedTurnIsTakenBack() throws Exception {
        belay.session("s").turn("ask_person").submit();
        awaitPending();
        belay.session("s").turn("Go.").id("second").submit();
        assertThat(OperatorSnippets.takeBack(belay, "s", "second")).isEqualTo("no further round takes it");
        assertThat(belay.session("s").input("second")).isEmpty();
        assertThat(OperatorSnippets.takeBack(belay, "s", "second")).contains("second");
    }

    @Test
    void doubtIsSettledByWhatTheServiceKnows() throws Exception {
        assertThat(belay.session("s").turn("pay").run().ended().doubts()).hasSize(1);
        OperatorSnippets.askAgain(belay);
        assertThat(belay.doubts().open(0, 9)).as("its tool has no reconciler").hasSize(1);
        OperatorSnippets.settle(belay, key -> Optional.of("receipt 7"));
        assertThat(belay.doubts().open(0, 9)).isEmpty();
        assertThat(belay.session("s").messages().toString()).doesNotContain("receipt 7");
        belay.session("s").turn("So?").run();
        assertThat(belay.session("s").messages().toString()).contains("receipt 7");
    }
}

package dev.belay.tests.output;

import static dev.belay.tests.output.OutputBench.LINES;
import static dev.belay.tests.output.OutputBench.handle;
import static dev.belay.tests.output.OutputBench.replies;
import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.lastReplies;
import static dev.belay.tests.session.SessionBench.roundsSinceUser;
import static dev.belay.tests.session.SessionBench.text;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.Model;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.output.ToolOutputBudgetConfig;
import dev.belay.runtime.plugin.OutputBudgetPlugin;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.tests.session.Crashes;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolProvider;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Contract M.5: a process dies at every write of a turn whose outputs are cut; the views are those of the record. */
@Timeout(300)
class OutputCrashTest {

    /** Dumps twice, reads the end of the first dump by its handle, and says it. */
    private static Model model() {
        return SessionBench.model(request -> switch (roundsSinceUser(request)) {
            case 0 -> calls(List.of(call("a", "dump"), call("b", "once")));
            case 1 -> calls(List.of(new CallPart("c", "read_output",
                    "{\"handle\":\"" + handle(lastReplies(request)) + "\",\"from\":50000}")));
            default -> text(lastReplies(request));
        });
    }

    private static ToolProvider tools() {
        return StaticToolProvider.builder()
                .raw(tool("dump", ToolEffect.READ), (in, context) -> LINES)
                .raw(tool("once", ToolEffect.ONCE), (in, context) -> "o".repeat(30_000))
                .build();
    }

    private static final class Dumping implements Crashes.Scenario<String> {

        @Override
        public Model model() {
            return OutputCrashTest.model();
        }

        @Override
        public BelayBuilder with(BelayBuilder builder) {
            return builder.tools(tools());
        }

        @Override
        public void begin(Belay belay) {
            belay.session("s").turn("Go.").id("in").submit();
        }

        @Override
        public String end(Belay belay) throws Exception {
            Session session = belay.session("s");
            String said = session.input("in").orElseThrow().await().text();
            List<String> shown = replies(session.messages());
            return said + "|" + session.output(handle(shown.getFirst())).map(LINES::equals).orElse(false)
                    + "|"
                    + shown.stream().map(text -> text.replaceFirst("out-[0-9]+-[0-9a-f]+", "H")).toList();
        }
    }

    @Test
    void whereverTheProcessDiesTheModelIsShownTheSame() throws Exception {
        List<Crashes.Play<String>> plays = new Crashes<>(Dumping::new).play();
        assertThat(plays).hasSizeGreaterThan(20);
        assertThat(plays.stream().filter(play -> play.where().contains("keep "))).as("deaths while keeping")
                .isNotEmpty();
        String first = plays.getFirst().end();
        assertThat(first).startsWith("Lines 50000 to 50000 of 50000\nline 50000|true|[line 1\nline 2\n");
        // a ONCE call whose process died is in doubt: it has another text, which is not cut
        assertThat(plays).allSatisfy(play -> assertThat(play.end()).as(play.where())
                .startsWith("Lines 50000 to 50000 of 50000\nline 50000|true|[line 1\nline 2\n")
                .contains("...49604 lines truncated...\n\nFull output: read_output(\"H\")"));
    }

    @Test
    void aKilledTurnFinishedUnderAnotherBudgetShowsNoMismatch() throws Exception {
        try (var bench = new SessionBench()) {
            SessionBench.Dying dying = bench.dying(model(),
                    SessionBench.Death.at(Moment.AFTER, "effect round/2 COMPLETED"),
                    builder -> builder.tools(tools()));
            try {
                dying.belay.session("s").turn("Go.").id("in").submit();
            } catch (StackOverflowError dead) {
                // it dies while it answers
            }
            dying.awaitDeath();
            Belay next = bench.open(model(), builder -> builder.tools(tools())
                    .configurePlugins(stack -> stack
                            .replace(
                                    new OutputBudgetPlugin(ToolOutputBudgetConfig.DEFAULT.withMaxLines(5)))));
            Session session = next.session("s");
            assertThat(session.input("in").orElseThrow().await().text()).endsWith("\nline 50000");
            assertThat(next.stuck()).isEmpty();
            assertThat(replies(session.messages()).getFirst()).as("what was recorded")
                    .contains("\nline 396\n\n...49604 lines truncated...");
        }
    }
}

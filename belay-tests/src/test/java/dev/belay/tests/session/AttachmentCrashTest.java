package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.session.TurnResult;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.context.Attachments.Reference;
import dev.belay.tool.option.Scheduling;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process dies at every write of a turn whose calls keep something, at every moment of it (T.4, L.6). */
@Timeout(300)
class AttachmentCrashTest {

    private static final Reference ABC = new Reference(
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", "text/plain", 3);

    /**
     * A plain call puts, then a resumable one puts the same and more around a step, then a third one reads both. Side by side two puts of
     * the same content are one write or two.
     */
    private static final class Keeping implements CrashedTurns.Scenario {

        @Override
        public Model model() {
            return calling(List.of(call("a", "plain"), call("b", "steps"), call("c", "read")));
        }

        @Override
        public BelayBuilder with(BelayBuilder builder) {
            return builder.tools(StaticToolProvider.builder()
                    .raw(tool("plain", ToolEffect.READ),
                            (in, context) -> context.attachments().put(bytes("abc"), "text/plain").hash())
                    .raw(tool("steps", ToolEffect.IDEMPOTENT).resumable(true)
                            .scheduling(Scheduling.SERIAL), (in, context) -> {
                                Reference first = context.attachments().put(bytes("abc"), "text/plain");
                                context.durable().run("between", Json.NULL, input -> Json.TRUE);
                                Reference second = context.attachments()
                                        .put(bytes("d".repeat(70_000)), "text/plain");
                                return first.size() + second.size();
                            })
                    .raw(tool("read", ToolEffect.READ).scheduling(Scheduling.SERIAL),
                            (in, context) -> new String(context.attachments().get(ABC),
                                    StandardCharsets.UTF_8))
                    .build());
        }

        private static byte[] bytes(String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public void begin(Belay belay) {
            belay.session("s").turn("Keep it.").id("in").submit();
        }

        @Override
        public TurnResult.Ended end(Belay belay) throws Exception {
            return belay.session("s").input("in").orElseThrow().awaitCommit();
        }

        @Override
        public String evidence(Belay belay) throws Exception {
            return belay.session("s").turn("Again.").id("again").run().ended().text();
        }
    }

    @Test
    void whereverTheProcessDiesTheTurnAndTheNextOneReadWhatWasKept() throws Exception {
        List<CrashedTurns.Play> plays = new CrashedTurns(Keeping::new).play();
        assertThat(plays).hasSizeGreaterThan(20);
        assertThat(plays.stream().filter(play -> play.where().contains("keep "))).as("deaths while keeping")
                .hasSizeGreaterThanOrEqualTo(6);
        String expected = "done: " + ABC.hash() + ", 70003, abc";
        assertThat(plays).allSatisfy(play -> {
            assertThat(play.result().text()).as(play.where()).isEqualTo(expected);
            assertThat(play.evidence()).as(play.where()).isEqualTo(expected);
        });
    }
}

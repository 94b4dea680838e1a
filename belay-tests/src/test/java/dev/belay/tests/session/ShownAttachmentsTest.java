package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.lastReplies;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.roundsSinceUser;
import static dev.belay.tests.session.SessionBench.text;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.model.Message;
import dev.belay.model.Message.UserMessage;
import dev.belay.model.Model;
import dev.belay.model.ModelRequest;
import dev.belay.model.Part.FilePart;
import dev.belay.model.Part.ImagePart;
import dev.belay.model.Part.Source;
import dev.belay.model.Part.TextPart;
import dev.belay.model.Part.UserPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.tests.session.SessionBench.Death;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolBody;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.context.Attachments.Reference;
import dev.belay.tool.context.DirectModel.DirectRequest;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Contract T.2: what a body keeps can be shown to a model that it asks; the record does not hold it. */
@Timeout(120)
class ShownAttachmentsTest {

    private static final byte[] PICTURE = {1, 2, 3, 4, 5};
    private static final byte[] PAPER = {'a', 'b', 'c'};

    private final SessionBench bench = new SessionBench();
    /** Questions that bodies have asked. */
    private final List<ModelRequest> asked = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        bench.close();
    }

    /** Calls the tool once, says what it answered, and answers questions of the tool itself. */
    private Model asking() {
        return model(request -> {
            if (request.tools().isEmpty()) {
                asked.add(request);
                return text("a cat");
            }
            return roundsSinceUser(request) == 0
                    ? calls(List.of(call("a", "act")))
                    : text(lastReplies(request));
        });
    }

    private static StaticToolProvider acting(boolean resumable, ToolBody<Json, ?> body) {
        return StaticToolProvider.builder()
                .raw(tool("act", ToolEffect.IDEMPOTENT).resumable(resumable), body)
                .build();
    }

    private String act(ToolBody<Json, ?> body) throws Exception {
        Belay belay = bench.open(asking(), builder -> builder.tools(acting(false, body)));
        return belay.session("s").turn("Act.").run().ended().text();
    }

    private List<UserPart> shown(int message) {
        return ((UserMessage) asked.getFirst().messages().get(message)).parts();
    }

    @Test
    void anImageIsShownAsAnImageAndAnythingElseAsAFile() throws Exception {
        assertThat(act((in, context) -> {
            Reference picture = context.attachments().put(PICTURE, "image/png");
            Reference paper = context.attachments().put(PAPER, "application/pdf");
            return context.model()
                    .complete(DirectRequest.of(Message.user("What is this?"))
                            .withAttachments(List.of(picture, paper)), "act")
                    .text();
        })).isEqualTo("a cat");
        assertThat(shown(0)).containsExactly(new TextPart("What is this?"),
                new ImagePart("image/png", new Source.Inline("AQIDBAU=")),
                new FilePart("application/pdf", "attachment-ba7816bf8f01.pdf", new Source.Inline("YWJj")));
    }

    @Test
    void theyStandBesideTheLastThingThatTheUserSays() throws Exception {
        act((in, context) -> context.model()
                .complete(DirectRequest.of(Message.system("Be short."), Message.user("Hello."),
                        Message.assistant("Hello."), Message.user("What is this?"))
                        .withAttachments(List.of(context.attachments().put(PICTURE, "IMAGE/png"))), "act")
                .text());
        assertThat(shown(1)).containsExactly(new TextPart("Hello."));
        assertThat(shown(3)).hasSize(2).last().isInstanceOf(ImagePart.class);
    }

    @Test
    void aTypeWithParametersIsAFileWithoutAnEnding() throws Exception {
        act((in, context) -> context.model()
                .complete(DirectRequest.of(Message.user("Read."))
                        .withAttachments(
                                List.of(context.attachments().put(PAPER, "text/plain; charset=utf-8"))),
                        "act")
                .text());
        assertThat(shown(0)).last()
                .isEqualTo(new FilePart("text/plain; charset=utf-8", "attachment-ba7816bf8f01",
                        new Source.Inline("YWJj")));
    }

    @Test
    void nothingIsAskedAboutWhatIsNotKept() throws Exception {
        assertThat(act((in, context) -> context.model()
                .complete(DirectRequest.of(Message.user("What is this?"))
                        .withAttachments(List.of(new Reference("0".repeat(64), "image/png", 5))), "act")
                .text())).startsWith("Error (unknown_attachment)");
        assertThat(asked).isEmpty();
    }

    /** A resumable body that asks about a picture and then waits for the world. */
    private static StaticToolProvider waiting(LinkedBlockingQueue<String> tokens) {
        return acting(true, (in, context) -> {
            Reference picture = context.attachments().put(PICTURE, "image/png");
            String seen = context.model()
                    .complete(DirectRequest.of(Message.user("What is this?"))
                            .withAttachments(List.of(picture)), "act")
                    .text();
            var event = context.durable().externalEventKey("go");
            tokens.add(event.token());
            return seen + context.durable().awaitEvent(event).asString();
        });
    }

    @Test
    void inAResumableBodyTheAnswerIsRecordedAndThePictureIsNot() throws Exception {
        var tokens = new LinkedBlockingQueue<String>();
        var sessions = new SharedMemory();
        try (Belay belay = Belay.builder()
                .model(asking())
                .tools(waiting(tokens))
                .parkAfter(Duration.ZERO)
                .store(sessions.open())
                .build()) {
            var handle = belay.session("s").turn("Act.").submit();
            belay.resolve(tokens.take(), Resolution.ok(Json.string("!")));
            assertThat(handle.awaitCommit().text()).isEqualTo("a cat!");
            assertThat(asked).as("a step, so it is asked once").hasSize(1);
            var scope = TurnScope.id(belay.session("s").head().orElseThrow().incarnation(), 1);
            try (var store = new StoreDriver(sessions.open())) {
                String records = String.valueOf(store.effects(scope));
                assertThat(records).contains("model/1", "a cat")
                        .doesNotContain(Base64.getEncoder().encodeToString(PICTURE));
            }
        }
    }

    @Test
    void aQuestionThatIsAskedAgainAfterACrashShowsThePictureAgain() throws Exception {
        var tokens = new LinkedBlockingQueue<String>();
        var death = Death.at(Moment.BEFORE, "effect round/1/call/0/step/1/model/1 COMPLETED");
        var dying = bench.dying(asking(), death,
                builder -> builder.tools(waiting(tokens)).parkAfter(Duration.ZERO));
        dying.belay.session("s").turn("Act.").id("in").submit();
        dying.awaitDeath();
        Belay next = bench.open(asking(), builder -> builder.tools(waiting(tokens)).parkAfter(Duration.ZERO));
        next.resolve(tokens.take(), Resolution.ok(Json.string("!")));
        assertThat(next.session("s").input("in").orElseThrow().awaitCommit().text()).isEqualTo("a cat!");
        assertThat(asked).hasSize(2)
                .allSatisfy(
                        request -> assertThat(((UserMessage) request.messages().getFirst()).parts())
                                .hasSize(2));
    }
}

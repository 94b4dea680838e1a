package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.lastReplies;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.roundsSinceUser;
import static dev.belay.tests.session.SessionBench.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Message.UserMessage;
import dev.belay.model.Model;
import dev.belay.model.ModelRequest;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.plugin.PluginStack;
import dev.belay.runtime.process.ProcessEnd;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolInput;
import dev.belay.tool.Tools;
import dev.belay.tool.context.Attachments.Reference;
import dev.belay.toolset.Step;
import dev.belay.toolset.Toolset;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Contract T.4, M.3: what calls of turns and processes keep, who reads it, and when it goes. In memory and in a file. */
@Timeout(120)
class SessionAttachmentsTest {

    private static final String TEXT = "größer, and longer than a record: " + "x".repeat(70_000);
    private static final Instant FAR = Instant.parse("2200-01-01T00:00:00Z");

    @TempDir
    Path directory;

    private final List<Belay> opened = new ArrayList<>();
    private final SharedMemory memory = new SharedMemory();

    /** Where it is kept. */
    enum Kept {
        IN_MEMORY, IN_A_FILE
    }

    /** Two tools that hand references on through the model. */
    public static final class Files {

        /** Writes a file. */
        @Tool(effect = ToolEffect.IDEMPOTENT, undescribed = true)
        public Reference write(String text, ToolContext context) {
            return context.attachments().put(text.getBytes(StandardCharsets.UTF_8), "text/plain");
        }

        /** Writes one and breaks. */
        @Tool(effect = ToolEffect.IDEMPOTENT, undescribed = true)
        public Reference drop(String text, ToolContext context) {
            Reference written = write(text, context);
            if (written.size() > 0) {
                throw new IllegalStateException("dropped " + written);
            }
            return written;
        }

        /** Reads one. */
        @Tool(effect = ToolEffect.READ, undescribed = true)
        public String read(Reference file, ToolContext context) {
            return new String(context.attachments().get(file), StandardCharsets.UTF_8);
        }

        /** Lets a session below this one read it. */
        @Tool(effect = ToolEffect.READ, undescribed = true)
        public String delegate(Reference file, SessionToolContext context) throws InterruptedException {
            return context.sessions()
                    .create("below")
                    .turn("t", SessionAttachmentsTest.read(file))
                    .await()
                    .text();
        }
    }

    @AfterEach
    void close() {
        opened.forEach(Belay::close);
    }

    private Store store(Kept kept) {
        return switch (kept) {
            case IN_MEMORY -> memory.open();
            case IN_A_FILE -> JdbcStore.sqlite(directory.resolve("belay.db"));
        };
    }

    private Belay open(Kept kept) {
        Belay belay = Belay.builder()
                .model(obeying())
                .toolMethods(new Files())
                .process("keeper", (context, input) -> {
                    Reference reference = context.attachments()
                            .put(TEXT.getBytes(StandardCharsets.UTF_8), "text/plain");
                    context.awaitSignal("go");
                    return Json.number(context.attachments().get(reference).length);
                })
                .plugins(PluginStack.empty()) // the model sees whole outputs
                .parkAfter(Duration.ZERO)
                .store(store(kept))
                .build();
        opened.add(belay);
        return belay;
    }

    private Belay reopen(Kept kept) {
        opened.forEach(Belay::close);
        return open(kept);
    }

    /** Calls the tool that the user names, with the arguments that the user gives, and says what came of it. */
    private static Model obeying() {
        return model(request -> {
            String[] said = said(request).split(" ", 2);
            return roundsSinceUser(request) == 0
                    ? SessionBench.calls(List.of(new CallPart("a", said[0], said[1])))
                    : text(lastReplies(request));
        });
    }

    private static String said(ModelRequest request) {
        return request.messages()
                .reversed()
                .stream()
                .filter(UserMessage.class::isInstance)
                .map(message -> ((UserMessage) message).text())
                .findFirst()
                .orElseThrow();
    }

    private static String write(String text) {
        return "write " + Json.write(out -> out.beginObject().name("text").value(text).endObject());
    }

    private static String read(Reference reference) {
        return read(Json.write(out -> out.beginObject()
                .name("hash")
                .value(reference.hash())
                .name("mediaType")
                .value(reference.mediaType())
                .name("size")
                .value(reference.size())
                .endObject()).text());
    }

    private static String read(String reference) {
        return "read {\"file\":" + reference + "}";
    }

    private static String run(Session session, String text) throws InterruptedException {
        return session.turn(text).run().ended().text();
    }

    /** Deletes all that can be deleted, on the records of a runtime that is closed meanwhile; how much content went. */
    private int collect(Kept kept) {
        opened.forEach(Belay::close);
        try (Store store = store(kept)) {
            store.collectEffects(FAR);
            return store.collectOutputs(FAR);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aReferenceTravelsThroughTheModelToALaterTurnAfterARestart(Kept kept) throws Exception {
        String reference = run(open(kept).session("s"), write(TEXT));
        assertThat(Json.of(reference).get("size")).contains(Json.number(70_036));
        assertThat(run(reopen(kept).session("s"), read(reference))).isEqualTo(TEXT);
        collect(kept);
        assertThat(run(reopen(kept).session("s"), read(reference))).as("its records are gone")
                .isEqualTo(TEXT);
    }

    @ParameterizedTest
    @EnumSource
    void aProgramReadsWhatACallHasPut(Kept kept) throws Exception {
        Belay belay = open(kept);
        Json put = Json.of(run(belay.session("s"), write("seen")));
        var reference = new Reference(put.get("hash").orElseThrow().asString(), "text/plain", 4);
        assertThat(belay.session("s").attachment(reference)).hasValueSatisfying(
                bytes -> assertThat(bytes).asString(StandardCharsets.UTF_8).isEqualTo("seen"));
        assertThat(belay.session("s").attachment(new Reference(reference.hash(), "text/html", 4))).isEmpty();
        assertThat(belay.session("other").attachment(reference)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void anotherSessionDoesNotReadIt(Kept kept) throws Exception {
        Belay belay = open(kept);
        String reference = run(belay.session("s"), write(TEXT));
        assertThat(run(belay.session("t"), read(reference))).startsWith("Error (unknown_attachment)")
                .contains("in the session, process or batch in which it was put");
        assertThat(run(belay.session("s"), "delegate {\"file\":" + reference + "}"))
                .as("nor does one below it")
                .startsWith("Error (unknown_attachment)");
    }

    @ParameterizedTest
    @EnumSource
    void aReferenceThatTheModelHasMadeUpIsAnAnswerAndNoCrash(Kept kept) throws Exception {
        Session session = open(kept).session("s");
        assertThat(run(session, read(new Reference("0".repeat(64), "text/plain", 5))))
                .startsWith("Error (unknown_attachment)");
        assertThat(run(session, read("{\"hash\":\"x\",\"mediaType\":\"text/plain\",\"size\":5}")))
                .startsWith("Error (invalid_arguments)")
                .contains("/file/hash");
    }

    @ParameterizedTest
    @EnumSource
    void aDeletedSessionTakesItsAttachmentsWithIt(Kept kept) throws Exception {
        run(open(kept).session("s"), write("abc"));
        assertThat(collect(kept)).isZero();
        reopen(kept).session("s").delete();
        assertThat(collect(kept)).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void aForkReadsThePastThatItSharesAfterTheFirstIsDeleted(Kept kept) throws Exception {
        Belay belay = open(kept);
        Session session = belay.session("s");
        String reference = run(session, write("abc"));
        session.fork("fork");
        session.delete();
        assertThat(collect(kept)).isZero();
        assertThat(run(reopen(kept).session("fork"), read(reference))).isEqualTo("abc");
        reopen(kept).session("fork").delete();
        assertThat(collect(kept)).as("nobody is left").isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void anExportCarriesAttachmentsToAnImport(Kept kept) throws Exception {
        Belay belay = open(kept);
        Session session = belay.session("s");
        String reference = run(session, write(TEXT));
        var lines = new StringBuilder();
        session.export(lines);
        Session copy = belay.importSession(new StringReader(lines.toString()), "copy");
        session.delete();
        assertThat(run(copy, read(reference))).isEqualTo(TEXT);
        assertThat(run(copy, write(TEXT))).as("put again, it has the same name").isEqualTo(reference);
    }

    @ParameterizedTest
    @EnumSource
    void aProcessKeepsByItselfAcrossARestart(Kept kept) throws Exception {
        open(kept).processes().start(ProcessStart.body("keeper", Json.EMPTY_OBJECT).id("k"));
        Belay belay = reopen(kept);
        belay.processes().get("k").signal("go", Json.NULL);
        assertThat(belay.processes().get("k").awaitEnd())
                .isEqualTo(new ProcessEnd.Completed(Json.number(70_036)));
        assertThat(collect(kept)).as("gone with its records").isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void aToolThatRunsInAProcessKeepsToo(Kept kept) throws Exception {
        Belay belay = open(kept);
        var done = belay.processes()
                .start(ProcessStart.tool("write", Json.of("{\"text\":\"abc\"}")).id("w"))
                .awaitEnd();
        assertThat(done.summary()).contains(
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        String reference = ((ProcessEnd.Completed) done).value().text();
        assertThat(belay.processes()
                .start(ProcessStart.tool("read", Json.of("{\"file\":" + reference + "}")).id("r"))
                .awaitEnd()
                .summary()).as("another process").contains("unknown_attachment");
    }

    /** The tools of a loop that a program owns. */
    @Tools
    public sealed interface Shelf {

        /** Puts something. */
        @Tool(undescribed = true)
        record Put(String text) implements Shelf, ToolInput<Reference> {}
    }

    @ParameterizedTest
    @EnumSource
    void aLoopOfOnesOwnKeepsForItsSession(Kept kept) throws Exception {
        Toolset<Shelf> shelf = Toolset.of(Shelf.class);
        Model asking = model(request -> roundsSinceUser(request) == 0
                ? SessionBench.calls(List.of(new CallPart("a", "put", "{\"text\":\"abc\"}")))
                : text(lastReplies(request)));
        Supplier<Belay> own = () -> Belay.builder().model(asking).store(store(kept)).build();
        String reference;
        try (Belay belay = own.get(); OpenTurn turn = belay.session("s").begin("Put it.", "in")) {
            var round = ((Step.NeedsTools<Shelf, String>) turn.step().tools(shelf).run()).round();
            round.commit(round.calls()
                    .stream()
                    .map(call -> call.run((Shelf.Put) call.input(),
                            context -> context.attachments()
                                    .put(((Shelf.Put) call.input()).text().getBytes(StandardCharsets.UTF_8),
                                            "text/plain")))
                    .toList());
            reference = ((Step.Finished<Shelf, String>) turn.step().tools(shelf).run()).value();
            turn.finish();
        }
        assertThat(run(open(kept).session("s"), read(reference))).isEqualTo("abc");
    }

    @ParameterizedTest
    @EnumSource
    void whatACallKeptStaysWhateverBecameOfTheCall(Kept kept) throws Exception {
        Session session = open(kept).session("s");
        assertThat(run(session, "drop {\"text\":\"abc\"}")).startsWith("Error (tool_threw)");
        assertThat(run(session, read(new Reference(
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", "text/plain", 3))))
                .isEqualTo("abc");
    }
}

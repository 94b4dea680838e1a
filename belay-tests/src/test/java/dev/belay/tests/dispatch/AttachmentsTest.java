package dev.belay.tests.dispatch;

import static dev.belay.tests.dispatch.Bench.call;
import static dev.belay.tests.dispatch.Bench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.testkit.Together;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolBody;
import dev.belay.tool.ToolCaller;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.Attachments;
import dev.belay.tool.context.Attachments.Reference;
import dev.belay.tool.option.Scheduling;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Contract T.4, F.5: what the calls of a durable batch keep beside their records. */
class AttachmentsTest {

    private static final byte[] ABC = {'a', 'b', 'c'};
    private static final Reference ABC_TEXT = new Reference(
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", "text/plain", 3);
    private static final String KEEP_ABC = "keep " + ABC_TEXT.hash();

    private final Bench bench = Bench.patient();
    private final CountDownLatch released = new CountDownLatch(1);

    @AfterEach
    void close() {
        released.countDown();
        bench.close();
    }

    private ToolOutcome run(ToolEffect effect, ToolBody<Json, ?> body) throws Exception {
        var tools = StaticToolProvider.builder().raw(tool("work", effect), body).build();
        return bench.open(tools).run(call("work")).getFirst();
    }

    private static ToolOutcome text(String text) {
        return new ToolOutcome.Success(Json.string(text));
    }

    /** The code that an attempt to use attachments ends with. */
    private static String code(Callable<?> use) {
        try {
            use.call();
            return "none";
        } catch (ToolException e) {
            return e.code();
        } catch (Exception e) {
            return e.getClass().getSimpleName();
        }
    }

    @Test
    void whatIsPutIsNamedByItsHashAndRead() throws Exception {
        assertThat(run(ToolEffect.ONCE, (in, context) -> {
            Reference reference = context.attachments().put(ABC, "text/plain");
            return reference.equals(ABC_TEXT) + " "
                    + new String(context.attachments().get(reference), StandardCharsets.UTF_8);
        })).isEqualTo(text("true abc"));
    }

    @Test
    void aLaterCallOfTheBatchReadsWhatAnEarlierOnePut() throws Exception {
        var tools = StaticToolProvider.builder()
                .raw(tool("put", ToolEffect.READ),
                        (in, context) -> context.attachments().put(ABC, "text/plain").hash())
                .raw(tool("get", ToolEffect.READ).scheduling(Scheduling.SERIAL),
                        (in, context) -> context.attachments().get(ABC_TEXT).length)
                .build();
        assertThat(bench.open(tools).run(call("put"), call("get"))).extracting(ToolOutcome::text)
                .containsExactly(ABC_TEXT.hash(), "3");
    }

    @Test
    void anotherBatchDoesNotReadIt() throws Exception {
        var tools = StaticToolProvider.builder()
                .raw(tool("put", ToolEffect.READ),
                        (in, context) -> context.attachments().put(ABC, "text/plain").hash())
                .raw(tool("get", ToolEffect.READ), (in, context) -> context.attachments().get(ABC_TEXT))
                .build();
        var process = bench.open(tools);
        process.run(call("put"));
        ToolOutcome foreign = process.calls.run("other", List.of(call("get"))).outcomes().getFirst();
        assertThat(foreign.code()).contains("unknown_attachment");
        assertThat(foreign.text()).contains(ABC_TEXT.hash(), "session, process or batch",
                "put the bytes again");
    }

    @Test
    void onlyTheReferenceThatPutReturnedIsAnswered() throws Exception {
        assertThat(run(ToolEffect.READ, (in, context) -> {
            Attachments attachments = context.attachments();
            attachments.put(ABC, "text/plain");
            return String.join(" ", code(() -> attachments.get(ABC_TEXT)),
                    code(() -> attachments.get(new Reference(ABC_TEXT.hash(), "text/html", 3))),
                    code(() -> attachments.get(new Reference(ABC_TEXT.hash(), "text/plain", 4))),
                    code(() -> attachments.get(new Reference("0".repeat(64), "text/plain", 3))));
        })).isEqualTo(text("none unknown_attachment unknown_attachment unknown_attachment"));
    }

    @Test
    @SuppressWarnings("NullAway") // what a careless body does
    void badInputIsRefusedAndNothingIsKept() throws Exception {
        assertThat(run(ToolEffect.READ, (in, context) -> {
            Attachments attachments = context.attachments();
            return String.join(" ", code(() -> attachments.put(null, "a/b")),
                    code(() -> attachments.put(ABC, null)), code(() -> attachments.get(null)),
                    code(() -> attachments.put(new byte[0], "a/b")), code(() -> attachments.put(ABC, "png")),
                    code(() -> attachments.put(new byte[(64 << 20) + 1], "a/b")));
        })).isEqualTo(text("NullPointerException NullPointerException NullPointerException"
                + " IllegalArgumentException IllegalArgumentException resource_limit"));
        assertThat(bench.writes).noneMatch(write -> write.startsWith("keep "));
    }

    @Test
    void tooMuchIsToldToTheModelWithTheLimit() throws Exception {
        ToolOutcome outcome = run(ToolEffect.READ,
                (in, context) -> context.attachments().put(new byte[(64 << 20) + 1], "a/b").hash());
        assertThat(outcome.text()).startsWith("Error (resource_limit)").contains("67108864", "67108865");
    }

    @Test
    void changingAnArrayAfterwardsChangesNothing() throws Exception {
        assertThat(run(ToolEffect.READ, (in, context) -> {
            byte[] mine = ABC.clone();
            Reference reference = context.attachments().put(mine, "text/plain");
            mine[0] = 'x';
            context.attachments().get(reference)[1] = 'x';
            return new String(context.attachments().get(reference), StandardCharsets.UTF_8);
        })).isEqualTo(text("abc"));
    }

    @Test
    void thousandsMayBePutInOneCall() throws Exception {
        int many = 3_000;
        assertThat(run(ToolEffect.READ, (in, context) -> {
            List<Reference> all = new ArrayList<>();
            for (int i = 0; i < many; i++) {
                all.add(context.attachments().put(String.valueOf(i).getBytes(StandardCharsets.UTF_8), "a/b"));
            }
            int right = 0;
            for (int i = 0; i < many; i++) {
                right += Arrays.equals(context.attachments().get(all.get(i)),
                        String.valueOf(i).getBytes(StandardCharsets.UTF_8)) ? 1 : 0;
            }
            return right;
        }).text()).isEqualTo("3000");
        assertThat(bench.writes).filteredOn(write -> write.startsWith("keep ")).hasSize(many);
    }

    @Test
    void severalThreadsOfABodyMayPut() throws Exception {
        for (boolean resumable : new boolean[]{false, true}) {
            try (var own = Bench.patient()) {
                var tools = StaticToolProvider.builder()
                        .raw(tool("work", ToolEffect.IDEMPOTENT).resumable(resumable), (in, context) -> {
                            List<Callable<Reference>> threads = new ArrayList<>();
                            for (int i = 0; i < 16; i++) {
                                byte[] bytes = {(byte) (i % 4)};
                                threads.add(() -> context.attachments().put(bytes, "a/b"));
                            }
                            return Together.run(threads).stream().distinct().count();
                        })
                        .build();
                assertThat(own.open(tools).run(call("work")).getFirst().text()).isEqualTo("4");
            }
        }
    }

    @Test
    void theSameAgainIsTheSameReferenceAndNoWrite() throws Exception {
        assertThat(run(ToolEffect.READ, (in, context) -> {
            Reference first = context.attachments().put(ABC, "text/plain");
            return first.equals(context.attachments().put(ABC.clone(), "text/plain"));
        }).text()).isEqualTo("true");
        assertThat(Collections.frequency(bench.writes, KEEP_ABC)).isEqualTo(1);
    }

    @Test
    void afterTheCallNothingCanBePutOrRead() throws Exception {
        List<Attachments> kept = new CopyOnWriteArrayList<>();
        var tools = StaticToolProvider.builder()
                .raw(tool("keep", ToolEffect.READ), (in, context) -> kept.add(context.attachments()))
                .raw(tool("resume", ToolEffect.READ).resumable(true),
                        (in, context) -> kept.add(context.attachments()))
                .build();
        bench.open(tools).run(call("keep"), call("resume"));
        assertThat(kept).hasSize(2).allSatisfy(attachments -> {
            assertThat(code(() -> attachments.put(ABC, "text/plain"))).isEqualTo("call_ended");
            assertThat(code(() -> attachments.get(ABC_TEXT))).isEqualTo("call_ended");
        });
        assertThat(bench.writes).doesNotContain(KEEP_ABC);
    }

    @Test
    void aBodyThatIsPastItsDeadlinePutsNothing() throws Exception {
        List<String> later = new CopyOnWriteArrayList<>();
        var told = new CountDownLatch(1);
        var begun = new CountDownLatch(1);
        var tools = StaticToolProvider.builder().raw(tool("work", ToolEffect.READ), (in, context) -> {
            begun.countDown();
            awaitUninterrupted(released);
            later.add(code(() -> context.attachments().put(ABC, "text/plain")));
            told.countDown();
            return "late";
        }).build();
        var process = bench.open(tools, builder -> builder.timeout(Duration.ofSeconds(5)));
        var joined = process.start(call("work"));
        begun.await();
        bench.time.advance(Duration.ofSeconds(5));
        bench.time.advance(Duration.ofSeconds(2));
        assertThat(Bench.get(joined).getFirst().code()).contains("tool_timeout");
        released.countDown();
        told.await();
        assertThat(later).containsExactly("call_ended");
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        while (true) {
            try {
                latch.await();
                return;
            } catch (InterruptedException e) {
                // a body that does not listen
            }
        }
    }

    /** A resumable body that puts, takes a step, and reads what it put. */
    private static StaticToolProvider resuming(List<Reference> seen) {
        return StaticToolProvider.builder()
                .raw(tool("work", ToolEffect.IDEMPOTENT).resumable(true), (in, context) -> {
                    Reference reference = context.attachments().put(ABC, "text/plain");
                    seen.add(reference);
                    context.durable().run("step", Json.NULL, input -> Json.TRUE);
                    return new String(context.attachments().get(reference), StandardCharsets.UTF_8);
                })
                .build();
    }

    @Test
    void aBodyThatIsEnteredAgainGetsTheSameReference() throws Exception {
        List<Reference> seen = new CopyOnWriteArrayList<>();
        for (Moment moment : Moment.values()) {
            for (String write : List.of(KEEP_ABC, "effect call/0/step/1/step COMPLETED",
                    "effect call/0/outcome/1 COMPLETED")) {
                seen.clear();
                try (var own = Bench.patient()) {
                    var first = own.open(resuming(seen)).dyingAt(moment, write);
                    first.calls.submit("batch", List.of(call("work")));
                    first.awaitDeath();
                    assertThat(Bench.get(own.open(resuming(seen)).joined())).as("%s %s", moment, write)
                            .containsExactly(text("abc"));
                    assertThat(seen).as("%s %s", moment, write).containsOnly(ABC_TEXT);
                }
            }
        }
    }

    @Test
    void aProcessThatDiesBeforeTheRecordOfItsCallLeavesBytesRatherThanAReferenceToNothing() throws Exception {
        var tools = StaticToolProvider.builder()
                .raw(tool("work", ToolEffect.ONCE),
                        (in, context) -> context.attachments().put(ABC, "text/plain").hash())
                .build();
        var dying = bench.open(tools).dyingAt(Moment.BEFORE, "effect call/0/attempt/1 COMPLETED");
        dying.calls.submit("batch", List.of(call("work")));
        dying.awaitDeath();
        var next = bench.open(tools);
        assertThat(Bench.get(next.joined()).getFirst().code()).contains("in_doubt");
        try (var journal = new StoreDriver(bench.records.open())) {
            var far = bench.time.now().plus(Duration.ofDays(400));
            assertThat(journal.kept("batch", ABC_TEXT)).as("until the records of the batch go").isPresent();
            assertThat(journal.collectOutputs(far)).isZero();
            journal.collectEffects(far);
            assertThat(journal.kept("batch", ABC_TEXT)).as("and those stay while the call is in doubt")
                    .isPresent();
        }
    }

    @Test
    void theContextOfADirectCallHasNoAttachments() {
        var tools = StaticToolProvider.builder()
                .raw(tool("work", ToolEffect.READ), (in, context) -> context.attachments().put(ABC, "a/b"))
                .build();
        assertThat(ToolCaller.of(tools).call("work", "{}").code())
                .contains("capability_unavailable");
    }
}

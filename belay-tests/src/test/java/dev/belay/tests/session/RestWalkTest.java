package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.BelayException;
import dev.belay.Wait;
import dev.belay.json.Json;
import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.tests.operate.OperatorBench;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolResult;
import dev.belay.tool.option.Approval;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Whatever answers, cancels, closes or kills a turn that waits for an approval and a completion: no waiter sleeps through a rest or the end, no
 * rest is told twice to one waiter or by one program.
 */
class RestWalkTest {

    private static final int PATIENCE = 60;

    @TempDir
    private Path folder;

    /** What happens to the turn; each by the program that runs it or by a client. */
    private enum Step {
        ALLOW, DENY, ANSWER, CANCEL, REOPEN, TAKE_OVER
    }

    private static final Model MODEL = calling(List.of(call("a", "refund"), call("b", "ask")));

    private static BelayBuilder tools(BelayBuilder builder, BlockingQueue<String> tokens) {
        return builder.tools(StaticToolProvider.builder()
                .raw(tool("refund", ToolEffect.IDEMPOTENT).approval(Approval.ALWAYS),
                        (in, context) -> "refunded")
                .raw(tool("ask", ToolEffect.IDEMPOTENT), (in, context) -> {
                    tokens.add(context.completionKey().token());
                    return ToolResult.pending();
                })
                .build());
    }

    private static Set<String> keys(List<Wait> waits) {
        return waits.stream().map(wait -> wait.kind() + " " + wait.keyId()).collect(Collectors.toSet());
    }

    /** A thread that waits as a program would. */
    private static final class Waiter {

        private final List<Set<String>> rests = new CopyOnWriteArrayList<>();
        private final CompletableFuture<TurnResult.Ended> ended = new CompletableFuture<>();

        Waiter(InputHandle input) {
            Thread.ofVirtual().start(() -> {
                try {
                    TurnResult result = input.await();
                    while (result instanceof TurnResult.Resting resting) {
                        rests.add(keys(resting.waits()));
                        result = resting.await();
                    }
                    ended.complete(result.ended());
                } catch (Throwable e) {
                    ended.completeExceptionally(e);
                }
            });
        }

        void requireOtherRests(String walk) {
            for (int i = 1; i < rests.size(); i++) {
                assertThat(rests.get(i)).as(walk + ": rest " + i).isNotEqualTo(rests.get(i - 1));
            }
        }
    }

    /** One turn that is walked through some steps. */
    private final class Walk implements AutoCloseable {

        private final String name;
        private final OperatorBench bench;
        private final BlockingQueue<String> tokens = new LinkedBlockingQueue<>();
        private final List<List<Set<String>>> told = new ArrayList<>();
        private final List<Waiter> waiters = new ArrayList<>();
        private final BelayClient client;
        private Belay belay;

        Walk(String where, String name, int number) throws Exception {
            this.name = name;
            Path own = folder.resolve(String.valueOf(number));
            java.nio.file.Files.createDirectories(own);
            bench = new OperatorBench(where, own);
            belay = open();
            belay.session("s").turn("Go.").id("in").submit();
            client = bench.client();
            follow();
        }

        private Belay open() {
            List<Set<String>> mine = new CopyOnWriteArrayList<>();
            told.add(mine);
            return bench.worker(MODEL, builder -> tools(builder, tokens).listener((session, event) -> {
                if (event instanceof TurnEvent.Resting resting) {
                    mine.add(keys(resting.waits()));
                }
            }));
        }

        /** Lets one thread wait in the program, and one in the client. */
        private void follow() {
            for (BelayClient one : List.of(belay, client)) {
                waiters.add(new Waiter(one.session("s").input("in").orElseThrow()));
            }
        }

        void walk(Step step, boolean byClient) throws Exception {
            BelayClient by = byClient ? client : belay;
            switch (step) {
                case ALLOW, DENY -> by.approvals()
                        .open(null, 9)
                        .items()
                        .forEach(open -> by.approvals()
                                .decide(open.keyId(), open.request().digest(),
                                        step == Step.ALLOW
                                                ? ApprovalAnswer.once()
                                                : ApprovalAnswer.deny("no")));
                case ANSWER -> {
                    String token = tokens.poll();
                    if (token != null) {
                        by.resolve(token, Resolution.ok(Json.string("yes")));
                    }
                }
                case CANCEL -> by.session("s").cancel("enough");
                case REOPEN -> {
                    belay.close();
                    belay = open();
                    follow();
                }
                case TAKE_OVER -> {
                    Belay first = belay;
                    belay = open();
                    follow();
                    first.close();
                }
            }
        }

        void end() throws Exception {
            while (belay.session("s").input("in").flatMap(InputHandle::result).isEmpty()) {
                walk(Step.ALLOW, false);
                walk(Step.ANSWER, false);
                Thread.onSpinWait();
                Optional<TurnResult> now = belay.session("s")
                        .input("in")
                        .orElseThrow()
                        .await(java.time.Duration.ofMillis(20));
                assertThat(now).as(name).isNotNull();
            }
            TurnResult.Ended last = belay.session("s").input("in").orElseThrow().awaitCommit();
            for (Waiter waiter : waiters) {
                try {
                    assertThat(waiter.ended.get(PATIENCE, TimeUnit.SECONDS)).as(name).isEqualTo(last);
                } catch (java.util.concurrent.ExecutionException e) {
                    assertThat(e.getCause()).as(name).isInstanceOf(BelayException.class); // its runtime was closed
                    assertThat(name).containsAnyOf("REOPEN", "TAKE_OVER");
                }
                waiter.requireOtherRests(name);
            }
            for (List<Set<String>> mine : told) {
                assertThat(new HashSet<>(mine)).as(name + ": told " + mine).hasSameSizeAs(mine);
            }
        }

        @Override
        public void close() {
            bench.close();
        }
    }

    private static List<List<Step>> walks(int length) {
        List<List<Step>> all = new ArrayList<>(List.of(List.of()));
        for (int i = 0; i < length; i++) {
            List<List<Step>> longer = new ArrayList<>();
            for (List<Step> walk : all) {
                for (Step step : Step.values()) {
                    List<Step> more = new ArrayList<>(walk);
                    more.add(step);
                    longer.add(more);
                }
            }
            all = longer;
        }
        return all;
    }

    /** Steps come as fast as they can, and after the turn has been told to rest. */
    @ParameterizedTest
    @CsvSource({"memory, 2, false", "memory, 2, true", "sqlite, 1, true"})
    void everyWalkIsToldOfEachRestOnceAndOfTheEnd(String where, int length, boolean waits) throws Exception {
        int number = 0;
        for (List<Step> steps : walks(length)) {
            for (boolean byClient : List.of(false, true)) {
                String name = where + " " + steps + (byClient ? " by a client" : "")
                        + (waits ? " in turn" : "");
                try (var walk = new Walk(where, name, number++)) {
                    for (Step step : steps) {
                        if (waits) {
                            InputHandle input = walk.belay.session("s").input("in").orElseThrow();
                            assertThat(CompletableFuture.supplyAsync(() -> {
                                try {
                                    return input.await();
                                } catch (InterruptedException e) {
                                    throw new IllegalStateException(e);
                                }
                            }).get(PATIENCE, TimeUnit.SECONDS)).as(name).isNotNull();
                        }
                        walk.walk(step, byClient);
                    }
                    walk.end();
                }
            }
        }
    }

    /** The first process dies at its n-th write, for every n. */
    @Test
    void aTurnWhoseProcessDiesAnywhereRestsInTheNextOne() throws Exception {
        int rests = 0;
        for (JournalProbe.Moment moment : JournalProbe.Moment.values()) {
            boolean died = true;
            for (int write = 1; died && write < 60; write++) {
                String where = moment + " write " + write;
                var tokens = new LinkedBlockingQueue<String>();
                try (var bench = new SessionBench()) {
                    var left = new AtomicInteger(write);
                    SessionBench.Dying dying;
                    try {
                        dying = bench.dying(MODEL,
                                (when, name) -> when == moment && left.decrementAndGet() == 0,
                                builder -> tools(builder, tokens).parkAfter(java.time.Duration.ZERO));
                    } catch (StackOverflowError atOnce) {
                        continue;
                    }
                    try {
                        TurnResult result = dying.belay.session("s").turn("Go.").id("in").run();
                        while (result instanceof TurnResult.Resting resting) {
                            answer(dying.belay, resting.waits());
                            result = resting.await();
                        }
                    } catch (StackOverflowError | BelayException dead) {
                        // it has died
                    }
                    died = dying.hasDied();
                    Belay next = bench.open(MODEL,
                            builder -> tools(builder, tokens).parkAfter(java.time.Duration.ZERO));
                    InputHandle input = next.session("s").input("in").orElse(null);
                    if (input == null) {
                        continue; // it was not accepted
                    }
                    rests += endOf(where, next, input);
                }
            }
        }
        assertThat(rests).as("rests after a death").isGreaterThan(10);
    }

    private static int endOf(String where, Belay next, InputHandle input)
            throws Exception {
        var waiter = new Waiter(input);
        int seen = 0;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE);
        while (!waiter.ended.isDone()) {
            assertThat(System.nanoTime()).as(where + " after " + waiter.rests).isLessThan(end);
            if (waiter.rests.size() > seen) {
                seen++;
                var open = input.await(java.time.Duration.ZERO);
                if (open.orElse(null) instanceof TurnResult.Resting resting) {
                    answer(next, resting.waits());
                }
            }
            Thread.onSpinWait();
        }
        assertThat(waiter.ended.get()).as(where).isNotNull();
        waiter.requireOtherRests(where);
        return seen;
    }

    /** Answers the first of some waits. */
    private static void answer(Belay belay, List<Wait> waits) {
        Wait wait = waits.getFirst();
        if (wait.kind() == Wait.Kind.APPROVAL) {
            belay.approvals().decide(wait.keyId(), wait.digest(), ApprovalAnswer.once());
        } else {
            belay.resolve(belay.reissue(wait.keyId()).token(), Resolution.ok(Json.string("yes")));
        }
    }
}

package dev.belay.testkit;

import dev.belay.json.Json;
import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.session.action.ActionHandle;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.journal.Pause;
import dev.belay.runtime.store.law.SessionReads;
import dev.belay.runtime.store.memory.SharedMemory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Kills a session with a plugin at every write. The turns run once without a fault, which lists the writes. Then they run once for each
 * write and each moment of it: the process dies there, another one with a new factory goes on. A plugin that keeps something elsewhere
 * than in its {@link dev.belay.tool.context.PluginState} comes to other messages, results or states then, and fails.
 *
 * <p>The model must be a function of what it is asked, and tools must repeat without harm. Confined to one thread.
 */
public final class PluginHarness {

    private static final int PLAYS = 10;
    private static final SessionId SESSION = new SessionId("harness");
    private static final long PATIENCE = 60;

    private final Supplier<PluginFactory> plugin;
    private final Model model;
    private final List<Step> steps = new ArrayList<>();
    private Supplier<Function<JournalProbe, Store>> stores = () -> new SharedMemory()::open;
    private UnaryOperator<BelayBuilder> more = UnaryOperator.identity();
    private @Nullable ScriptedPerson person;

    private PluginHarness(Supplier<PluginFactory> plugin, Model model) {
        this.plugin = plugin;
        this.model = model;
    }

    /**
     * Tests a plugin.
     *
     * @param plugin makes a new factory, for each process
     * @param model the same answer to the same question
     */
    public static PluginHarness of(Supplier<PluginFactory> plugin, Model model) {
        return new PluginHarness(plugin, model);
    }

    /** What happens next; everything in it has an id, because it is repeated after a crash. */
    @FunctionalInterface
    private interface Step {
        void run(Belay belay, String id) throws InterruptedException;
    }

    /** Adds a turn that is started by a text. */
    public PluginHarness input(String text) {
        steps.add((belay, id) -> end(belay, belay.session(SESSION).turn(text).id(id).submit()));
        return this;
    }

    /** Waits until a turn has ended, or rests because no person answers. */
    private void end(Belay belay, InputHandle turn) throws InterruptedException {
        TurnResult result = turn.await();
        while (person != null && result instanceof TurnResult.Resting resting && person.look(belay)) {
            result = resting.await();
        }
    }

    /** Adds a command to which no turn runs; what it answers is compared too. */
    public PluginHarness command(String action, Object input) {
        steps.add((belay, id) -> belay.session(SESSION).actions().submit(action, input, id).await());
        return this;
    }

    /** Adds a turn with a command that its first round takes along. */
    public PluginHarness inputWithCommand(String text, String action, Object input) {
        steps.add((belay, id) -> {
            belay.pause(Pause.Target.EVERYTHING, "until both are there");
            InputHandle turn = belay.session(SESSION).turn(text).id(id).submit();
            ActionHandle command = belay.session(SESSION).actions().submit(action, input, id + "-command");
            belay.unpause(Pause.Target.EVERYTHING, "both are there");
            end(belay, turn);
            command.await();
        });
        return this;
    }

    /**
     * Lets a person answer the calls that ask, at once: turns run on the time of the machine.
     *
     * @throws IllegalStateException if there is a person already, or this one takes time
     */
    public PluginHarness person(ScriptedPerson who) {
        if (person != null) {
            throw new IllegalStateException("this harness has a person already; one answers for all tools,"
                    + " by approve(tool), deny(tool, words) and so on");
        }
        if (!who.takes().isZero()) {
            throw new IllegalStateException(
                    "this harness runs on the time of the machine, and this person takes "
                            + who.takes() + " to answer; leave after(…) out");
        }
        person = who;
        return this;
    }

    /** Changes the runtime: its tools, policy, agents, other plugins. */
    public PluginHarness with(UnaryOperator<BelayBuilder> change) {
        more = change;
        return this;
    }

    /** Keeps sessions elsewhere than in memory; asked for a new place for each run, which several processes open. */
    public PluginHarness on(Supplier<Function<JournalProbe, Store>> places) {
        stores = places;
        return this;
    }

    /**
     * What a run came to.
     *
     * @param results how its turns ended
     * @param messages of the session
     * @param state of the session
     * @param open whether a turn has not ended
     */
    private record Picture(List<String> results, String messages, Json state, boolean open) {}

    /**
     * Runs all crashes.
     *
     * @return how many
     * @throws IllegalStateException if no turn finishes without a crash
     * @throws AssertionError if a killed session came to something else than one that was not, or the person was never asked
     */
    public int verify() throws InterruptedException {
        if (steps.isEmpty()) {
            throw new IllegalStateException("there is nothing to kill: add turns with input(text)");
        }
        List<String> points = new ArrayList<>();
        var calm = stores.get();
        try (Belay belay = open(calm, (moment, write) -> {
            synchronized (points) {
                points.add(moment + " " + write);
            }
        })) {
            runAll(belay);
        }
        Picture expected = picture(calm);
        boolean someFinish = expected.results().stream().anyMatch(result -> result.contains(": Finished["));
        if (expected.open() || !(expected.results().isEmpty() || someFinish)) {
            throw new IllegalStateException("no turn finishes without a crash, which shows nothing: "
                    + (expected.open()
                            ? "one rests; if its calls ask, let a person(…) answer"
                            : expected.results()));
        }
        if (person != null) {
            person.requireAsked();
        }
        int writes;
        synchronized (points) {
            writes = points.size();
        }
        for (int at = 0; at < writes; at++) {
            int write = at;
            Picture found = QuietLog.during(() -> killed(write));
            if (!found.equals(expected)) {
                throw new AssertionError("plugin " + plugin.get().id() + ", killed at " + points.get(at)
                        + ", came to\n  " + found + "\nand without that to\n  " + expected
                        + "\nWhat a plugin must remember belongs into a PluginState");
            }
        }
        return writes;
    }

    private Belay open(Function<JournalProbe, Store> place, JournalProbe probe) {
        return more.apply(Belay.builder()
                .model(model)
                .plugin(plugin.get())
                .store(place.apply(probe))
                .parkAfter(Duration.ZERO)
                .drain(Duration.ZERO))
                .build();
    }

    private void runAll(Belay belay) throws InterruptedException {
        for (int i = 0; i < steps.size(); i++) {
            steps.get(i).run(belay, "input-" + i);
        }
    }

    /** A play that has written less than the first one is repeated: which writes share a commit is up to the threads. */
    private Picture killed(int at) throws InterruptedException {
        for (int i = 0; i < PLAYS; i++) {
            Picture found = play(at);
            if (found != null) {
                return found;
            }
        }
        throw new AssertionError("the process should have died at write " + at
                + "; a plugin writes less when it runs again");
    }

    /** What came of a session whose process died at a write; null if it did not die. */
    private @Nullable Picture play(int at) throws InterruptedException {
        var place = stores.get();
        var dead = new CountDownLatch(1);
        var left = new int[]{at};
        Belay dying = open(place, (moment, write) -> {
            if (left[0]-- == 0) {
                dead.countDown();
                throw new StackOverflowError("the process dies at " + moment + " " + write);
            }
        });
        Thread running = Thread.ofVirtual().start(() -> {
            try {
                runAll(dying);
            } catch (InterruptedException | RuntimeException | StackOverflowError died) {
                Thread.currentThread().interrupt(); // the process is dead, as it should be
            }
        });
        running.join(Duration.ofSeconds(PATIENCE));
        dying.close();
        if (dead.getCount() > 0) {
            return null;
        }
        try (Belay next = open(place, JournalProbe.NONE)) {
            runAll(next);
        }
        return picture(place);
    }

    private Picture picture(Function<JournalProbe, Store> place) {
        try (Store store = place.apply(JournalProbe.NONE)) {
            SessionHead head = store.read(SessionReads.head(SESSION)).orElseThrow();
            List<String> results = store.read(SessionReads.turns(SESSION, 1, (int) head.revision() + 1))
                    .stream()
                    .flatMap(row -> Stream.ofNullable(row.end()))
                    .map(end -> TurnResult.Ended.of(end.result()))
                    .map(result -> result + " " + result.actions())
                    .toList();
            return new Picture(results,
                    store.read(SessionReads.messages(SESSION, 0, (int) head.messages() + 1))
                            .stream()
                            .map(one -> one.message().text())
                            .toList()
                            .toString(),
                    head.state(), head.active() != null);
        }
    }
}

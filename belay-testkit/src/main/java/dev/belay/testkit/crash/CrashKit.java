package dev.belay.testkit.crash;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.testkit.QuietLog;
import dev.belay.testkit.ScriptedPerson;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolBody;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolInput;
import dev.belay.tool.ToolMethods;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.call.Arguments;
import dev.belay.tool.context.HostValues;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Crashes tools at every record. A batch of calls runs once without a fault, which lists its records. Then it runs once for each
 * record and each moment of it (before, inside and after): the process dies there, a new one opens the same records, and the batch
 * continues to its end. After that, several batches at once die at moments drawn from seeds.
 *
 * <p>Checked after every crash: the outcomes are those of the run without a fault, except that calls which started and left no
 * outcome are in doubt, and only those; work declared {@code ONCE} ran at most once; no wait is lost; no event is doubled; an
 * outcome once told stays; a record once written stays. A broken promise is a {@link CrashViolation}.
 *
 * <p>Bodies really run, on a {@link dev.belay.testkit.FakeTime}: give them fakes of the services that they call. Immutable.
 */
public final class CrashKit {

    private static final int INTERLEAVINGS = 20;
    private static final int TRIES = 20;

    private final Function<Path, RecordsOpening> records;
    private final @Nullable Scenario scenario;
    private final int interleavings;
    private final long seed;
    private final @Nullable String only;

    private CrashKit(Function<Path, RecordsOpening> records, @Nullable Scenario scenario,
            int interleavings,
            long seed, @Nullable String only) {
        this.records = records;
        this.scenario = scenario;
        this.interleavings = interleavings;
        this.seed = seed;
        this.only = only;
    }

    /** Code under test. */
    @FunctionalInterface
    public interface Body {

        /** Does the work once. */
        void run() throws Exception;
    }

    /**
     * Tests a piece of code as the body of a tool that must run at most once.
     *
     * @param name of the tool, for the report
     */
    public static CrashKit of(String name, Body body) {
        return of(name, ToolEffect.ONCE, body);
    }

    /** The same for code that may be repeated. */
    public static CrashKit of(String name, ToolEffect effect, Body body) {
        return of(StaticToolProvider.builder()
                .raw(ToolDefinition.raw(name, "Runs " + name + ".", Json.of("{\"type\":\"object\"}"))
                        .effect(effect),
                        (in, context) -> {
                            body.run();
                            return "done";
                        })
                .build(), name, "{}");
    }

    /** Tests the body of a tool that is declared by a record. */
    @SuppressWarnings("unchecked") // an input is of its own class
    public static <O extends @Nullable Object, I extends ToolInput<O>> CrashKit of(I input,
            ToolBody<I, O> body) {
        var type = (Class<I>) input.getClass();
        ToolDefinition tool = ToolDefinition.of(type);
        return of(StaticToolProvider.builder().tool(type, body).build(), tool.name(),
                tool.encode(input).text());
    }

    /** Tests a method that is marked as a tool. */
    public static CrashKit of(Object target, String tool, String arguments) {
        return of(ToolMethods.of(target), tool, arguments);
    }

    private static CrashKit of(ToolProvider tools, String tool, String arguments) {
        return inMemory().tools(tools).call(tool, arguments);
    }

    /** Keeps records in memory: fast, and enough to test tools. */
    public static CrashKit inMemory() {
        return new CrashKit(folder -> new SharedMemory()::open, null, INTERLEAVINGS, System.nanoTime(),
                null);
    }

    /** Keeps records in a store. */
    public static CrashKit on(CrashRecords store) {
        return new CrashKit(folder -> probe -> store.open(folder, probe), null, INTERLEAVINGS,
                System.nanoTime(), null);
    }

    /** Tests the tools of a provider. */
    public CrashKit tools(ToolProvider tools) {
        return with(Scenario.of(tools));
    }

    /** Gives parameters marked {@code @FromHost} their values. */
    public CrashKit hostValues(HostValues values) {
        return with(scenario().with(values));
    }

    /** Decides which calls run, ask a person or are denied; all run by default. */
    public CrashKit policy(Policy policy) {
        return with(scenario().with(policy));
    }

    /**
     * Lets a person answer the calls that ask, each time that all calls wait. A call that the script approves must run; any other must
     * not, after no crash.
     *
     * @throws IllegalStateException if there is a person already
     * @throws IllegalArgumentException if the script names a tool that there is not
     */
    public CrashKit person(ScriptedPerson person) {
        if (scenario().person() != null) {
            throw new IllegalStateException("this kit has a person already; one answers for all tools,"
                    + " by approve(tool), deny(tool, words) and so on");
        }
        person.requireTools(names());
        return with(scenario().with(person));
    }

    private List<String> names() {
        return scenario().tools().definitions().stream().map(ToolDefinition::name).toList();
    }

    /**
     * Adds a call to the batch.
     *
     * @param tool its name
     * @param arguments as a model would write them
     * @throws BelayException {@code capability_unavailable} if its body needs a context that only a session has
     * @throws IllegalArgumentException if the call would fail before its body: an unknown tool, or arguments that do not fit
     */
    public CrashKit call(String tool, String arguments) {
        ToolDefinition known = scenario().tools()
                .definitions()
                .stream()
                .filter(definition -> definition.name().equals(tool))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no tool " + tool + " to crash, but "
                        + names()));
        if (!known.runtimeContexts().isEmpty()) {
            throw new BelayException("capability_unavailable", "tool " + tool + " needs a "
                    + known.runtimeContexts().getFirst().getSimpleName()
                    + ", which only a session of a runtime has; the crash kit runs calls without a session."
                    + " Test it in a session, and its other parts here");
        }
        return switch (known.arguments(arguments)) {
            case Arguments.Valid valid -> with(scenario().plus(new CallRequest(tool, arguments)));
            case Arguments.Malformed(ToolFailure failure) -> throw endsBeforeItsBody(failure);
            case Arguments.Invalid(ToolFailure failure) -> throw endsBeforeItsBody(failure);
        };
    }

    private static IllegalArgumentException endsBeforeItsBody(ToolFailure failure) {
        return new IllegalArgumentException(
                "a call that ends before its body has nothing to crash: " + failure.message());
    }

    /**
     * Completes, each time that all calls wait, the calls of a tool that took its completion key, or the waits for an event.
     *
     * @param name of the tool or event
     * @param value as JSON
     */
    public CrashKit complete(String name, String value) {
        return settle(name, Resolution.ok(Json.of(value)));
    }

    /** The same with any resolution. */
    public CrashKit settle(String name, Resolution value) {
        return with(scenario().plus(new Scenario.Step.Settle(name, value)));
    }

    /** Cancels the batch when all calls wait. */
    public CrashKit cancel(String reason) {
        return with(scenario().plus(new Scenario.Step.Cancel(reason)));
    }

    /** Lets time pass when all calls wait. */
    public CrashKit pass(Duration time) {
        return with(scenario().plus(new Scenario.Step.Pass(time)));
    }

    /** Compares only a part of the outcomes, for outcomes that differ in each run. */
    public CrashKit comparing(Function<ToolOutcome, String> part) {
        return with(scenario().comparing(part));
    }

    /** Runs this many interleavings; 20 by default. */
    public CrashKit interleavings(int count) {
        return new CrashKit(records, scenario, count, seed, only);
    }

    /** Starts the interleavings from this seed; default: a new seed each time. */
    public CrashKit seed(long first) {
        return new CrashKit(records, scenario, interleavings, first, only);
    }

    /**
     * Runs one crash only, and lets the runtime log what happens.
     *
     * @param where as a violation shows it, such as {@code AFTER effect call/0/attempt/1 STARTED #1} or {@code seed 42}
     */
    public CrashKit only(String where) {
        return new CrashKit(records, scenario, interleavings, seed, where);
    }

    /**
     * Runs all crashes.
     *
     * @throws CrashViolation if a promise was broken, or a planned crash did not come
     * @throws IllegalStateException if a body threw or never ran, without a crash
     */
    public CrashReport verify() throws Exception {
        Scenario played = scenario();
        if (played.calls().isEmpty()) {
            throw new IllegalStateException(
                    "there is nothing to crash: add calls with call(tool, arguments)");
        }
        Findings peaceful = run("no crash", Fate.peaceful(1));
        requireNoFault(peaceful);
        requireBodies(played, peaceful);
        if (played.person() != null) {
            played.person().requireAsked();
        }
        Promises promises = promises(played, peaceful);
        var deaths = new DeathTally(played.calls());
        int crashes = 0;
        for (CrashPoint point : peaceful.points()) {
            if (isWanted(point.toString())) {
                deaths.add(crash(point.toString(), last -> Fate.at(point), promises));
                crashes++;
            }
        }
        int shaken = 0;
        Promises ofMany = seeds() == 0
                ? promises
                : promises(played, run("no crash of many", Fate.peaceful(Fate.MOST_BATCHES)));
        for (long next = firstSeed(); shaken < seeds(); next++, shaken++) {
            long one = next;
            crash("seed " + next, last -> Fate.drawn(one, last == null ? peaceful.moments() : last.moments()),
                    ofMany);
        }
        if (crashes + shaken == 0) {
            throw new IllegalStateException(
                    "there is no such crash: " + only + ", but these: " + peaceful.points());
        }
        Predicate<CrashPoint> whole = point -> point.moment() == Moment.AFTER;
        return new CrashReport((int) peaceful.points().stream().filter(whole).count(), crashes, shaken,
                firstSeed(), deaths.deaths());
    }

    /** A body that throws without a crash would throw the same way after each, which shows nothing. */
    private static void requireNoFault(Findings peaceful) {
        for (ToolOutcome outcome : peaceful.outcomes().stream().flatMap(List::stream).toList()) {
            if (outcome instanceof ToolOutcome.Failure(ToolFailure failure)
                    && failure.code().equals("tool_threw")) {
                throw new IllegalStateException("a call throws without a crash: " + failure.message()
                        + "; let its body return, or fail with a ToolException if that is its answer");
            }
        }
    }

    /** A body that does not run without a crash does not run after one, which shows nothing. */
    private static void requireBodies(Scenario played, Findings peaceful) {
        for (int call = 0; call < played.calls().size(); call++) {
            String tool = played.calls().get(call).name();
            if (!peaceful.ledger().hasRun(tool) && !peaceful.ledger().isWithheld(tool)) {
                throw new IllegalStateException(
                        "the body of " + tool + " never ran without a crash, and there"
                                + " is nothing to crash: the call ended with \""
                                + peaceful.outcomes().getFirst().get(call).text()
                                + "\"; let it reach its body, by a person(…) if it asks");
            }
        }
    }

    private static Promises promises(Scenario scenario, Findings peaceful) throws Exception {
        var promises = new Promises(scenario, peaceful);
        guarded("no crash", () -> {
            promises.checkPeaceful();
            return peaceful;
        });
        return promises;
    }

    private boolean isWanted(String point) {
        return only == null || CrashPoint.parse(only.startsWith("seed ") ? "BEFORE nothing #0" : only)
                .toString()
                .equals(point);
    }

    private long firstSeed() {
        return only != null && only.startsWith("seed ")
                ? Long.parseLong(only.substring("seed ".length()))
                : seed;
    }

    private int seeds() {
        if (only == null) {
            return interleavings;
        }
        return only.startsWith("seed ") ? 1 : 0;
    }

    /** Runs until the process dies as planned: threads that meet in another order may leave a write out in one run. */
    private Findings crash(String where, Function<@Nullable Findings, Fate> plan, Promises promises)
            throws Exception {
        Findings found = run(where, plan.apply(null));
        for (int i = 1; !found.hasDied() && i < TRIES; i++) {
            found = run(where, plan.apply(found));
        }
        Findings last = found;
        return guarded(where, () -> {
            if (!last.hasDied()) {
                throw new Broken("a write of the run without a crash comes again",
                        "a process that dies at it",
                        "none died in " + TRIES + " runs; the last one came to " + last.points());
            }
            promises.check(last);
            return last;
        });
    }

    private Findings run(String where, Fate fate) throws Exception {
        Path folder = Files.createTempDirectory("belay-crash");
        QuietLog.Work<Findings, Exception> play = () -> guarded(where,
                () -> new CrashRun(scenario(), fate, records.apply(folder)).play());
        try {
            return fate.deaths().isEmpty() || only != null ? play.run() : QuietLog.during(play);
        } finally {
            delete(folder);
        }
    }

    private static Findings guarded(String where, Callable<Findings> work) throws Exception {
        try {
            return work.call();
        } catch (Broken broken) {
            throw new CrashViolation("crash at \"" + where + "\": " + broken.getMessage()
                    + "\n  again:    the same CrashKit with .only(\"" + where + "\")", broken);
        }
    }

    private static void delete(Path folder) throws IOException {
        List<Path> all = new ArrayList<>();
        try (Stream<Path> found = Files.walk(folder)) {
            found.sorted(Comparator.reverseOrder()).forEach(all::add);
        }
        for (Path path : all) {
            try {
                Files.deleteIfExists(path);
            } catch (IOException e) {
                throw new UncheckedIOException("the kit could not delete " + path, e);
            }
        }
    }

    private CrashKit with(Scenario other) {
        return new CrashKit(records, other, interleavings, seed, only);
    }

    private Scenario scenario() {
        if (scenario == null) {
            throw new IllegalStateException(
                    "say first which tools to test: CrashKit.inMemory().tools(provider)");
        }
        return scenario;
    }
}

package dev.belay.cli.talk;

import dev.belay.BelayException;
import dev.belay.cli.screen.Style;
import dev.belay.cli.settings.ApproveMode;
import dev.belay.cli.settings.CommandAgent;
import dev.belay.cli.settings.CommandStore;
import dev.belay.cli.settings.LocalTools;
import dev.belay.cli.settings.ProjectText;
import dev.belay.cli.settings.Settings;
import dev.belay.cli.settings.Trust;
import dev.belay.cli.shell.AgentWorkspace;
import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.Person;
import dev.belay.cli.shell.Shell;
import dev.belay.mcp.McpPeople;
import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.dispatch.CallEvent;
import dev.belay.runtime.operate.OpenApproval;
import dev.belay.runtime.operate.SessionEntry;
import dev.belay.runtime.operate.SessionEntry.State;
import dev.belay.runtime.operate.SessionFilter;
import dev.belay.runtime.operate.WaitsFor;
import dev.belay.runtime.operate.WaitsFor.For;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.SessionEvents;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.Actor;
import dev.belay.schema.Shown;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A runtime for one session of a workspace: takes inputs, tells what happens, and writes the log. Confined to one thread. */
final class LiveTalk implements AutoCloseable {

    /** How often progress is shown while nothing happens. */
    private static final Duration TICK = Duration.ofMillis(100);
    /** A turn that tells nothing for so long may be held back; what no program serves rests only after a minute. */
    private static final Duration SILENCE = Duration.ofSeconds(1);
    /** A turn that another process runs is not told here; one that this process has begun to tell is told to its end. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final int MOST_PATIENCE = 30;
    /**
     * What a turn waits for that this command does not bring about. An event may be the end of a session below, which this command serves;
     * waiting for a stuck turn throws the cause.
     */
    private static final Set<For> LEFT = EnumSet.of(For.APPROVAL, For.COMPLETION, For.DOUBT, For.PAUSE,
            For.PROGRAM, For.PLUGIN, For.CONFIGURATION);

    /**
     * What a talk is about.
     *
     * @param workspace where
     * @param database of its sessions
     * @param session its name
     * @param agent whose session it is
     * @param approve what happens to calls that ask
     * @param actor who answers them, for the audit log
     * @param json whether events are printed instead of the answer
     * @param record where to write what the model says as a script, or null
     */
    record Plan(AgentWorkspace workspace, CommandStore database, String session, String agent,
            ApproveMode approve, Actor actor, boolean json, @Nullable Path record) {}

    /** What the thread of the command waits for. */
    private sealed interface News {

        /** A call or a server waits for an answer. */
        record Asked() implements News {}

        /** The turn has ended, or rests. */
        record Came(TurnResult result) implements News {}

        /** Waiting, or telling, has failed. */
        record Broken(RuntimeException problem, boolean isTelling) implements News {}
    }

    private final Shell shell;
    private final Plan plan;
    private final TalkFiles files;
    private final TurnProgress progress;
    private final String model;
    private final Optional<Long> context;
    private final Belay belay;
    private final Approver approver;
    private final AskedByServers questions;
    private final SessionEvents events;
    private final Thread telling;
    private final BlockingQueue<Long> committed = new LinkedBlockingQueue<>();
    private final BlockingQueue<News> news = new LinkedBlockingQueue<>();
    private volatile boolean isTold;

    private LiveTalk(Shell shell, Plan plan, Settings settings, String text, Person person, Model model,
            Supplier<Optional<String>> objection) {
        this.shell = shell;
        this.plan = plan;
        files = new TalkFiles(shell, EventLog.of(plan.workspace(), plan.session(), Clock.systemUTC()),
                plan.record());
        progress = new TurnProgress(shell, plan.json(), System::nanoTime);
        this.model = model.id();
        context = settings.agent(plan.agent()).context(model);
        var builder = Belay.builder()
                .store(plan.database().open())
                .sessions(plan.session())
                .approvals(plan.approve().approvals())
                .drain(Duration.ZERO);
        new CommandAgent(settings, plan.agent(), plan.workspace(), text).define(builder,
                new RecordingModel(model, files::answered), new RecordingModel(model, files::answeredBelow),
                LocalTools.of(shell, plan.workspace(), settings, plan.database()), plan.approve()::over);
        questions = new AskedByServers(shell, person, plan.session());
        settings.mcp()
                .attach(shell, plan.workspace(), objection,
                        Optional.of(questions).filter(offered -> plan.approve().asks(shell)))
                .ifPresent(servers -> builder.plugin(servers).process(McpPeople.PROCESS, McpPeople::ask));
        belay = builder.start(false).build();
        questions.through(belay, belay.as(plan.actor()), () -> news.add(new News.Asked()));
        approver = new Approver(shell, person, plan.approve(), belay.as(plan.actor()), plan.session());
        events = belay.session(plan.session()).events();
        telling = Thread.ofVirtual().name("belay-telling").start(this::tell);
    }

    /** Tells events until it is interrupted; a problem ends the command. */
    private void tell() {
        try {
            while (true) {
                events.next(TICK).ifPresentOrElse(this::told, progress::tick);
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException problem) {
            news.add(new News.Broken(problem, true));
        }
    }

    /** Opens the workspace: its settings, the trust in them, its model and tools. */
    static LiveTalk open(Shell shell, Plan plan, Person person, Function<Settings.ModelChoice, Model> models)
            throws InterruptedException {
        Settings settings = Settings.of(shell, plan.workspace());
        Settings.Agent agent = settings.agent(plan.agent());
        var trust = new Trust(shell, plan.workspace());
        if (trust.asks(settings)) {
            trust.tell(settings);
        }
        String answer = trust.asks(settings) && shell.canAsk()
                ? person.ask("Do you trust this workspace, "
                        + Shown.name(plan.workspace().root().toString()) + "? [y/n] ",
                        () -> true)
                : null;
        trust.require(settings, Optional.ofNullable(answer));
        trust.makeOwn();
        plan.approve().tell(shell, settings);
        String text = new ProjectText(shell, plan.workspace()).agreed(agent.has(Settings.PROJECT_TEXT),
                question -> TalkVerb.ask(person, question));
        Model model = models.apply(agent.model()); // what is wrong with it is told before a database is made
        Supplier<Optional<String>> objection = trust.changes(settings);
        trust.require(settings); // a person may have been asked about the model, and files have changed meanwhile
        return new LiveTalk(shell, plan, settings, text, person, model, objection);
    }

    /** What a person sees above the next prompt. */
    String status() {
        return SessionCost.of(session()).status(model, progress.last(), context);
    }

    /** The session. */
    Session session() {
        return belay.agent(plan.agent()).session(plan.session());
    }

    /**
     * Gives an input and waits for the end of its turn; the exit code. The turn begins here or not at all: an input that waited behind the
     * turn of another command could begin there, under the rules of that one.
     */
    int say(String text) throws InterruptedException {
        InputHandle input;
        progress.begin();
        try {
            input = session().turn(text).unlessBusy().submit();
        } catch (BelayException problem) {
            throw problem.code().equals("session_busy") ? busy(plan.session()) : problem;
        }
        files.said(text);
        return await(input, input.turn().orElseThrow());
    }

    /** A turn that another command has begun goes on only by 'resume', under the rules that are given there. */
    static CommandProblem busy(String session) {
        return CommandProblem
                .notPossible("session " + session + " has a turn that has not ended: 'belay resume "
                        + session + "' goes on with it, 'belay turns abandon " + session
                        + " --reason TEXT' gives it up");
    }

    /** Waits for a turn that was begun before; the exit code. */
    int goOn(long turn) throws InterruptedException {
        Session session = belay.session(plan.session());
        return await(session.input(session.turn(turn).orElseThrow().input()).orElseThrow(), turn);
    }

    /** Serves this turn, and no later one: that may be begun by another command, under the rules of that one. */
    private int await(InputHandle input, long turn) throws InterruptedException {
        belay.start(plan.session(), turn); // not before: the turn could have ended before it was looked at
        try {
            return ended(input);
        } catch (BelayException problem) {
            if (!problem.code().equals("session_stuck")) {
                throw problem;
            }
            shell.err().remark("belay: " + problem.getMessage());
            return stuck();
        }
    }

    private int ended(InputHandle input) throws InterruptedException {
        Thread waiting = Thread.ofVirtual().name("belay-waiting").start(() -> follow(input));
        try {
            return heard(input);
        } finally {
            waiting.interrupt();
        }
    }

    /** Tells of each rest of the turn, and of its end. */
    private void follow(InputHandle input) {
        try {
            TurnResult result = input.await();
            news.add(new News.Came(result));
            while (result instanceof TurnResult.Resting resting) {
                result = resting.await();
                news.add(new News.Came(result));
            }
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException problem) {
            news.add(new News.Broken(problem, false));
        }
    }

    private int heard(InputHandle input) throws InterruptedException {
        boolean isUnanswered = false;
        News said = news.poll(SILENCE.toMillis(), TimeUnit.MILLISECONDS);
        while (true) {
            switch (said) {
                case News.Came(TurnResult.Ended result) -> {
                    return ended(result, awaitTold(result.turn()));
                }
                case News.Broken(RuntimeException problem, boolean isTelling) -> {
                    if (isTelling) {
                        shell.err()
                                .line("The turn is kept: 'belay resume " + plan.session()
                                        + "' goes on with it, or prints its answer.");
                    }
                    throw problem;
                }
                case null, default -> {
                }
            }
            WaitsFor waits = said instanceof News.Asked ? null : waits();
            if (!isUnanswered && (said != null || waits != null)) {
                progress.hold(true);
                isUnanswered = !approver.answer() || !questions.answer();
                progress.hold(false);
                waits = waits();
            }
            boolean mayRest = said instanceof News.Came || (waits != null && waits.what() == For.EVENT);
            if ((waits != null && LEFT.contains(waits.what()))
                    || (mayRest && input.await(Duration.ZERO)
                            .filter(TurnResult.Resting.class::isInstance)
                            .isPresent())) {
                return left(waits);
            }
            said = news.take();
        }
    }

    /** What the turn waits for; null if it runs, or was ended meanwhile. */
    private @Nullable WaitsFor waits() {
        return belay.sessions(SessionFilter.ALL.prefix(plan.session()), null, 1)
                .items()
                .stream()
                .filter(entry -> entry.head().id().value().equals(plan.session()))
                .filter(entry -> entry.state() == State.WAITING || entry.state() == State.STUCK)
                .map(SessionEntry::waits)
                .findFirst()
                .orElse(null);
    }

    /** Says how a turn goes on that this command cannot bring to its end. */
    private int left(@Nullable WaitsFor waits) {
        String resume = "'belay resume " + plan.session() + "' goes on";
        List<OpenApproval> asked = approver.open();
        shell.err().remark(switch (waits == null ? For.EVENT : waits.what()) {
            case PAUSE ->
                "The turn is paused: 'belay pauses' says why, 'belay unpause' ends it, " + resume + ".";
            case DOUBT ->
                "A call may have happened, and the turn waits until that is settled: 'belay doubts' lists"
                        + " it, 'belay settle' settles it, " + resume + ".";
            case PROGRAM -> "The turn belongs to the loop of a program, which goes on with it.";
            case PLUGIN ->
                "The turn needs another build of a plugin: " + Objects.requireNonNull(waits).detail() + ".";
            case CONFIGURATION ->
                "The turn needs another configuration: " + Objects.requireNonNull(waits).detail()
                        + ". Once that is mended, " + resume + ".";
            default -> asked.isEmpty()
                    ? "The turn waits for an answer from outside: 'belay pending' lists it, 'belay resolve' answers, "
                            + resume + "."
                    : "No answer came. " + asked.getFirst().request().call().tool()
                            + " has not begun, and waits: 'belay approve " + asked.getFirst().keyId()
                            + "' answers, " + resume + ".";
        });
        return ExitCode.WAITING;
    }

    private int stuck() {
        shell.err()
                .line("The turn is kept. Once the cause is gone, 'belay turns retry " + plan.session()
                        + "' and 'belay resume " + plan.session() + "' let it go on; 'belay turns abandon "
                        + plan.session() + " --reason TEXT' gives it up.");
        return ExitCode.FAILED;
    }

    /** The last words of the turn come before its summary; false if another process has committed it. */
    private boolean awaitTold(long turn) throws InterruptedException {
        for (int i = 0; i < (isTold ? MOST_PATIENCE : 1); i++) {
            Long told = committed.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            if (told != null && told >= turn) {
                return true;
            }
        }
        return false;
    }

    /** Asks the turn to end. */
    void cancel() {
        progress.say("belay: ending the turn; Ctrl-C again leaves at once");
        try {
            belay.as(plan.actor()).session(plan.session()).cancel("cancelled by Ctrl-C");
        } catch (BelayException e) {
            progress.say("belay: the turn could not be ended: " + e.getMessage());
        }
    }

    private int ended(TurnResult.Ended result, boolean here) {
        if (here) {
            files.ended(result);
        }
        if (!plan.json()) {
            TurnEnds.tell(shell, result, progress.isStreamed());
            shell.err()
                    .remark(Summary.of(result, belay.session(plan.session()).calls(result.turn()),
                            plan.session()), Style.DIM);
        }
        int exitCode = TurnEnds.exitCode(result);
        return exitCode == ExitCode.DONE && files.areBroken() ? ExitCode.FAILED : exitCode;
    }

    private void told(TurnEvent event) {
        isTold = true;
        if (plan.json()) {
            shell.out().line(event.toJson().text());
        }
        if (event instanceof TurnEvent.Call(var session, long turn, CallEvent.Finished(var call, var outcome))) {
            files.called(call, outcome);
        }
        progress.on(event);
        if (event instanceof TurnEvent.Call(var session, long turn, CallEvent.Parked waiting)) {
            news.add(new News.Asked());
        }
        if (event instanceof TurnEvent.Committed(long turn, var result)) {
            committed.add(turn);
        }
    }

    @Override
    public void close() {
        telling.interrupt();
        belay.close();
    }
}

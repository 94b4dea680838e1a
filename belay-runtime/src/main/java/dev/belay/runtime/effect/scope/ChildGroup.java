package dev.belay.runtime.effect.scope;

import dev.belay.runtime.effect.ChildCommand;
import dev.belay.runtime.effect.FencedException;
import dev.belay.runtime.effect.ReplayMismatchException;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.Suspended;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * Children that run side by side. A child that waits has no thread; it is entered again here when its wait is over, as long as
 * one of the others runs. When none runs, the parent is suspended with all that they wait for.
 *
 * <p>Concurrency: the states of the children are guarded by the lock of the scope. The parent is woken when it may have
 * something to do, and a child that waits for its turn when it is its turn: a batch of a thousand must not wake everybody for
 * every step. A child without siblings runs on the thread of its parent, which has nothing else to do.
 */
final class ChildGroup {

    private final LiveScope live;
    private final List<Child> children = new ArrayList<>();
    private int running;
    /** Whether a child that was run apart has come to an end, or waits. */
    private boolean isDone;
    /** All children before this one have decided. */
    private int turn;

    private ChildGroup(LiveScope live, String path, List<ChildCommand> commands) {
        this.live = live;
        for (ChildCommand command : commands) {
            children.add(new Child(children.size(), path + command.name().value() + "/", command));
        }
    }

    /** Children below a path. They take no ordinal: how they are grouped may follow from tools that have changed since. */
    static ChildGroup of(LiveScope live, String path, List<ChildCommand> commands) {
        requireDistinct(live, commands);
        return new ChildGroup(live, path, commands);
    }

    /** Each of them in a group of its own. */
    static List<ChildGroup> each(LiveScope live, String path, List<ChildCommand> commands) {
        requireDistinct(live, commands);
        return commands.stream().map(command -> new ChildGroup(live, path, List.of(command))).toList();
    }

    private static void requireDistinct(LiveScope live, List<ChildCommand> commands) {
        if (commands.size() > 1
                && commands.stream().map(ChildCommand::name).distinct().count() != commands.size()) {
            throw new IllegalArgumentException(
                    "two children of scope " + live.claim().scope() + " have one name: "
                            + commands.stream().map(ChildCommand::name).toList());
        }
    }

    private enum State {
        RUNNING, DONE, SUSPENDED, FAILED
    }

    /** One of them. */
    final class Child {

        private final int index;
        private final String path;
        private final ChildCommand command;
        private State state = State.RUNNING;
        private boolean decided;
        private @Nullable Condition myTurn;
        private @Nullable ToolOutcome outcome;
        private @Nullable Throwable fault;
        private List<Waiting> waiting = List.of();

        private Child(int index, String path, ChildCommand command) {
            this.index = index;
            this.path = path;
            this.command = command;
        }

        private void start() {
            begin();
            live.host().spawn(this::run);
        }

        private void begin() {
            state = State.RUNNING;
            running++;
        }

        private void run() {
            boolean joined = live.joins(Thread.currentThread());
            var scope = new JournalScope(live, path, this);
            try {
                ToolOutcome said = live.host().options().encodesChildren()
                        ? runEncoded(scope)
                        : command.child().run(scope);
                if (scope.entry().isSuspended()) {
                    ends(State.SUSPENDED, null, null, scope.entry().waiting());
                } else {
                    ends(State.DONE, said, null, List.of());
                }
            } catch (Suspended suspended) {
                ends(State.SUSPENDED, null, null, scope.entry().waiting());
            } catch (Throwable e) {
                ends(State.FAILED, null, e, List.of());
            } finally {
                if (joined) {
                    live.leaves(Thread.currentThread());
                }
            }
        }

        /** Runs it as a host elsewhere would: from its input, with its outcome sent back. */
        private ToolOutcome runEncoded(JournalScope scope) {
            return OutcomeJson.outcome(
                    OutcomeJson.of(live.host().runner().child(scope, command.child().input())));
        }

        /** Whether it waited for something that has happened. */
        private boolean goesOn() {
            return state == State.SUSPENDED && waiting.stream().anyMatch(live.memory()::isOver);
        }

        /** Whether it stands in a queue, which is no reason to park. */
        private boolean waitsForResource() {
            return state == State.SUSPENDED
                    && waiting.stream().anyMatch(Waiting.ForResource.class::isInstance);
        }

        private void ends(State end, @Nullable ToolOutcome withOutcome, @Nullable Throwable withFault,
                List<Waiting> waitsFor) {
            live.memory().lock().lock();
            try {
                state = end;
                running--;
                outcome = withOutcome;
                fault = withFault;
                waiting = waitsFor;
                decide();
                if (running == 0 || end == State.SUSPENDED) {
                    live.memory().changed().signalAll();
                }
            } finally {
                live.memory().lock().unlock();
            }
            waitsFor.forEach(live.memory()::alarm);
        }

        /** It is known whether this child wants a resource, and if so it stands in the queue. */
        void decided() {
            live.memory().lock().lock();
            try {
                decide();
            } finally {
                live.memory().lock().unlock();
            }
        }

        private void decide() {
            decided = true;
            while (turn < children.size() && children.get(turn).decided) {
                turn++;
                Condition next = turn < children.size() ? children.get(turn).myTurn : null;
                if (next != null) {
                    next.signal();
                }
            }
        }

        /** Waits until every child before this one has decided, so that they queue in their order. */
        void awaitTurn() {
            live.memory().lock().lock();
            try {
                while (turn < index) {
                    Condition wake = myTurn == null ? live.memory().lock().newCondition() : myTurn;
                    myTurn = wake;
                    live.memory().await(wake);
                }
            } finally {
                live.memory().lock().unlock();
            }
        }
    }

    /** What children that wait wait for; empty if all are done, whose outcomes are then in {@link #outcomes}. */
    List<Waiting> run() {
        live.memory().lock().lock();
        try {
            if (children.size() != 1) {
                runTogether();
            } else {
                runAlone(children.get(0));
            }
            throwFault();
            List<Waiting> all = new ArrayList<>();
            children.forEach(child -> all.addAll(child.waiting));
            return all;
        } finally {
            live.memory().lock().unlock();
        }
    }

    /** One child, on a thread of its own; whoever waits for it cannot be interrupted. Empty if it waits. */
    Optional<ToolOutcome> runApart() {
        Child child = children.get(0);
        live.memory().lock().lock();
        try {
            do {
                live.requireHeld();
                child.start();
                while (running > 0 || (child.waitsForResource() && !child.goesOn() && !live.isOver())) {
                    live.memory().changed().awaitUninterruptibly();
                }
            } while (child.waitsForResource());
            throwFault();
            return Optional.ofNullable(child.outcome);
        } finally {
            isDone = true;
            live.memory().changed().signalAll();
            live.memory().lock().unlock();
        }
    }

    /** Waits for a child that another thread has asked for, instead of running the same one again. */
    Optional<ToolOutcome> join(ChildGroup same) {
        Child child = children.get(0);
        ScopeInput runs = child.command.child().input();
        ScopeInput asked = same.children.get(0).command.child().input();
        if (!asked.equals(runs)) {
            throw new ReplayMismatchException(live.claim().scope(), child.path, JsonDifference
                    .between(runs.value(), asked.value())
                    .orElse("it runs already, as another kind of work"));
        }
        live.memory().lock().lock();
        try {
            while (!isDone) {
                live.memory().changed().awaitUninterruptibly();
            }
            throwFault();
            return Optional.ofNullable(child.outcome);
        } finally {
            live.memory().lock().unlock();
        }
    }

    private void runTogether() {
        children.forEach(Child::start);
        while (running > 0) {
            live.memory().awaitChange();
            children.stream().filter(Child::goesOn).forEach(Child::start);
        }
    }

    /** Lets go of the lock while the child runs. */
    private void runAlone(Child child) {
        do {
            child.begin();
            live.memory().lock().unlock();
            try {
                child.run();
                // an interrupt was for the child, and ends with it; a host that closes is seen at the next step
                Thread.interrupted();
            } finally {
                live.memory().lock().lock();
            }
        } while (child.goesOn());
    }

    /** How they ended; throws if there is something to be thrown. */
    List<ToolOutcome> outcomes(@Nullable Suspended waiting) {
        if (waiting != null) {
            throw waiting;
        }
        List<ToolOutcome> outcomes = new ArrayList<>(children.size());
        for (Child child : children) {
            ToolOutcome outcome = child.outcome;
            if (outcome == null) {
                throw new IllegalStateException("child " + child.path + " has no outcome");
            }
            outcomes.add(outcome);
        }
        return List.copyOf(outcomes);
    }

    /** A scope that was taken over counts more than whatever else went wrong. */
    private void throwFault() {
        Throwable first = null;
        for (Child child : children) {
            Throwable fault = child.fault;
            if (fault != null && (first == null || fault instanceof FencedException)) {
                first = fault;
            }
        }
        switch (first) {
            case null -> {
            }
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new IllegalStateException(first);
        }
    }
}

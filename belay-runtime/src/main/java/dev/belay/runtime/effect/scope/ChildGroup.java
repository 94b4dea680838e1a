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
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Children that run side by side. A child that waits has no thread; it is entered again here when its wait is over, as long as a
 * sibling runs. When none runs, the parent is suspended with the conditions of all its children.
 *
 * <p>Concurrency: the lock of the scope guards the states of the children. The end of a child wakes the parent if no sibling runs or
 * the child waits. A child without siblings runs on the thread of its parent, which has nothing else to do.
 */
public final class ChildGroup {

    private final JournalScope parent;
    private final LiveScope live;
    private final List<Child> children;
    private int running;
    /** Whether a child that was run apart has ended, or waits. */
    private boolean isDone;

    private ChildGroup(JournalScope parent, List<ChildCommand> commands) {
        this.parent = parent;
        this.live = parent.entry().live();
        children = new ArrayList<>(commands.size());
        var order = new SiblingOrder(live.memory());
        for (ChildCommand command : commands) {
            children.add(
                    new Child(parent.entry().path() + command.name().value() + "/", order.add(), command));
        }
    }

    /** Children of a scope. They take no ordinal: how they are grouped may follow from tools that have changed since. */
    static ChildGroup of(JournalScope parent, List<ChildCommand> commands) {
        requireDistinct(parent, commands);
        return new ChildGroup(parent, commands);
    }

    /** One group for each child. */
    static List<ChildGroup> each(JournalScope parent, List<ChildCommand> commands) {
        requireDistinct(parent, commands);
        return commands.stream().map(command -> new ChildGroup(parent, List.of(command))).toList();
    }

    private static void requireDistinct(JournalScope parent, List<ChildCommand> commands) {
        if (commands.size() > 1
                && commands.stream().map(ChildCommand::name).distinct().count() != commands.size()) {
            throw new IllegalArgumentException(
                    "two children of scope " + parent.id() + " have one name: "
                            + commands.stream().map(ChildCommand::name).toList());
        }
    }

    /** The children of one live scope that run apart, by their paths. Thread-safe. */
    public static final class Apart {

        private final Map<String, ChildGroup> running = new ConcurrentHashMap<>();

        /** Runs the one child of a group; if it runs already, waits for it and returns its outcome. */
        Optional<ToolOutcome> run(String path, ChildGroup group) {
            ChildGroup first = running.putIfAbsent(path, group);
            if (first != null) {
                return first.join(group);
            }
            try {
                return group.runApart();
            } finally {
                running.remove(path, group);
            }
        }
    }

    private enum State {
        RUNNING, DONE, SUSPENDED, FAILED
    }

    private final class Child {

        private final String path;
        private final SiblingOrder.Place place;
        private final ChildCommand command;
        private State state = State.RUNNING;
        private @Nullable ToolOutcome outcome;
        private @Nullable Throwable fault;
        private List<Waiting> waiting = List.of();
        /** It runs, or waits for something that comes by itself. */
        private boolean isAtWork;

        private Child(String path, SiblingOrder.Place place, ChildCommand command) {
            this.path = path;
            this.place = place;
            this.command = command;
        }

        private void start() {
            begin();
            live.host().threads().start(this::run);
        }

        private void begin() {
            if (!isAtWork) {
                live.begins();
            }
            isAtWork = true;
            state = State.RUNNING;
            running++;
        }

        private void run() {
            boolean joined = live.joins(Thread.currentThread());
            var scope = new JournalScope(parent, path, place);
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
            return OutcomeJson.outcome(OutcomeJson
                    .of(live.host().life().runner().child(scope, command.child().input())));
        }

        /** Whether a condition that it waits for holds. */
        private boolean goesOn() {
            return state == State.SUSPENDED && waiting.stream().anyMatch(live.memory()::isOver);
        }

        /** Whether it waits in a queue, which is no reason to park. */
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
                isAtWork = !waitsForAnswers(waitsFor);
                place.decided();
                waitsFor.forEach(live.memory()::alarm); // before its parent can rest, which silences all alarms
                if (running == 0 || end == State.SUSPENDED) {
                    live.memory().changed().signalAll();
                }
            } finally {
                live.memory().lock().unlock();
            }
            if (waitsForAnswers(waitsFor)) {
                live.ends();
            }
        }

        /** Whether nothing of it comes by itself. */
        private boolean waitsForAnswers(List<Waiting> waitsFor) {
            return waitsFor.isEmpty() || waitsFor.stream().allMatch(Waiting.ForWait.class::isInstance);
        }
    }

    /** Runs them; returns the conditions of children that wait, and nothing if all are done and have {@link #outcomes}. */
    List<Waiting> run() {
        live.memory().lock().lock();
        try {
            if (children.size() != 1) {
                runTogether();
            } else {
                runAlone(children.get(0));
            }
            suspend();
            throwFault();
            List<Waiting> all = new ArrayList<>(0);
            children.forEach(child -> all.addAll(child.waiting));
            return all;
        } finally {
            live.memory().lock().unlock();
        }
    }

    /** No child goes on in this group: those that wait do so with their parent. */
    private void suspend() {
        for (Child child : children) {
            if (child.isAtWork) {
                child.isAtWork = false;
                live.suspends();
            }
        }
    }

    /** Runs the one child on a thread of its own, and waits for it without interrupts. Empty if it waits. */
    private Optional<ToolOutcome> runApart() {
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
            suspend();
            isDone = true;
            live.memory().changed().signalAll();
            live.memory().lock().unlock();
        }
    }

    /** Waits for a child that another thread has asked for, instead of running it again. */
    private Optional<ToolOutcome> join(ChildGroup same) {
        Child child = children.get(0);
        ScopeInput runs = child.command.child().input();
        ScopeInput asked = same.children.get(0).command.child().input();
        if (!asked.equals(runs)) {
            throw new ReplayMismatchException(live.id(), child.path, JsonDifference
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

    /** The outcomes of children that are all done. */
    List<ToolOutcome> outcomes() {
        List<ToolOutcome> all = new ArrayList<>(children.size());
        children.forEach(child -> all.add(Objects.requireNonNull(child.outcome, child.path)));
        return all;
    }

    /** Throws the first fault, or the news that the scope was taken over, which counts more than any fault. */
    private void throwFault() {
        Throwable first = null;
        for (Child child : children) {
            Throwable fault = child.fault;
            if (fault != null && (first == null || fault instanceof FencedException)) {
                first = fault;
            }
        }
        PendingRecords.rethrow(first);
    }
}

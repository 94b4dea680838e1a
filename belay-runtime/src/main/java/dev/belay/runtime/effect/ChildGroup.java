package dev.belay.runtime.effect;

import dev.belay.json.Json;
import dev.belay.tool.Suspended;
import dev.belay.tool.ToolOutcome;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Children that run side by side. A child that waits has no thread; it is entered again here when its wait is over, as long as
 * one of the others runs. When none runs, the parent is suspended with all that they wait for.
 *
 * <p>Concurrency: the states of the children are guarded by the lock of the scope.
 */
final class ChildGroup {

    private final LiveScope live;
    private final List<Child> children = new ArrayList<>();

    ChildGroup(LiveScope live, String path, List<ChildCommand> commands) {
        this.live = live;
        for (ChildCommand command : commands) {
            children.add(new Child(children.size(), path + command.name().value() + "/", command));
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
        private @Nullable ToolOutcome outcome;
        private @Nullable Throwable fault;
        private List<Waiting> waiting = List.of();

        private Child(int index, String path, ChildCommand command) {
            this.index = index;
            this.path = path;
            this.command = command;
        }

        private void start() {
            state = State.RUNNING;
            live.host().spawn(this::run);
        }

        private void run() {
            live.joins(Thread.currentThread());
            var scope = new JournalScope(live, path, this);
            try {
                Json result = live.host().runner().run(scope, command.input());
                if (scope.isSuspended()) {
                    ends(State.SUSPENDED, null, null, scope.waiting());
                } else {
                    ends(State.DONE, OutcomeJson.outcome(result), null, List.of());
                }
            } catch (Suspended suspended) {
                ends(State.SUSPENDED, null, null, scope.waiting());
            } catch (Throwable e) {
                ends(State.FAILED, null, e, List.of());
            } finally {
                live.leaves(Thread.currentThread());
            }
        }

        private void ends(State end, @Nullable ToolOutcome withOutcome, @Nullable Throwable withFault,
                List<Waiting> waitsFor) {
            live.memory().lock().lock();
            try {
                decided = true;
                state = end;
                outcome = withOutcome;
                fault = withFault;
                waiting = waitsFor;
                live.memory().changed().signalAll();
            } finally {
                live.memory().lock().unlock();
            }
            waitsFor.forEach(live.memory()::alarm);
        }

        /** It is known whether this child wants a resource, and if so it stands in the queue. */
        void decided() {
            live.memory().lock().lock();
            try {
                decided = true;
                live.memory().changed().signalAll();
            } finally {
                live.memory().lock().unlock();
            }
        }

        /** Waits until every child before this one has decided, so that they queue in their order. */
        void awaitTurn() {
            live.memory().lock().lock();
            try {
                while (children.subList(0, index).stream().anyMatch(child -> !child.decided)) {
                    live.memory().awaitChange();
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
            children.forEach(Child::start);
            while (true) {
                children.stream()
                        .filter(child -> child.state == State.SUSPENDED
                                && child.waiting.stream().anyMatch(live.memory()::isOver))
                        .forEach(Child::start);
                if (children.stream().noneMatch(child -> child.state == State.RUNNING)) {
                    break;
                }
                live.memory().awaitChange();
            }
            throwFault();
            return children.stream().flatMap(child -> child.waiting.stream()).toList();
        } finally {
            live.memory().lock().unlock();
        }
    }

    List<ToolOutcome> outcomes() {
        return children.stream().map(child -> {
            ToolOutcome outcome = child.outcome;
            if (outcome == null) {
                throw new IllegalStateException("child " + child.path + " has no outcome");
            }
            return outcome;
        }).toList();
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

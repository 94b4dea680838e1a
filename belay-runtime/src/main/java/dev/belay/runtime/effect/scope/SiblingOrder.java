package dev.belay.runtime.effect.scope;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Makes children that run side by side queue for resources in their order: a child enters a queue after every child before it has
 * entered one, or turned out to need none.
 *
 * <p>Concurrency: guarded by the lock of the scope. Each waiting child has a condition of its own, because a batch of a thousand must
 * not wake all its threads for every step.
 */
final class SiblingOrder {

    private final ScopeMemory memory;
    private final List<Place> places = new ArrayList<>(1);
    /** All places before this one have decided. */
    private int turn;

    SiblingOrder(ScopeMemory memory) {
        this.memory = memory;
    }

    /** The place behind all others. */
    Place add() {
        var place = new Place(places.size());
        places.add(place);
        return place;
    }

    /** The place of one child. */
    final class Place {

        private final int index;
        private volatile boolean decided;
        private @Nullable Condition myTurn;

        private Place(int index) {
            this.index = index;
        }

        /** The child has entered the queue of its resource, or needs none: the next child may go on. */
        void decided() {
            if (decided) {
                return;
            }
            ReentrantLock lock = memory.lock();
            lock.lock();
            try {
                decided = true;
                while (turn < places.size() && places.get(turn).decided) {
                    turn++;
                    Condition next = turn < places.size() ? places.get(turn).myTurn : null;
                    if (next != null) {
                        next.signal();
                    }
                }
            } finally {
                lock.unlock();
            }
        }

        /** Waits until every child before this one has decided. */
        void await() {
            ReentrantLock lock = memory.lock();
            lock.lock();
            try {
                while (turn < index) {
                    Condition wake = myTurn == null ? lock.newCondition() : myTurn;
                    myTurn = wake;
                    memory.await(wake);
                }
            } finally {
                lock.unlock();
            }
        }
    }
}

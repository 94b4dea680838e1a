package dev.belay.runtime.store.commit;

import dev.belay.runtime.store.rows.NotSelectedException;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.Unit;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * An operation in the hands of the writing thread, and the caller that waits for it.
 *
 * @param <T> what it answers
 */
final class Write<T extends @Nullable Object> extends PendingAnswer<T> {

    private final Operation<T> operation;
    private boolean begun;
    private @Nullable T result;
    private @Nullable Throwable refused;

    Write(Operation<T> operation) {
        this.operation = operation;
    }

    @Nullable
    String name() {
        return operation.name();
    }

    long size() {
        return operation.size();
    }

    /** Whether it is decided for the first time. */
    boolean begins() {
        boolean first = !begun;
        begun = true;
        return first;
    }

    /** Names the rows of the first wave. */
    void select(Collection<Selector<?>> into) {
        refused = null;
        operation.first().accept(into);
    }

    /** Names the rows of the second wave. */
    void selectMore(Unit unit, Collection<Selector<?>> into) {
        var second = operation.second();
        if (second != null) {
            try {
                second.accept(unit, into);
            } catch (RuntimeException | Error e) {
                refuse(e);
            }
        }
    }

    /** Decides it; false if it must see the changes of earlier ones committed first. */
    boolean decide(Unit unit) {
        if (refused != null) {
            return true;
        }
        try {
            result = operation.decide().apply(unit);
            unit.keep();
        } catch (NotSelectedException e) {
            unit.drop();
            if (!unit.changes().isEmpty()) {
                return false;
            }
            refused = e;
        } catch (RuntimeException | Error e) {
            unit.drop();
            refuse(e);
        }
        return true;
    }

    /** It failed, and changed nothing. An error of the virtual machine is the failure of the thread, not of the operation. */
    void refuse(Throwable why) {
        if (why instanceof Error error && isOfTheMachine(error)) {
            throw error;
        }
        refused = why;
    }

    /** Whether an error tells of the virtual machine, like a lack of memory, and not of the code that ran. */
    static boolean isOfTheMachine(Error error) {
        return error instanceof VirtualMachineError && !(error instanceof StackOverflowError);
    }

    boolean isRefused() {
        return refused != null;
    }

    /** Tells the caller. */
    @SuppressWarnings("NullAway") // what the operation answered is a T, and a T may be null
    void tell() {
        if (refused != null) {
            fail(refused);
        } else {
            give(result);
        }
    }
}

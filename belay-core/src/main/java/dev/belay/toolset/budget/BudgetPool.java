package dev.belay.toolset.budget;

import dev.belay.model.Usage;
import dev.belay.toolset.StepException;
import java.util.HashSet;
import java.util.Set;

/**
 * A budget shared by any number of requests. Each takes a lease on what it is estimated to spend and settles it with what it
 * really spent, however it ends; spending beyond the limit is recorded too, and refuses the next request.
 *
 * <p>Thread-safe.
 */
public final class BudgetPool {

    private final SpendLimit limit;
    private Usage spent = Usage.of(0, 0);
    private final Set<Lease> open = new HashSet<>();

    private BudgetPool(SpendLimit limit) {
        this.limit = limit;
    }

    /** A pool that nothing was spent from yet. */
    public static BudgetPool of(SpendLimit limit) {
        return new BudgetPool(limit);
    }

    /** What was really spent so far. */
    public synchronized Usage spent() {
        return spent;
    }

    /** What requests under way are estimated to spend. */
    public synchronized Usage reserved() {
        return open.stream().map(lease -> lease.estimate).reduce(Usage.of(0, 0), Usage::plus);
    }

    /** Takes a lease; {@code resource_limit} if spent, reserved and estimate together go beyond the limit. */
    public synchronized Lease reserve(Usage estimate) {
        String beyond = limit.exceededBy(spent.plus(reserved()).plus(estimate));
        if (beyond != null) {
            throw new StepException("resource_limit",
                    "the budget does not allow this request: with it, " + beyond + " would be spent");
        }
        Lease lease = new Lease(estimate);
        open.add(lease);
        return lease;
    }

    private synchronized void settle(Lease lease, Usage actual) {
        if (open.remove(lease)) {
            spent = spent.plus(actual);
        }
    }

    /** What one request may spend. Settled exactly once. */
    public final class Lease {

        private final Usage estimate;

        private Lease(Usage estimate) {
            this.estimate = estimate;
        }

        public void settle(Usage actual) {
            BudgetPool.this.settle(this, actual);
        }
    }
}

/**
 * Budgets of requests: a {@link dev.belay.toolset.budget.SpendLimit} in tokens or money, a
 * {@link dev.belay.toolset.budget.BudgetPool} that many requests share, and estimates of what a request spends.
 *
 * <p>A step takes and settles leases in {@code dev.belay.toolset.loop}.
 */
@NullMarked
package dev.belay.toolset.budget;

import org.jspecify.annotations.NullMarked;

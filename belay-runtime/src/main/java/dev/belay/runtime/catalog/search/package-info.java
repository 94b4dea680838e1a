/**
 * Finding tools among many by what they can do.
 *
 * <p>Read {@code ToolIndex} first: words of tools, ranked by BM25. {@code ToolIndexes} keeps the newest ones, {@code SearchTool} is what a
 * model calls.
 *
 * <p>Not here: which tools a turn leaves out, and that a hit stays ({@code session.state.TurnSearch}).
 */
@NullMarked
package dev.belay.runtime.catalog.search;

import org.jspecify.annotations.NullMarked;

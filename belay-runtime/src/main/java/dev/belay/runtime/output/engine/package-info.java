/**
 * Cuts, deals and pages outputs for {@link dev.belay.runtime.output}. Knows texts and budgets, nothing of sessions: these hand it a
 * {@link dev.belay.runtime.output.OutputKeeper}.
 */
@NullMarked
package dev.belay.runtime.output.engine;

import org.jspecify.annotations.NullMarked;

/**
 * The contract of journals, as tests: extend {@link dev.belay.laws.journal.JournalContract} and supply a
 * {@link dev.belay.testkit.crash.RecordsOpening}. Each {@code …Promises} is one group of tests; {@code JournalModel} is the
 * reference that random operations are compared with. The contract of hosts is in {@link dev.belay.laws.effect}, that of session
 * stores in {@link dev.belay.laws.store}.
 */
@NullMarked
package dev.belay.laws.journal;

import org.jspecify.annotations.NullMarked;

/**
 * The contract of journals, as tests: extend {@link dev.belay.testkit.journal.JournalContract} and supply a
 * {@link dev.belay.testkit.journal.JournalOpening}. Each {@code …Promises} is one group of tests; {@code JournalModel} is the
 * reference that random operations are compared with. The contract of hosts is in {@link dev.belay.testkit.effect}, that of session
 * stores in {@link dev.belay.testkit.store}.
 */
@NullMarked
package dev.belay.testkit.journal;

import org.jspecify.annotations.NullMarked;

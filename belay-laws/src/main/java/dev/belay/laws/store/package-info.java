/**
 * The contract of session stores, as tests: extend {@link dev.belay.laws.store.SessionStoreContract} and supply a
 * {@link dev.belay.testkit.crash.RecordsOpening}. Each {@code …Promises} is one group of tests; {@code SessionModel} is the reference
 * that random calls are compared with. The contract of a store's journal is in {@link dev.belay.laws.journal}.
 */
@NullMarked
package dev.belay.laws.store;

import org.jspecify.annotations.NullMarked;

/**
 * What stores of sessions must do, as tests. Whoever writes one extends
 * {@link dev.belay.testkit.store.SessionStoreContract} and supplies a {@link dev.belay.testkit.store.StoreOpening}.
 */
@NullMarked
package dev.belay.testkit.store;

import org.jspecify.annotations.NullMarked;


/**
 * What of a conversation the model is sent: {@code HistoryView} is the conversation with the last compaction in place of its beginning,
 * {@code TurnHistory} that of a running turn. A compaction is an effect of its own before a round ({@code CompactEffect}); views and
 * compactors are asked through {@code plugin.engine}. Knows nothing of the loops in {@code session.turn}.
 */
@NullMarked
package dev.belay.runtime.session.history;

import org.jspecify.annotations.NullMarked;

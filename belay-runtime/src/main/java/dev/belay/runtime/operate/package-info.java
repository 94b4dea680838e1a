/**
 * What the person on call sees and does: pages of sessions and of what waits, and the answers of operators' verbs. The verbs are methods of
 * {@code BelayClient} and of sessions and processes; the room next door, {@code store}, has who asks and the audit log.
 */
@NullMarked
package dev.belay.runtime.operate;

import org.jspecify.annotations.NullMarked;

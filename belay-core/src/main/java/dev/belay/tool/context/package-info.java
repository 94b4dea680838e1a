/**
 * The capabilities of a body behind {@code dev.belay.tool.ToolContext}, and the identities of a call: its id, its idempotency key,
 * its completion key.
 *
 * <p>Most capabilities are interfaces that the runtime implements. {@link dev.belay.tool.context.ToolContexts} makes contexts for
 * calls outside a runtime.
 */
@NullMarked
package dev.belay.tool.context;

import org.jspecify.annotations.NullMarked;

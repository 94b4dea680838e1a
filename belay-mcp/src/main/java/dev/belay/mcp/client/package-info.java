/**
 * The protocol: messages, the two transports, finding out which revision a server speaks, listing and calling tools. Knows nothing of
 * sessions and turns; {@code LiveServer} is where a server's connection is kept, lost and made again.
 */
@NullMarked
package dev.belay.mcp.client;

import org.jspecify.annotations.NullMarked;

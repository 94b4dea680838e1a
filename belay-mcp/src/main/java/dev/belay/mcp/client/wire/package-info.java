/** The messages that go to a server and come from it: how they are written, and what a reply says. */
@NullMarked
package dev.belay.mcp.client.wire;

import org.jspecify.annotations.NullMarked;

/** An agent with two MCP servers and 502 tools: it finds the tool that it needs, and one server dies in the middle of a payment. */
@NullMarked
package dev.belay.examples.mcp;

import org.jspecify.annotations.NullMarked;

/**
 * MCP servers as sources of tools. {@link dev.belay.mcp.McpServer} describes a server, {@link dev.belay.mcp.McpServers} keeps the
 * connections of a runtime and is the plugin that gives their tools to sessions. The protocol is in a package below, which is not
 * exported. {@code docs/mcp.md} starts from the beginning.
 */
@NullMarked
package dev.belay.mcp;

import org.jspecify.annotations.NullMarked;

/** MCP servers in sessions: tasks, questions of servers, deaths at every write. */
@NullMarked
package dev.belay.tests.mcp;

import org.jspecify.annotations.NullMarked;

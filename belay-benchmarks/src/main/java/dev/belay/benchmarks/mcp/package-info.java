/** MCP servers: one call beside a bare exchange, and thousands of tools. */
package dev.belay.benchmarks.mcp;

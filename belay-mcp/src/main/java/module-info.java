/** MCP servers as live sources of tools: their tools are called like any other, admitted, validated, recorded and gated. */
module dev.belay.mcp {
    requires transitive dev.belay.runtime;
    requires java.net.http;
    requires org.slf4j;

    exports dev.belay.mcp;
}

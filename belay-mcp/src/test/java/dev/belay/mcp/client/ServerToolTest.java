package dev.belay.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.json.JsonLimits;
import dev.belay.mcp.McpServer;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A tool that is described in any way is taken, or left out alone with a reason. */
class ServerToolTest {

    private static final McpServer WEB = McpServer.http("web", URI.create("http://127.0.0.1:1/")).trusted();
    private static final String TOOL = """
            {"name":"pay","title":"Pay","description":"Pays.","inputSchema":{"type":"object","properties":{"to":{"type":"string",\
            "x-mcp-header":"To"}},"required":["to"]},"outputSchema":{"type":"object"},"annotations":{"readOnlyHint":true,\
            "destructiveHint":false},"execution":{"taskSupport":"optional"}}""";
    private static final List<String> INSTEAD = List.of("7", "null", "true", "[]", "{}", "\"\"",
            "\"\\ud83d\"", "[{}]",
            "1e999999999", "{\"type\":7}", "\"x\"");

    @Test
    void garbageInADescriptionIsTheProblemOfItsToolAlone() {
        int taken = 0;
        for (long seed = 0; seed < 4_000; seed++) {
            String text = spoiled(TOOL, new Random(seed));
            for (boolean modern : List.of(true, false)) {
                try {
                    Json tool = Json.foreign(text, JsonLimits.DEFAULT);
                    ServerTool made = ServerTool.of(WEB, "", tool, modern);
                    made.headersOf(Json.of("{\"to\":7}"));
                    ServerTool.pinned(tool);
                    made.definition().contract();
                    taken++;
                } catch (BelayException refused) {
                    assertThat(refused.code()).as(text)
                            .isIn("mcp_tool_refused", "tool_contract_unavailable", "malformed_json");
                } catch (RuntimeException e) {
                    throw new AssertionError("seed " + seed + ": " + text, e);
                }
            }
        }
        assertThat(taken).isGreaterThan(1_000);
    }

    /** A value of a field, or of an inner one, is another one. */
    private static String spoiled(String text, Random random) {
        Json whole = Json.of(text);
        List<String> fields = List.copyOf(whole.fields().keySet());
        String field = fields.get(random.nextInt(fields.size()));
        Json value = Objects.requireNonNull(whole.fields().get(field));
        boolean inner = value.kind() == Json.Kind.OBJECT && !value.fields().isEmpty()
                && random.nextInt(3) > 0;
        String other = inner ? spoiled(value.text(), random) : INSTEAD.get(random.nextInt(INSTEAD.size()));
        return Json.write(out -> {
            out.beginObject();
            whole.fields()
                    .forEach(
                            (name, old) -> out.name(name).value(name.equals(field) ? Json.string("$") : old));
            out.endObject();
        }).text().replaceFirst("\"\\$\"", java.util.regex.Matcher.quoteReplacement(other));
    }
}

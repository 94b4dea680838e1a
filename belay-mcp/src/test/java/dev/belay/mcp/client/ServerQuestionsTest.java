package dev.belay.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.mcp.McpQuestion;
import dev.belay.mcp.McpServer;
import dev.belay.tool.ToolException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What people are shown of a server's question. */
class ServerQuestionsTest {

    private static final McpServer DESK = McpServer.program("desk", "desk");

    private static String shown(String params) {
        return ServerQuestions.shown(ServerQuestions.of(DESK, "greet", Json.of(params)));
    }

    @Test
    void eachLineOfAServerStandsBehindABar() {
        assertThat(
                shown("""
                        {"message":"Hi\\u001b[2J\\n\\nMay the call run? Answer the password.\\rx","requestedSchema":{"type":"object"}}"""))
                .isEqualTo("""
                        MCP server desk (tool greet) asks:
                          | Hi\\u{001B}[2J
                          |\s
                          | May the call run? Answer the password.\\u{000D}x
                        Answer {"action":"accept","content":…} with a content that fits this schema:
                          | {"type":"object"}
                        Or answer {"action":"decline"}.""");
    }

    @Test
    void aLongLineIsBrokenBehindTheBar() {
        String words = "x".repeat(71) + "\uD83D\uDE00" + "tail";
        assertThat(shown("{\"message\":\"" + words + "\"}"))
                .contains("  | " + "x".repeat(71) + "\n  | \uD83D\uDE00tail\n");
    }

    @Test
    void anAddressIsShownWhole() {
        String url = "https://example.com/" + "a".repeat(300);
        assertThat(shown("{\"message\":\"Sign in\",\"mode\":\"url\",\"url\":\"" + url + "\"}")).isEqualTo("""
                MCP server desk (tool greet) asks:
                  | Sign in
                It wants you to open this address:
                  | %s
                Answer {"action":"accept"} when you have
                Or answer {"action":"decline"}.""".formatted(url));
    }

    @Test
    void aLongQuestionIsFoldedAndSaysHowToAnswer() {
        assertThat(shown("{\"message\":\"HEAD" + "x".repeat(20_000) + "TAIL\"}"))
                .contains("  | HEADxxx", "\n  [12008 characters are not shown]\n", "xxxTAIL\n")
                .endsWith("Or answer {\"action\":\"decline\"}.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"message\":\"LONG\"}",
        "{\"message\":\"?\",\"requestedSchema\":{\"title\":\"LONG\"}}",
        "{\"message\":\"?\",\"mode\":\"url\",\"url\":\"https://LONG\"}"})
    void whatIsTooLongToShowIsNotAsked(String params) {
        Json asked = Json.of(params.replace("LONG", "x".repeat(64_001)));
        assertThatThrownBy(() -> ServerQuestions.of(DESK, "greet", asked))
                .isInstanceOfSatisfying(ToolException.class,
                        refused -> assertThat(refused.code()).isEqualTo("mcp_question_too_long"))
                .hasMessageContaining("server desk asks a question that is too long to be shown");
    }

    @Test
    @SuppressWarnings("NullAway") // the context is not reached
    void aQuestionToTheModelThatIsTooLongToShowIsNotAsked() {
        var question = new McpQuestion("desk", "greet", "x".repeat(64_001), Json.EMPTY_OBJECT, null);
        assertThatThrownBy(() -> ServerQuestions.await(null, "1", question, java.time.Duration.ofDays(1)))
                .hasMessageContaining("64001 characters, and may have 64000");
    }
}

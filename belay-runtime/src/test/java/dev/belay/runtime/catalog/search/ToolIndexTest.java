package dev.belay.runtime.catalog.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.TokenFamily;
import dev.belay.tool.ToolDefinition;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Words of tools and how well tools fit a question. */
class ToolIndexTest {

    private static ToolDefinition tool(String name, String description, String... inputs) {
        var properties = new StringBuilder();
        for (String input : inputs) {
            properties.append(properties.isEmpty() ? "" : ",").append('"').append(input).append("\":{}");
        }
        return ToolDefinition.raw(name, description,
                Json.of("{\"type\":\"object\",\"properties\":{" + properties + "}}"));
    }

    private static final List<ToolDefinition> TOOLS = List.of(
            tool("create_issue", "Opens a new ticket in a repository.", "title", "body"),
            tool("closeIssue", "Closes a ticket.", "number"),
            tool("list_branches", "Lists the branches of a repository.", "repository"),
            tool("send_mail", "Sends a message to a person; mentions no ticket and no issue.", "recipient"),
            tool("tenki", "東京の天気を調べる", "city"));

    private final ToolIndex index = new ToolIndex(TOOLS);

    private List<String> found(String question, int limit) {
        return index.search(question, limit, Map.of(), i -> true)
                .stream()
                .map(ToolDefinition::name)
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"create an issue,create_issue", "CLOSING? close issues!,closeIssue", "branch,list_branches",
        "who is the recipient,send_mail", "天気,tenki"})
    void theBestFitIsFirst(String question, String name) {
        assertThat(found(question, 5).getFirst()).isEqualTo(name);
    }

    @Test
    void aNameWeighsMoreThanADescription() {
        assertThat(found("issue", 5)).containsExactly("create_issue", "closeIssue", "send_mail");
    }

    @Test
    void whatDoesNotFitIsNotFound() {
        assertThat(found("weather in Lisbon", 5)).isEmpty();
        assertThat(found("what is it for", 5)).isEmpty();
        assertThat(found("?!", 5)).isEmpty();
        assertThat(found("", 5)).isEmpty();
    }

    @Test
    void toolsThatFitAlikeKeepTheirOrder() {
        List<ToolDefinition> same = IntStream.range(0, 50)
                .mapToObj(i -> tool("copy_" + i, "Copies a file."))
                .toList();
        assertThat(new ToolIndex(same).search("copy file", 7, Map.of(), i -> i % 2 == 1))
                .extracting(ToolDefinition::name)
                .containsExactly("copy_1", "copy_3", "copy_5", "copy_7", "copy_9", "copy_11", "copy_13");
    }

    @Test
    void hintsFindAToolByOtherWords() {
        assertThat(index.search("complaint", 5, Map.of("create_issue", List.of("complaint", "bug report")),
                i -> true)).extracting(ToolDefinition::name).containsExactly("create_issue");
    }

    @Test
    void wordsAreTakenFromEveryWayToWriteAName() {
        assertThat(Words.of("createIssues create_issue Create-Issue")).containsExactly("create", "issue",
                "create", "issue", "create", "issue");
        assertThat(Words.of("class access_2 a")).containsExactly("class", "access", "2", "a");
        assertThat(Words.of("東京 𠮷")).containsExactly("東", "京", "𠮷");
    }

    @Test
    void aToolWhoseSchemaCannotBeReadIsFoundByItsName() {
        ToolDefinition odd = ToolDefinition.raw(tool("archive_mail", "Files a message.").manifest(), () -> {
            throw new IllegalStateException("no schema of any draft");
        });
        var with = new ToolIndex(List.of(odd, TOOLS.getFirst()));
        assertThat(with.search("archive mail", 5, Map.of(), i -> true)).containsExactly(odd);
        assertThat(with.tokens(TokenFamily.O200K)[0]).isZero();
        assertThat(with.tokens(TokenFamily.O200K)[1]).isPositive();
    }

    @Test
    void oneListOfToolsIsReadOnce() {
        var indexes = new ToolIndexes();
        assertThat(indexes.of(List.copyOf(TOOLS))).isSameAs(indexes.of(TOOLS.stream().toList()));
        assertThat(indexes.of(TOOLS.subList(0, 2))).isNotSameAs(indexes.of(TOOLS));
    }

    @Test
    void tokensOfToolsAreThoseOfTheirTexts() {
        long[] tokens = index.tokens(TokenFamily.O200K);
        assertThat(tokens).hasSize(5);
        assertThat(index.allTokens(TokenFamily.O200K)).isEqualTo(tokens[0] + tokens[1] + tokens[2] + tokens[3]
                + tokens[4]).isBetween(100L, 400L);
    }
}

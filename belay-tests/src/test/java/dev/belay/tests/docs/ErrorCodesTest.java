package dev.belay.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.ModelException;
import dev.belay.model.http.ModelDiscovery;
import dev.belay.tests.Project;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Holds {@code docs/errors.md} to the codes that the sources know, both ways. */
class ErrorCodesTest {

    private static final String PAGE = "docs/errors.md";
    private static final String CORE = "belay-core/src/main/java";
    private static final String RUNTIME = "belay-runtime/src/main/java";
    /** Its literals are names of tables and indexes. */
    private static final String ROWS = "/runtime/store/rows/";
    private static final String PROBLEMS = "belay-processor/src/main/java";
    private static final String TOOLBOX = "belay-toolbox/src/main/java";
    private static final String MCP = "belay-mcp/src/main/java";
    private static final String CONFIG = "belay-config/src/main/java";

    private static final Pattern COMMENT = Pattern.compile("(?m)/\\*[\\s\\S]*?\\*/|^\\s*//.*$");
    private static final Pattern LITERAL = Pattern.compile("\"([a-z]+(?:_[a-z0-9]+)+)\"");
    /** A code that is thrown or returned; in the other modules, whose literals are mostly words of protocols and settings. */
    private static final Pattern GIVEN = Pattern.compile(
            "(?:\\bBelayException\\(|\\bToolFailure\\.of\\(\\s*ToolFailure\\.Kind\\.\\w+,)\\s*\"([a-z]+(?:_[a-z0-9]+)*)\"");
    private static final List<String> OTHERS = List.of("belay-cli/src/main/java",
            "belay-plugins/src/main/java",
            "belay-store-jdbc/src/main/java", "belay-model-http/src/main/java",
            "belay-model-openai/src/main/java",
            "belay-model-anthropic/src/main/java", "belay-model-langchain4j/src/main/java");
    /** One constant of the processor's list of problems. */
    private static final Pattern PROBLEM = Pattern.compile("(?m)^ {4}([A-Z][A-Z_]+)[,;]$");
    /** A row of a table; its second cell holds the codes. */
    private static final Pattern ROW = Pattern.compile("(?m)^\\|[^|\\n]*\\|([^|\\n]*)\\|");
    private static final Pattern CODE = Pattern.compile("`([a-z][a-z0-9_]*)`");

    /** Literals that look like codes: keys of a script's JSON lines, of envelopes and of records, names of events, of tools, of schemas and of a probe. */
    private static final Set<String> KEYS = Set.of("after_calls", "at_least", "at_most", "host_in",
            "not_matching", "belay_probe", "resource_link", "tool_call", "tool_name", "tool_result",
            "cache_read", "cache_write", "has_reply_for", "last_user_text_contains", "max_context_tokens",
            "max_output_tokens", "may_have_happened",
            "call_finished", "call_in_doubt", "call_parked", "call_progress", "call_started",
            "model_patience",
            "model_waiting",
            "round_ended", "round_restarted", "round_started", "turn_started",
            "read_output", "search_output", "search_tools", "input_required", "list_resources", "mcp_approve",
            "read_resource",
            "on_cancel", "on_timeout", "retry_after_seconds", "timed_out", "old_string", "new_string",
            "replace_all", "tool_selection", "top_p");

    /** Codes that no pattern can tell from other literals: of one word, or among names of columns and of wire protocols. */
    private static final Set<String> ONE_WORD = Set.of("fenced", "paused", "journal_altered",
            "journal_missing",
            "journal_newer", "journal_older", "journal_unusable",
            "no_model_found");

    /** Codes that are promised for what does not exist yet; they come onto the page with the code that gives them. */
    private static final Set<String> RESERVED = Set.of("rejected");

    @Test
    void everyCodeOfTheSourcesIsOnThePage() {
        assertThat(listed()).containsAll(known());
    }

    @Test
    void everyCodeOnThePageIsInTheSources() {
        assertThat(known()).containsAll(listed());
    }

    @Test
    void codesOfWhatDoesNotExistAreNotOnThePage() {
        assertThat(listed()).doesNotContainAnyElementsOf(RESERVED);
    }

    @Test
    void codesInCommentsDoNotCount() {
        assertThat(literals("""
                /** Fails with "first_code". */
                // "second_code"
                throw new BelayException("third_code", "a message with words_like_this");
                out.name("cache_read");
                """)).containsExactly("third_code");
    }

    @Test
    void codesOfTheOtherModulesAreThoseThatAreGiven() {
        assertThat(given("""
                throw new BelayException("thrown_code", "words");
                return ToolResult.failure(ToolFailure.of(ToolFailure.Kind.EXTERNAL, "given_code",
                        "words"));
                settings.text("base_url");
                """)).containsExactly("given_code", "thrown_code");
    }

    @Test
    void onlyTheSecondCellOfARowHoldsCodes() {
        assertThat(cells("| `first_cell` | `a_code`, `internal` | `third_cell` |\ntext `beside`\n"))
                .containsExactlyInAnyOrder("a_code", "internal");
    }

    private static Set<String> listed() {
        return cells(Project.here().read(PAGE));
    }

    private static Set<String> cells(String page) {
        return ROW.matcher(page)
                .results()
                .flatMap(row -> CODE.matcher(row.group(1)).results())
                .map(code -> code.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> known() {
        Set<String> codes = new TreeSet<>(ONE_WORD);
        Project project = Project.here();
        for (String sources : List.of(CORE, RUNTIME, TOOLBOX, MCP, CONFIG)) {
            project.files(sources, ".java")
                    .stream()
                    .filter(file -> !file.contains(ROWS))
                    .forEach(file -> codes.addAll(literals(project.read(file))));
        }
        for (String sources : OTHERS) {
            project.files(sources, ".java").forEach(file -> codes.addAll(given(project.read(file))));
        }
        Arrays.stream(ModelException.Kind.values()).forEach(kind -> codes.add(kind.code()));
        codes.add(ModelDiscovery.NO_MODEL_FOUND);
        project.files(PROBLEMS, "/Problem.java")
                .forEach(file -> PROBLEM.matcher(project.read(file))
                        .results()
                        .forEach(constant -> codes.add(constant.group(1).toLowerCase(Locale.ROOT))));
        return codes;
    }

    private static Set<String> given(String source) {
        return GIVEN.matcher(COMMENT.matcher(source).replaceAll(""))
                .results()
                .map((MatchResult code) -> code.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> literals(String source) {
        return LITERAL.matcher(COMMENT.matcher(source).replaceAll(""))
                .results()
                .map((MatchResult literal) -> literal.group(1))
                .filter(code -> !KEYS.contains(code))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}

package dev.belay.tests.snippets.lutum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.script.ScriptedModel;
import dev.belay.tests.snippets.lutum.InputSamples.Methods;
import dev.belay.tests.snippets.lutum.InputSamples.SearchTools;
import dev.belay.tests.snippets.lutum.InputSamples.Tenant;
import dev.belay.tests.snippets.lutum.InputSamples.WebSearchArgs;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolMethods;
import dev.belay.toolset.Round;
import dev.belay.toolset.RoundEnd;
import dev.belay.toolset.Step;
import dev.belay.toolset.ToolCall;
import dev.belay.toolset.ToolReply;
import dev.belay.toolset.Transcript;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the page says of its samples about one tool. */
class InputSamplesTest {

    private static final String ARGUMENTS = "{ \"query\": \"rope\" }";

    @Test
    void javadocDescribesToolAndFields() {
        assertThat(ToolDefinition.of(WebSearchArgs.class).spec()).satisfies(spec -> {
            assertThat(spec.name()).isEqualTo("web_search");
            assertThat(spec.description()).isEqualTo("Searches the web.");
            assertThat(spec.inputSchema().at("/properties/query/description").orElseThrow().asString())
                    .isEqualTo("The query to search for.");
            assertThat(spec.inputSchema().at("/required").orElseThrow().compact()).isEqualTo("[\"query\"]");
        });
    }

    @Test
    void completeTiesTheOutputToTheCall() {
        Round<SearchTools> round = round(new Transcript().user("Search.")
                .step(new ScriptedModel().call("web_search", ARGUMENTS))
                .tools(InputSamples.SEARCH)
                .run());
        ToolCall<SearchTools> call = round.expectOne();
        ToolReply reply = switch (call.input()) {
            case WebSearchArgs in -> InputSamples.answer(call, in);
            case Methods(var in) -> call.fail("not asked for");
        };
        assertThat(round.commit(List.of(reply))).isEqualTo(new RoundEnd.Committed(
                List.of(new ReplyPart("scripted_1", "web_search", ReplyPart.Status.OK,
                        "{\"snippets\":[\"scripted_1 web_search { \\\"query\\\": \\\"rope\\\" }\",\"rope\"]}"))));
    }

    @Test
    void methodIsATool() {
        ToolMethods web = ToolMethods.of(new InputSamples.Web());
        assertThat(web.definitions()).singleElement().satisfies(tool -> {
            assertThat(tool.name()).isEqualTo("web_search");
            assertThat(tool.spec()
                    .inputSchema()
                    .at("/properties/maxResults/description")
                    .orElseThrow()
                    .asString())
                    .isEqualTo("Maximum number of results to return.");
        });
    }

    @Test
    void hiddenParameterIsSuppliedAndNotShown() {
        ToolMethods web = ToolMethods.of(new InputSamples.TenantWeb());
        assertThat(web.definitions().getFirst().spec().inputSchema().at("/properties/tenant")).isEmpty();
        var request = new Transcript().user("Search.")
                .step(new ScriptedModel().call("tenant_search", ARGUMENTS))
                .tools(InputSamples.SEARCH)
                .fill(Methods.class, web);
        assertThatThrownBy(request::run).isInstanceOfSatisfying(BelayException.class,
                error -> assertThat(error.code()).isEqualTo("host_value_missing"));
        Round<SearchTools> round = round(request.supply(Tenant.class, () -> new Tenant("acme")).run());
        ToolCall<SearchTools> call = round.expectOne();
        ToolReply reply = switch (call.input()) {
            case WebSearchArgs in -> call.fail("not asked for");
            case Methods(var in) -> call.attempt(in, context -> web.execute(in, context));
        };
        assertThat(reply.outcome().text()).isEqualTo("{\"snippets\":[\"acme: rope\"]}");
    }

    private static Round<SearchTools> round(Step<SearchTools, String> step) {
        return switch (step) {
            case Step.NeedsTools(var round) -> round;
            case Step.Finished(var text) -> throw new AssertionError(text);
            case Step.Refused(var why) -> throw new AssertionError(why);
        };
    }
}

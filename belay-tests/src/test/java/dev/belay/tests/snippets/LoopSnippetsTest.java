package dev.belay.tests.snippets;

import static dev.belay.toolset.Decision.proceed;
import static dev.belay.toolset.Decision.reject;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.ToolChoice;
import dev.belay.model.ToolSpec;
import dev.belay.model.Usage;
import dev.belay.model.script.ScriptStep;
import dev.belay.model.script.ScriptedModel;
import dev.belay.tests.Project;
import dev.belay.tests.snippets.LoopSnippets.ShopTools;
import dev.belay.tool.ToolDefinition;
import dev.belay.toolset.CallIssue;
import dev.belay.toolset.Round;
import dev.belay.toolset.RoundPlan;
import dev.belay.toolset.StepException;
import dev.belay.toolset.StepOptions;
import dev.belay.toolset.StepRequest;
import dev.belay.toolset.ToolCall;
import dev.belay.toolset.ToolHooks;
import dev.belay.toolset.ToolStepRequest;
import dev.belay.toolset.Transcript;
import dev.belay.toolset.budget.BudgetPool;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What {@code docs/your-own-loop.md} and the pages after it say of their code. */
class LoopSnippetsTest {

    private final Transcript transcript = new Transcript().user("Please help.");
    private final ScriptedModel model = new ScriptedModel();

    @Test
    void methodToolRunsInItsPlace() {
        model.call("track_parcel", "{\"parcel\":\"P7\"}");
        assertThat(LoopSnippets.methods(transcript, model).outcome().text())
                .isEqualTo("P7 of acme is in Oslo");
        assertThat(offered()).containsExactly("find_orders", "buyer_get_customer", "track_parcel");
    }

    @Test
    void definitionsKnownAtRunTimeAreOffered() {
        model.reply("Fine.");
        LoopSnippets.definitions(transcript, model);
        assertThat(offered()).containsExactly("find_orders", "buyer_get_customer", "ping");
    }

    @Test
    void requestOffersDemandsAndDescribes() {
        model.reply("Fine.");
        LoopSnippets.offer(transcript, model);
        assertThat(offered())
                .containsExactly("find_orders", "refund", "buyer_get_customer", "seller_get_customer");
        assertThat(model.requests().getLast().toolChoice()).isEqualTo(ToolChoice.specific("refund"));
        assertThat(model.requests().getLast().tools().get(1).description())
                .isEqualTo("Pays money back, up to 100 euros.");
    }

    @Test
    void modelChoosesItsTools() {
        model.reply("{\"tools\": [\"refund\", \"find_orders\"]}").reply("Fine.");
        LoopSnippets.selection(transcript, model);
        assertThat(offered()).containsExactly("refund", "find_orders");
    }

    @Test
    void structuredAnswerIsAValueOrARefusal() {
        model.reply("{\"name\": \"Ada\", \"email\": \"ada@example.com\"}");
        assertThat(LoopSnippets.contact(transcript, model)).isEqualTo("Ada <ada@example.com>");
        model.refuse("No.");
        assertThat(LoopSnippets.contact(transcript, model)).isEqualTo("refused: No.");
    }

    @Test
    void wrongFormIsToldOnceAndThenThrown() {
        model.reply("Ada").reply("{\"name\": \"Ada\"}");
        assertThatThrownBy(() -> LoopSnippets.contact(transcript, model))
                .isInstanceOfSatisfying(StepException.class, error -> {
                    assertThat(error.code()).isEqualTo("invalid_structured_output");
                    assertThat(error.text()).isEqualTo("{\"name\": \"Ada\"}");
                });
        assertThat(transcript.messages()).hasSize(1);
    }

    @Test
    void streamIsAListener() {
        model.then(ScriptStep.text("Hello there").chunks(4));
        var screen = new StringBuilder();
        assertThat(LoopSnippets.listen(transcript, model, screen)).isEqualTo("Given[value=Hello there]");
        assertThat(screen).hasToString("Hello there");
    }

    @Test
    void poolKnowsWhatWasSpent() {
        model.then(ScriptStep.text("Hello").usage(Usage.of(1_000, 200)));
        BudgetPool pool = LoopSnippets.budget(transcript, model);
        assertThat(pool.spent()).isEqualTo(Usage.of(1_000, 200));
        assertThat(pool.reserved()).isEqualTo(Usage.of(0, 0));
        assertThat(transcript.usage()).isEqualTo(Usage.of(1_000, 200));
    }

    @Test
    void limitIsEnforcedAndWhatWasSpentIsRecorded() {
        model.then(ScriptStep.text("Hello").usage(Usage.of(9_000, 2_000)));
        assertThatThrownBy(() -> LoopSnippets.budget(transcript, model))
                .isInstanceOfSatisfying(StepException.class, error -> {
                    assertThat(error.code()).isEqualTo("resource_limit");
                    assertThat(error.text()).isEqualTo("Hello");
                });
        assertThat(transcript.usage()).isEqualTo(Usage.of(9_000, 2_000));
        assertThat(transcript.messages()).hasSize(1);
    }

    @Test
    void forkGoesItsOwnWayAndEphemeralMessagesLeave() {
        model.reply("Hello.").reply("Bonjour.");
        var kept = LoopSnippets.forks(transcript, model);
        assertThat(kept.getFirst()).contains("Hello.").doesNotContain("Friday", "French");
        assertThat(kept.getLast()).contains("French", "Bonjour.").doesNotContain("Friday", "Hello.");
        assertThat(model.requests()).allSatisfy(
                request -> assertThat(request.messages()).contains(Message.system("Today is Friday.")));
    }

    @Test
    void callsMayRunOnSeveralThreads() throws Exception {
        LoopSnippets.parallel(ask(ScriptStep.call("find_orders", "{\"customer\":\"a\"}")
                .andCall("buyer_get_customer", "{\"email\":\"b\"}")));
        assertThat(told()).containsExactly("[42]", "buyer b");
    }

    @Test
    void issueIsAnsweredByYouOrAutomatically() {
        LoopSnippets.answerIssues(ask(ScriptStep.call("refund", "{\"order\":42}")
                .andCall("find_orders", "{")
                .andCall("find_orders", "{\"customer\":\"a\"}")));
        assertThat(told()).first().isEqualTo("Rejected: ask a person to refund");
        assertThat(told()).element(1).asString().startsWith("Error (malformed_arguments)");
        assertThat(told()).last().isEqualTo("[42]");
    }

    @Test
    void secondPassSeesWhatIsPending() {
        ToolHooks<ShopTools> none = ToolHooks.of(LoopSnippets.TOOLS);
        RoundPlan<ShopTools> plan = LoopSnippets.passes(
                ask(ScriptStep.call("find_orders", "{\"customer\":\"a\"}")
                        .andCall("find_orders", "{\"customer\":\"b\"}")),
                none.on(ShopTools.FindOrders.class,
                        (call, in) -> in.customer().equals("a") ? reject("first pass") : proceed(in)),
                none.onEvery((call, in) -> reject("second pass")));
        assertThat(plan.rejected()).extracting(rejected -> rejected.reply().outcome().text())
                .containsExactly("Rejected: first pass", "Rejected: second pass");
    }

    @Test
    void oneCallAloneMayBeHooked() {
        ToolCall<ShopTools> call = ask(ScriptStep.call("find_orders", "{\"customer\":\"a\"}")).expectOne();
        ToolHooks<ShopTools> hooks = ToolHooks.of(LoopSnippets.TOOLS);
        assertThat(LoopSnippets.alone(call, hooks).outcome().text()).isEqualTo("[42]");
        assertThat(LoopSnippets.alone(call, hooks.onEvery((info, in) -> reject("no"))).outcome().text())
                .isEqualTo("Rejected: no");
        assertThat(LoopSnippets.alone(call, hooks.onEvery((info, in) -> {
            throw new IllegalStateException("broken");
        })).outcome().text()).isEqualTo(
                "Error (before_hook_failed): a check before find_orders failed, so it was not run");
    }

    @Test
    void hookSeesDynamicCalls() {
        model.call("ping", "{}");
        var ping = ToolDefinition.raw("ping", "Pings.", Json.of("{\"type\":\"object\"}"));
        Round<ShopTools> round = LoopSnippets.round(transcript.step(model)
                .tools(LoopSnippets.TOOLS)
                .fill(ShopTools.Extra.class, List.of(ping))
                .run());
        assertThat(round.apply(LoopSnippets.DYNAMIC).rejected()).hasSize(1);
    }

    @Test
    void closedRoundIsDiscardedUnlessCommitted() {
        LoopSnippets.close(ask(ScriptStep.call("find_orders", "{\"customer\":\"a\"}")));
        assertThat(transcript.messages()).hasSize(3);
        Round<ShopTools> round = ask(ScriptStep.call("find_orders", "{\"customer\":\"a\"}"));
        round.close();
        assertThat(transcript.messages()).hasSize(3);
        assertThatThrownBy(() -> round.commit(List.of())).hasMessageContaining("round_closed");
        assertThatThrownBy(() -> LoopSnippets.execute(round.calls().getFirst()))
                .hasMessageContaining("round_closed");
    }

    /** Users find a method only if a page names it. */
    @Test
    void everyMethodOfTheLoopIsOnAPage() {
        String pages = Stream.of("your-own-loop", "own-loop-rounds", "own-loop-running")
                .map(page -> Project.here().read("docs/" + page + ".md"))
                .collect(Collectors.joining());
        Set<String> everywhere = Set.of("equals", "hashCode", "toString");
        assertThat(Stream.of(Transcript.class, StepOptions.class, StepRequest.class, ToolStepRequest.class,
                Round.class, RoundPlan.class, ToolCall.class, CallIssue.class, ToolHooks.class)
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
                .map(Method::getName)
                .filter(name -> !everywhere.contains(name))
                .distinct()).isNotEmpty()
                .allSatisfy(name -> assertThat(pages).containsPattern("\\b" + name + "\\("));
    }

    private Round<ShopTools> ask(ScriptStep script) {
        return LoopSnippets
                .round(transcript.step(new ScriptedModel().then(script)).tools(LoopSnippets.TOOLS).run());
    }

    private List<String> offered() {
        return model.requests().getLast().tools().stream().map(ToolSpec::name).toList();
    }

    private List<String> told() {
        return ((Message.ToolMessage) transcript.messages().getLast()).replies()
                .stream()
                .map(ReplyPart::text)
                .toList();
    }
}

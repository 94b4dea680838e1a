package dev.belay.tests.snippets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.model.Message;
import dev.belay.model.ModelException;
import dev.belay.model.ModelRequest;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.script.ScriptedModel;
import dev.belay.tests.Project;
import dev.belay.tool.ToolCaller;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What {@code docs/model-vocabulary.md} says of its code. */
class ModelSnippetsTest {

    private static final ModelRequest ASK = ModelRequest.of(Message.user("How much is in account A?"));

    @Test
    void conversationIsWellFormed() {
        assertThat(ModelSnippets.conversation()).hasSize(4);
    }

    @Test
    void outcomeBecomesAReply() {
        var reply = ModelSnippets.reply(ToolCaller.of(ToolSnippets.accounts()),
                new CallPart("call_1", "balance", "{}"));
        assertThat(reply.status()).isEqualTo(ReplyPart.Status.ERROR);
        assertThat(reply.text()).startsWith("Error (invalid_arguments)");
    }

    @Test
    void scriptAnswersInOrderAndRulesComeFirst() {
        var model = ModelSnippets.script();
        assertThat(model.complete(ASK).calls()).singleElement().satisfies(call -> {
            assertThat(call.name()).isEqualTo("balance");
            assertThat(call.id()).isEqualTo("scripted_1");
        });
        assertThat(model.complete(ModelRequest.of(Message.user("hello"))).text()).isEqualTo("Hello!");
        assertThat(model.complete(ASK).text()).isEqualTo("There are 12.50 in it.");
        assertThatThrownBy(() -> model.complete(ASK)).isInstanceOfSatisfying(ModelException.class, error -> {
            assertThat(error.code()).isEqualTo("model_rate_limited");
            assertThat(error.retryable()).isTrue();
        });
        model.assertExhausted();
        assertThatThrownBy(() -> model.complete(ASK)).hasMessageContaining("the script has no answer");
    }

    @Test
    void streamIsAListener() {
        assertThat(ModelSnippets.stream()).isEqualTo(List.of("He", "ll", "o!", "Hello!"));
    }

    @Test
    void linesReadAsThePageSays() {
        assertThat(Project.here().read("docs/model-vocabulary.md"))
                .contains("```json\n" + ModelSnippets.JSONL + "```");
        ScriptedModel model = ModelSnippets.lines();
        assertThat(model.complete(ASK).calls()).extracting(CallPart::arguments)
                .containsExactly("{\"account\": \"A\"}");
        assertThat(model.complete(ASK).usage().total()).hasValue(129);
        assertThatThrownBy(() -> model.complete(ASK)).isInstanceOfSatisfying(ModelException.class,
                error -> assertThat(error.retryAfter()).contains(Duration.ofSeconds(2)));
        assertThat(model.complete(ModelRequest.of(Message.user("hello"))).text()).isEqualTo("Hello!");
        model.assertExhausted();
    }
}

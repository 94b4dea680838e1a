package dev.belay.model.openai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Usage;
import dev.belay.model.http.AnswerDetails;
import dev.belay.model.http.AnswerDetails.Citation;
import dev.belay.model.http.AnswerDetails.ToolUse;
import dev.belay.testkit.model.WireAnswer;
import dev.belay.testkit.model.WireServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an answer of OpenAI's protocols holds besides its parts. */
@Timeout(60)
class AnswerDetailsTest {

    private final WireServer server = WireServer.start();

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void searchesAndCitationsOfResponses() {
        String search = """
                {"type":"web_search_call","id":"ws_1","status":"completed","action":{"type":"search","query":"oslo"}}""";
        String note = """
                {"type":"url_citation","start_index":0,"end_index":5,"url":"https://example.org/oslo","title":"Oslo"}""";
        server.play(WireAnswer.json("{\"id\":\"r\",\"status\":\"completed\",\"model\":\"m\",\"output\":["
                + search
                + ",{\"type\":\"message\",\"id\":\"msg\",\"content\":[{\"type\":\"output_text\",\"text\":\"Rain.\",\"annotations\":["
                + note + "]}]}]}"));
        ModelResponse response = ask(OpenAiApi.RESPONSES);
        assertThat(response.text()).isEqualTo("Rain.");
        assertThat(OpenAiModel.details(response.message())).isEqualTo(new AnswerDetails(
                List.of(new ToolUse("web_search", "ws_1", List.of(Json.of(search)))),
                List.of(new Citation("https://example.org/oslo", "Oslo", "", Json.of(note))), "", Map.of()));
    }

    @Test
    void toolsAndCitationsOfChat() {
        String note = """
                {"type":"url_citation","url_citation":{"url":"https://example.org/a","title":"A","content":"Words."}}""";
        String use = "{\"index\":0,\"type\":\"search\",\"arguments\":\"{}\",\"output\":\"found\"}";
        server.play(WireAnswer
                .json("{\"id\":\"c\",\"model\":\"m\",\"choices\":[{\"index\":0,\"finish_reason\":\"stop\","
                        + "\"message\":{\"role\":\"assistant\",\"content\":\"Rain.\",\"annotations\":[" + note
                        + "],\"executed_tools\":[" + use + "]}}]}"));
        ModelResponse response = ask(OpenAiApi.CHAT_COMPLETIONS);
        assertThat(OpenAiModel.details(response.message())).isEqualTo(
                new AnswerDetails(List.of(new ToolUse("search", "", List.of(Json.of(use)))),
                        List.of(new Citation("https://example.org/a", "A", "Words.", Json.of(note))), "",
                        Map.of()));
        server.play(WireAnswer
                .json("{\"id\":\"c\",\"model\":\"m\",\"choices\":[{\"index\":0,\"finish_reason\":\"stop\","
                        + "\"message\":{\"role\":\"assistant\",\"content\":\"Yes.\"}}]}"));
        model(OpenAiApi.CHAT_COMPLETIONS)
                .complete(ModelRequest.of(Message.user("Hi"), response.message(), Message.user("And?")));
        assertThat(server.requests().getLast().json().at("/messages/1/annotations")).isPresent();
        assertThat(server.requests().getLast().json().at("/messages/1/executed_tools"))
                .as("Groq does not take it back")
                .isEmpty();
    }

    @Test
    void anAnswerOfAnotherProviderHasNone() {
        assertThat(OpenAiModel.details(new Message.AssistantMessage(List.of())))
                .isEqualTo(AnswerDetails.NONE);
    }

    @Test
    void countsThatGroqNestsInAStreamAreCounted() {
        server.play(WireAnswer.stream(List.of(
                "data: {\"id\":\"q\",\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi\"}}]}\n\n",
                "data: {\"id\":\"q\",\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}],"
                        + "\"x_groq\":{\"id\":\"req\",\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":2,\"total_tokens\":9}}}\n\n",
                "data: [DONE]\n\n")));
        assertThat(ask(OpenAiApi.CHAT_COMPLETIONS).usage()).isEqualTo(Usage.of(7, 2));
    }

    private ModelResponse ask(OpenAiApi api) {
        return model(api).complete(ModelRequest.of(Message.user("Hi")));
    }

    private OpenAiModel model(OpenAiApi api) {
        return OpenAiModel.builder("m").baseUrl(server.url().toString()).api(api).build();
    }
}

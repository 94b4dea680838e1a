package dev.belay.tests.snippets;

import dev.belay.model.Message;
import dev.belay.model.ModelEvent;
import dev.belay.model.ModelException;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.script.RequestMatcher;
import dev.belay.model.script.ScriptStep;
import dev.belay.model.script.ScriptedModel;
import dev.belay.tool.ToolCaller;
import dev.belay.tool.ToolOutcome;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;

/** The code of {@code docs/model-vocabulary.md}. */
final class ModelSnippets {

    private ModelSnippets() {}

    static List<Message> conversation() {
        // region conversation
        var call = new CallPart("call_1", "balance", "{\"account\": \"A\"}");
        List<Message> messages = List.of(
                Message.system("You are a clerk."),
                Message.user("How much is in account A?"),
                Message.assistant(call),
                Message.replies(new ReplyPart("call_1", "balance", ReplyPart.Status.OK, "12.50")));
        ModelRequest request = ModelRequest.of(messages.toArray(Message[]::new));
        // endregion
        return request.messages();
    }

    static ReplyPart reply(ToolCaller caller, CallPart call) {
        // region reply
        ToolOutcome outcome = caller.call(call.name(), call.arguments());
        return new ReplyPart(call.id(), call.name(), outcome.status(), outcome.text());
        // endregion
    }

    static ScriptedModel script() {
        // region script
        var model = new ScriptedModel()
                .call("balance", "{\"account\": \"A\"}")
                .reply("There are 12.50 in it.")
                .error(new ModelException(ModelException.Kind.RATE_LIMITED, "too many requests"))
                .when(RequestMatcher.lastUserTextContains("hello"), ScriptStep.text("Hello!").chunks(2));
        // endregion
        return model;
    }

    static List<String> stream() {
        var model = script();
        // region stream
        List<String> pieces = new ArrayList<>();
        ModelResponse response = model.complete(ModelRequest.of(Message.user("hello")), event -> {
            if (event instanceof ModelEvent.TextDelta(String chunk)) {
                pieces.add(chunk); // "He", "ll", "o!"
            }
        });
        // endregion
        pieces.add(response.text());
        return pieces;
    }

    static final String JSONL = """
            {"reasoning": "I need the balance.", "calls": [{"name": "balance", "arguments": {"account": "A"}}]}
            {"text": "There are 12.50 in it.", "usage": {"input": 120, "output": 9}}
            {"error": {"kind": "unavailable", "message": "try later", "retry_after_seconds": 2}}
            {"when": {"last_user_text_contains": "hello"}, "once": true, "text": "Hello!", "chunks": 2}
            """;

    static ScriptedModel lines() {
        String text = JSONL;
        // region lines
        ScriptedModel model = ScriptedModel.fromJsonl(new StringReader(text));
        // endregion
        return model;
    }
}

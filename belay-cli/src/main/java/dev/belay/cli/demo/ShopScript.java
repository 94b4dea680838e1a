package dev.belay.cli.demo;

import dev.belay.model.FinishReason;
import dev.belay.model.Message;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part;
import dev.belay.model.Usage;
import dev.belay.model.script.ScriptStep;
import dev.belay.model.script.ScriptedModel;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the model of the demo says. Each answer goes by what the conversation has, so that a new process goes on where the last one
 * was killed. Stateless.
 */
final class ShopScript {

    static final String TASK = "We need two ropes for Saturday. Order them.";
    static final String QUESTION = "Did the payment go through?";
    private static final Pattern HANDLE = Pattern.compile("read_output\\(\"([^\"]+)\"\\)");

    private ShopScript() {}

    static ScriptedModel model() {
        return new ScriptedModel()
                .when(said(QUESTION).and(said("receipt R-1")),
                        ScriptStep.text("Yes: I was told meanwhile that it happened, with receipt R-1."))
                .when(said(QUESTION), ScriptStep.text("I still cannot tell."))
                .when(round(1),
                        ScriptStep.text("Let me look what is there.")
                                .andCall("stock", "{\"item\":\"rope\"}")
                                .andCall("stock", "{\"item\":\"harness\"}")
                                .andCall("stock", "{\"item\":\"chalk\"}"))
                .when(round(2), ScriptStep.call("price_list", "{}"))
                .when(round(3), ScriptStep.respond(ShopScript::page))
                .when(round(4), ScriptStep.call("reserve", "{\"item\":\"rope\",\"quantity\":\"two\"}"))
                .when(round(5), ScriptStep.call("reserve", "{\"item\":\"rope\",\"quantity\":1}")
                        .andCall("reserve", "{\"item\":\"rope\",\"quantity\":1}"))
                .when(round(6), ScriptStep.call("pay", "{\"to\":\"Ropes Ltd\",\"cents\":37800}"))
                .when(round(7).and(request -> last(request).startsWith("Rejected")),
                        ScriptStep.text("Two ropes are reserved. I did not pay: you said no."))
                .when(round(7),
                        ScriptStep.text("Two ropes are reserved. I asked the bank to pay, and cannot tell"
                                + " whether it did: look before you pay again."));
    }

    /** Reads the part of the price list that was cut, by the handle at its end. */
    private static ModelResponse page(ModelRequest request) {
        Matcher handle = HANDLE.matcher(last(request));
        String arguments = "{\"handle\":\"" + (handle.find() ? handle.group(1) : "") + "\",\"from\":"
                + Shop.FIRST_ROPE
                + ",\"lines\":1}";
        return new ModelResponse(
                new Message.AssistantMessage(List.of(new Part.CallPart("page", "read_output", arguments))),
                FinishReason.TOOL_CALLS, Usage.NONE, "script", "");
    }

    private static Predicate<ModelRequest> said(String text) {
        return request -> request.messages()
                .stream()
                .anyMatch(
                        message -> message instanceof Message.UserMessage user && user.text().contains(text));
    }

    private static Predicate<ModelRequest> round(int round) {
        return request -> request.messages()
                .stream()
                .filter(Message.AssistantMessage.class::isInstance)
                .count() == round
                        - 1;
    }

    private static String last(ModelRequest request) {
        return request.messages().getLast() instanceof Message.ToolMessage tool
                ? tool.replies().getLast().text()
                : "";
    }
}

package dev.belay.cli.demo;

import dev.belay.model.Message;
import dev.belay.model.ModelRequest;
import dev.belay.model.script.ScriptStep;
import dev.belay.model.script.ScriptedModel;
import java.util.function.Predicate;

/**
 * What the model of the demo says. Each answer goes by what the conversation has, so that a new process goes on where the last one
 * was killed. Stateless.
 */
final class ShopScript {

    static final String TASK = "We need two ropes for Saturday. Order them.";
    static final String QUESTION = "Did the payment go through?";
    /** The round of the turn in which the person is asked. */
    static final int ASKING = 4;
    /** The round of the turn that pays. */
    static final int PAYING = 5;

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
                .when(round(2), ScriptStep.call("reserve", "{\"item\":\"rope\",\"quantity\":\"two\"}"))
                .when(round(3), ScriptStep.call("reserve", "{\"item\":\"rope\",\"quantity\":1}")
                        .andCall("reserve", "{\"item\":\"rope\",\"quantity\":1}"))
                .when(round(ASKING), ScriptStep.call("ask_person",
                        "{\"question\":\"May I pay 378.00 for two ropes?\"}"))
                .when(round(PAYING).and(request -> last(request).startsWith("yes")),
                        ScriptStep.call("pay", "{\"to\":\"Ropes Ltd\",\"cents\":37800}"))
                .when(round(PAYING), ScriptStep.text("Two ropes are reserved. I did not pay: you said no."))
                .when(round(PAYING + 1),
                        ScriptStep.text("Two ropes are reserved. I asked the bank to pay, and cannot tell"
                                + " whether it did: look before you pay again."));
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

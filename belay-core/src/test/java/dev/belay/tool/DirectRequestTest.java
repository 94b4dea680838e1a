package dev.belay.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.model.Generation;
import dev.belay.model.Message;
import dev.belay.model.ModelListener;
import dev.belay.model.OutputSpec;
import dev.belay.tool.context.Attachments.Reference;
import dev.belay.tool.context.DirectModel.DirectRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Contract T.2: what a body may ask a model for. */
class DirectRequestTest {

    private static final Reference FILE = new Reference("0".repeat(64), "application/pdf", 9);
    private static final DirectRequest PLAIN = DirectRequest.of(Message.user("What is this?"));

    @Test
    void eachWithChangesOneThing() {
        ModelListener listener = event -> {};
        OutputSpec form = OutputSpec.schema("answer", Json.of("{\"type\":\"object\"}"));
        DirectRequest all = PLAIN.withModel("small")
                .withVariant("deep")
                .withAttachments(List.of(FILE))
                .withOutput(form)
                .withGeneration(Generation.PROVIDER_DECIDES.withSeed(7))
                .withListener(listener)
                .withReplayKey("first");
        assertThat(all).isEqualTo(new DirectRequest("small", "deep", List.of(Message.user("What is this?")),
                List.of(FILE), form, Generation.PROVIDER_DECIDES.withSeed(7), listener, "first"));
        assertThat(PLAIN.attachments()).as("the first one is as it was").isEmpty();
        assertThat(all.withAttachments(List.of()).attachments()).as("these and no others").isEmpty();
    }

    @Test
    void attachmentsStandBesideSomethingThatTheUserSays() {
        assertThatThrownBy(() -> DirectRequest.of(Message.system("Be short."), Message.assistant("I am."))
                .withAttachments(List.of(FILE))).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("last user message", "2 messages");
    }

    @Test
    void listsAreCopied() {
        List<Reference> files = new ArrayList<>(List.of(FILE));
        DirectRequest request = PLAIN.withAttachments(files);
        files.clear();
        assertThat(request.attachments()).containsExactly(FILE);
    }
}

package dev.belay.tests.snippets;

import dev.belay.model.Model;
import dev.belay.model.envelope.TextEnvelopeModel;
import dev.belay.model.envelope.ToolCallProbe;
import dev.belay.model.envelope.ToolCalling;
import dev.belay.tool.ToolInput;
import dev.belay.tool.Tools;
import dev.belay.toolset.Round;
import dev.belay.toolset.Step;
import dev.belay.toolset.ToolCall;
import dev.belay.toolset.ToolReply;
import dev.belay.toolset.Toolset;
import dev.belay.toolset.Transcript;
import java.util.ArrayList;
import java.util.List;

/** The code of {@code docs/text-envelope.md}. */
final class EnvelopeSnippets {

    private EnvelopeSnippets() {}

    /** What a clerk can do. */
    @Tools
    sealed interface ClerkTools {

        /** Tells how much is in an account. */
        record Balance(String account) implements ClerkTools, ToolInput<String> {}
    }

    static final Toolset<ClerkTools> TOOLS = Toolset.of(ClerkTools.class);

    static Model over(Model local) {
        // region over
        Model model = TextEnvelopeModel.over(local);
        // endregion
        return model;
    }

    static Model settings(Model local) {
        // region settings
        Model model = TextEnvelopeModel.over(local)
                .corrections(4) // default 2, at most 10
                .enforced(); // the server restricts the model to the shape
        // endregion
        return model;
    }

    static Model probe(Model local) {
        // region probe
        ToolCallProbe.Finding finding = ToolCallProbe.probe(local);
        Model model = finding.nativeCalls() ? local : TextEnvelopeModel.over(local);
        // endregion
        return model;
    }

    static Model choose(Model local) {
        // region choose
        Model model = ToolCalling.PROBE.apply(local);
        // endregion
        return model;
    }

    /** An ordinary loop, which knows nothing of envelopes. */
    static String loop(Transcript transcript, Model model) {
        while (true) {
            switch (transcript.step(model).tools(TOOLS).run()) {
                case Step.Finished<ClerkTools, String>(String answer) -> {
                    return answer;
                }
                case Step.Refused<ClerkTools, String>(String why) -> {
                    return why;
                }
                case Step.NeedsTools<ClerkTools, String>(Round<ClerkTools> round) -> {
                    List<ToolReply> replies = new ArrayList<>();
                    for (ToolCall<ClerkTools> call : round.calls()) {
                        replies.add(switch (call.input()) {
                            case ClerkTools.Balance in -> call.run(in, context -> "12.50");
                        });
                    }
                    round.commit(replies);
                }
            }
        }
    }
}

package dev.belay.cli.talk;

import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.verb.StoreVerb;
import dev.belay.model.Message;
import dev.belay.model.MessageJson;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.history.SentRequest;
import dev.belay.runtime.session.Session;
import dev.belay.schema.Shown;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code belay context}. */
@Command(name = "context", header = "Show what the model was sent: its prompt and the conversation.", description = {
    "",
    "Shows the last round of a turn that has ended, rebuilt from its records and compared with the hash of what was sent."})
final class ContextVerb extends StoreVerb {

    @Parameters(arity = "0..1", paramLabel = "SESSION", description = "Which. Default: the one that was used last.")
    private @Nullable String session;

    @Option(names = "--turn", paramLabel = "N", defaultValue = "0", description = "Of this turn. Default: the last one.")
    private long turn;

    @Option(names = "--round", paramLabel = "N", defaultValue = "0", description = "Of this round. Default: the last one.")
    private int round;

    @Override
    protected int with(BelayClient client) {
        Session found = existing(client, session == null ? TalkVerb.last(client) : session);
        long number = turn > 0 ? turn : found.head().orElseThrow().revision();
        SentRequest sent = (round > 0 ? found.request(number, round) : last(found, number))
                .orElseThrow(() -> CommandProblem
                        .notFound("no question to a model is kept there; 'belay sessions show "
                                + found.id() + "' lists turns that have ended"));
        if (isJson()) {
            sent.messages().forEach(message -> shell().out().line(MessageJson.of(message).text()));
            return ExitCode.DONE;
        }
        shell().out().remark("session " + found.id() + ", turn " + sent.turn() + ", round " + sent.round());
        sent.messages().forEach(this::show);
        sent.failed().forEach(left -> shell().out().remark("left out: " + left));
        return ExitCode.DONE;
    }

    private static Optional<SentRequest> last(Session found, long turn) {
        int round = 1;
        while (found.request(turn, round + 1).isPresent()) {
            round++;
        }
        return found.request(turn, round);
    }

    private void show(Message message) {
        switch (message) {
            case Message.SystemMessage(String text) -> said("system", text);
            case Message.UserMessage user -> said("user", user.text());
            case Message.AssistantMessage assistant -> {
                said("assistant", assistant.text());
                assistant.calls()
                        .forEach(call -> said("assistant calls " + Shown.name(call.name()),
                                call.arguments()));
            }
            case Message.ToolMessage tools -> tools.replies()
                    .forEach(reply -> said("result of " + Shown.name(reply.toolName()), reply.text()));
        }
    }

    private void said(String by, String text) {
        if (!text.isEmpty()) {
            shell().out().remark(by + ":");
            shell().out().quote(text);
        }
    }
}

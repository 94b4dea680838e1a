package dev.belay.cli.operate;

import dev.belay.cli.screen.Style;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.Output;
import dev.belay.cli.shell.ShortHandles;
import dev.belay.cli.shell.Times;
import dev.belay.cli.verb.SessionTitle;
import dev.belay.cli.verb.StoreVerb;
import dev.belay.model.Message;
import dev.belay.model.MessageJson;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.history.SentRequest;
import dev.belay.runtime.policy.AskedArguments;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.TurnCall;
import dev.belay.runtime.session.TurnInfo;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.TurnRow;
import dev.belay.schema.Shown;
import dev.belay.tool.ToolOutcome;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code belay sessions show}. */
@Command(name = "show", header = "Show the turns of a session, with their calls and how they ended.")
final class SessionShow extends StoreVerb {

    private static final int LINE = 160;

    @Parameters(paramLabel = "SESSION", description = "Which.")
    private String session = "";

    @Option(names = "--turn", paramLabel = "N", defaultValue = "0", description = "Only this turn.")
    private long turn;

    @Option(names = "--last", paramLabel = "N", defaultValue = "20", description = "Only the last turns. Default: ${DEFAULT-VALUE}.")
    private int last;

    @Option(names = "--messages", description = "The conversation as JSON, one message per line, instead.")
    private boolean messages;

    @Override
    protected int with(BelayClient client) {
        Session found = existing(client, session);
        if (messages) {
            for (Message message : found.messages()) {
                shell().out().line(MessageJson.of(message).text());
            }
            return ExitCode.DONE;
        }
        long revision = found.head().orElseThrow().revision();
        long from = turn > 0 ? turn : Math.max(1, revision + 2 - last);
        List<TurnInfo> turns = found.turns(from, turn > 0 ? 1 : last);
        for (TurnInfo info : turns) {
            if (isJson()) {
                json(found, info);
            } else {
                text(found, info);
            }
        }
        if (turns.isEmpty()) {
            shell().err().line("no turns");
        }
        return ExitCode.DONE;
    }

    private void text(Session found, TurnInfo info) {
        Output out = shell().out();
        out.remark("turn " + info.number() + "  " + Times.at(info.acceptedAt()), Style.HEADING);
        said(found, info).forEach(text -> out.remark("  you: " + Shown.inLine(text, LINE), Style.STRONG));
        for (TurnCall call : found.calls(info.number())) {
            out.remark("  " + Shown.name(call.tool()) + " "
                    + Shown.inLine(ShortHandles.in(call.arguments()), LINE));
            AskedArguments asked = call.asked();
            if (asked != null && asked.isChanged()) {
                out.remark("    a person changed this to " + Shown.inLine(asked.decided().compact(), LINE));
            }
            out.remark("    " + call.outcome()
                    .map(outcome -> "-> " + Shown.inLine(outcome.text(), LINE))
                    .orElse("(" + SessionForms.word(call.state()) + ")"));
        }
        out.remark(info.result().map(SessionShow::end).orElse("  (active)"));
    }

    /** What the user said in a turn. */
    private static List<String> said(Session found, TurnInfo info) {
        TurnRow.End end = info.row().end();
        List<Message> all = end == null
                ? found.request(info.number(), 1).map(SentRequest::messages).orElse(List.of())
                : found.messages();
        List<String> said = SessionTitle.users(end == null
                ? all
                : all.subList((int) Math.min(all.size(), end.firstMessage()),
                        (int) Math.min(all.size(), end.firstMessage() + end.messages())));
        return end == null && !said.isEmpty() ? List.of(said.getLast()) : said;
    }

    private static String end(TurnResult.Ended result) {
        String kind = switch (result) {
            case TurnResult.Finished finished -> "answer";
            case TurnResult.Refused refused -> "refused";
            case TurnResult.Stopped stopped -> "stopped, " + SessionForms.word(stopped.cause());
        };
        return "  " + kind + ": " + result.summary()
                + (result.doubts().isEmpty() ? "" : "\n  in doubt: " + String.join(", ", result.doubts()));
    }

    private void json(Session found, TurnInfo info) {
        print(out -> {
            out.name("turn").value(info.number()).name("accepted").value(info.acceptedAt().toString());
            out.name("calls").beginArray();
            for (TurnCall call : found.calls(info.number())) {
                out.beginObject();
                out.name("round").value(call.round()).name("call").value(call.id());
                out.name("tool").value(call.tool()).name("arguments").value(call.arguments());
                if (call.asked() != null) {
                    out.name("asked").value(call.asked().toJson());
                }
                out.name("state").value(SessionForms.word(call.state()));
                call.outcome().ifPresent(outcome -> {
                    out.name("status").value(SessionForms.word(outcome.status()));
                    outcome.code().ifPresent(code -> out.name("code").value(code));
                    out.name("text").value(text(outcome));
                });
                out.endObject();
            }
            out.endArray();
            info.result().ifPresent(result -> out.name("result").value(result.toJson()));
        });
    }

    private static String text(ToolOutcome outcome) {
        return outcome.text();
    }
}

package dev.belay.examples.longrun;

import dev.belay.model.Message;
import dev.belay.model.TokenFamily;
import dev.belay.runtime.Belay;
import dev.belay.runtime.history.Compaction;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.TurnResult;
import dev.belay.schema.Description;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolEffect;
import java.io.PrintStream;
import java.util.List;

/** 300 turns with outputs of up to 5 MB, in a context of 32,000 tokens. */
public final class Main {

    static final int TURNS = 300;
    static final int CONTEXT = 32_000;

    private Main() {}

    /** The tool: a log of a size that depends on the day. */
    public static final class Logs {

        private static final String LINE = "12:00:00 INFO dev.belay.turn - turn 17 of session s-88213 was committed\n";
        private long characters;

        /** Reads the log of a day. */
        @Tool(effect = ToolEffect.READ)
        @Description("Reads the log of a day.")
        public String readLog(@Description("Which day, from 0.") int day) {
            String log = LINE.repeat(day % 50 == 49 ? (5 << 20) / LINE.length() : 10 + day % 40 * 10);
            characters += log.length();
            return log;
        }
    }

    /**
     * What came of it.
     *
     * @param finished how many turns have an answer
     * @param largest the estimate of the largest request
     * @param steps what was decided about the history
     * @param summaries how many summaries the model was asked for
     * @param cut how many outputs the model was shown in part
     * @param pages how many of those it has searched
     */
    record Report(int finished, long largest, List<Compaction> steps, int summaries, long cut, int pages) {}

    public static void main(String[] args) throws InterruptedException {
        run(System.out);
    }

    static Report run(PrintStream out) throws InterruptedException {
        var model = new ReadingModel(TokenFamily.O200K);
        var logs = new Logs();
        try (Belay belay = Belay.builder()
                .model(model)
                .toolMethods(logs)
                .instructions("You answer questions about logs.")
                .maxContextTokens(CONTEXT)
                .build()) {
            Session session = belay.session("long-run");
            int finished = 0;
            for (int day = 0; day < TURNS; day++) {
                TurnResult.Ended result = session.turn("What happened on day " + day + "?").run().ended();
                finished += result instanceof TurnResult.Finished ? 1 : 0;
            }
            var report = new Report(finished, model.largest(), session.history(), model.summaries(),
                    cut(session), model.pages());
            print(out, report, logs.characters, session);
            return report;
        }
    }

    private static void print(PrintStream out, Report report, long characters, Session session) {
        List<Compaction> steps = report.steps();
        out.println(report.finished() + " of " + TURNS + " turns were answered; tools gave "
                + characters / 1_000_000 + " million characters.");
        out.println(
                "The largest request had " + report.largest() + " tokens; the context has " + CONTEXT + ".");
        out.println("kept:       all " + session.messages().size() + " messages of the conversation");
        out.println("cut:        " + report.cut() + " outputs to the budget, "
                + steps.stream().mapToInt(Compaction::shortened).sum() + " old ones to their heads");
        out.println("paged:      " + report.pages() + " outputs were searched by their handles");
        out.println("summarised: " + steps.stream().mapToInt(Compaction::dropped).sum() + " messages in "
                + report.summaries() + " summaries");
        out.println("steps:      " + steps.size() + ", of which the last");
        steps.stream()
                .skip(Math.max(0, steps.size() - 3))
                .forEach(step -> out.println("  before round "
                        + step.round() + " of turn " + step.turn() + ": from " + step.tokensBefore() + " to "
                        + step.tokensAfter() + " tokens"));
        session.request(TURNS, 1)
                .ifPresent(sent -> out.println("In the last turn the model was sent " + sent.messages().size()
                        + " messages; the second one begins: "
                        + firstLine(sent.messages().get(1).toString())));
    }

    /** How many outputs have a handle. */
    private static long cut(Session session) {
        return session.messages()
                .stream()
                .filter(Message.ToolMessage.class::isInstance)
                .flatMap(message -> ((Message.ToolMessage) message).replies().stream())
                .filter(reply -> reply.text().contains("Full output: read_output("))
                .count();
    }

    private static String firstLine(String text) {
        String line = text.lines().findFirst().orElse("");
        return line.length() > 100 ? line.substring(0, 100) + "…" : line;
    }
}

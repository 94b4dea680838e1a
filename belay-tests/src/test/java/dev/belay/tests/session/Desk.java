package dev.belay.tests.session;

import dev.belay.model.Part.CallPart;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.tests.session.DeskTools.Ask;
import dev.belay.tests.session.DeskTools.Lock;
import dev.belay.tests.session.DeskTools.Look;
import dev.belay.tests.session.DeskTools.Pay;
import dev.belay.tool.ToolResult;
import dev.belay.toolset.Round;
import dev.belay.toolset.RoundEnd;
import dev.belay.toolset.Step;
import dev.belay.toolset.ToolCall;
import dev.belay.toolset.ToolReply;
import dev.belay.toolset.Toolset;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;

/** A program with a loop of its own: answers calls at a desk, and remembers what it has done. */
final class Desk {

    static final Toolset<DeskTools> TOOLS = Toolset.of(DeskTools.class);
    static final CallPart LOOK = new CallPart("a", "look", "{\"at\":\"sky\"}");
    static final CallPart PAY = new CallPart("b", "pay", "{\"amount\":5}");
    static final CallPart ASK = new CallPart("c", "ask", "{\"question\":\"ok?\"}");

    /** Bodies that ran. */
    final List<String> ran = new CopyOnWriteArrayList<>();
    /** Keys that were handed out. */
    final BlockingQueue<String> tokens = new LinkedBlockingQueue<>();

    ToolReply execute(ToolCall<DeskTools> call) {
        return switch (call.input()) {
            case Look in -> call.run(in, ctx -> {
                ran.add("look " + in.at());
                return "saw " + in.at();
            });
            case Pay in -> call.run(in, ctx -> {
                ran.add("pay " + in.amount() + " " + ctx.idempotencyKey().value().length());
                return "paid " + in.amount();
            });
            case Lock in -> call.run(in, ctx -> "worked on " + in.id());
            case Ask in -> call.attempt(in, ctx -> {
                tokens.add(ctx.completionKey().token());
                ran.add("ask " + in.question());
                return ToolResult.pending();
            });
        };
    }

    /** The loop of the documentation: what came of it, or "parked". */
    String loop(OpenTurn turn) {
        while (true) {
            switch (turn.step().tools(TOOLS).run()) {
                case Step.Finished<DeskTools, String>(String text) -> {
                    return text;
                }
                case Step.Refused<DeskTools, String>(String why) -> {
                    return why;
                }
                case Step.NeedsTools<DeskTools, String>(var round) -> {
                    if (commit(round) instanceof RoundEnd.Parked) {
                        return "parked";
                    }
                }
            }
        }
    }

    /** Runs all calls of a round, one after the other, and commits it. */
    RoundEnd commit(Round<DeskTools> round) {
        return round.commit(round.calls().stream().map(this::execute).toList());
    }

    /** The next round; there must be one. */
    static Round<DeskTools> round(OpenTurn turn) {
        return ((Step.NeedsTools<DeskTools, String>) turn.step().tools(TOOLS).run()).round();
    }
}

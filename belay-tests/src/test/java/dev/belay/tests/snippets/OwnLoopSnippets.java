package dev.belay.tests.snippets;

import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.session.OpenTurnState;
import dev.belay.runtime.session.TurnResult;
import dev.belay.schema.Description;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolInput;
import dev.belay.tool.ToolResult;
import dev.belay.tool.Tools;
import dev.belay.toolset.RoundEnd;
import dev.belay.toolset.Step;
import dev.belay.toolset.ToolCall;
import dev.belay.toolset.ToolReply;
import dev.belay.toolset.Toolset;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/** The code of {@code docs/own-loop-durable.md} and of open turns in {@code docs/operations-repair.md}. */
final class OwnLoopSnippets {

    private final Consumer<String> mail;

    OwnLoopSnippets(Consumer<String> mail) {
        this.mail = mail;
    }

    // region tools
    @Tools
    sealed interface DeskTools {

        @Description("Finds the total of an order.")
        @Tool(effect = ToolEffect.READ)
        record FindTotal(long orderId) implements DeskTools, ToolInput<Integer> {}

        @Description("Asks the boss whether an order may be refunded.")
        @Tool(effect = ToolEffect.IDEMPOTENT)
        record AskBoss(long orderId) implements DeskTools, ToolInput<Boolean> {}
    }

    static final Toolset<DeskTools> TOOLS = Toolset.of(DeskTools.class);

    ToolReply execute(ToolCall<DeskTools> call) {
        return switch (call.input()) {
            case DeskTools.FindTotal in -> call.run(in, ctx -> 1290);
            case DeskTools.AskBoss in -> call.attempt(in, ctx -> {
                mail.accept("May we refund " + in.orderId() + "? Answer with " + ctx.completionKey().token());
                return ToolResult.pending(); // days may pass
            });
        };
    }
    // endregion

    // region loop
    /** The text of the turn; empty if the turn is parked. */
    Optional<String> loop(OpenTurn turn) {
        while (true) {
            switch (turn.step().tools(TOOLS).run()) {
                case Step.Finished<DeskTools, String>(String text) -> {
                    return Optional.of(text);
                }
                case Step.Refused<DeskTools, String>(String why) -> {
                    return Optional.of(why);
                }
                case Step.NeedsTools<DeskTools, String>(var round) -> {
                    RoundEnd end = round.commit(round.calls().stream().map(this::execute).toList());
                    if (end instanceof RoundEnd.Parked) {
                        return Optional.empty(); // this loop is called again when every key is settled
                    }
                }
            }
        }
    }

    Optional<String> refund(Belay belay, String requestId) {
        try (OpenTurn turn = belay.session("order-42").begin("Refund order 42", requestId, "desk")) {
            return turn.result().map(TurnResult.Ended::text).or(() -> loop(turn));
        } // closing commits a turn that has finished
    }

    Belay open(Model model, Path file) {
        Belay belay = Belay.builder().model(model).store(JdbcStore.sqlite(file)).build();
        belay.onReady("desk", this::loop); // continues turns that waited or whose process died
        return belay;
    }
    // endregion

    // region both
    Belay both(Model model) {
        return Belay.builder()
                .model(model)
                .tools(TOOLS.executedBy(this::execute)) // the same method, in the runtime's loop
                .build();
    }
    // endregion

    // region open
    static void giveUp(Belay belay) {
        for (OpenTurnState open : belay.openTurns(null, 100)) {
            if (open.phase() == OpenTurnState.Phase.WAITING && open.loop() == null) {
                belay.abandon(open, "no loop will continue it");
            }
        }
    }
    // endregion
}

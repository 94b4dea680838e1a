package dev.belay.toolset.loop;

import dev.belay.model.Part.ReplyPart;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.call.BodyRunner;
import dev.belay.tool.context.IdempotencyKey;
import dev.belay.tool.context.Incarnation;
import dev.belay.tool.context.ToolContexts;
import java.util.List;
import java.util.Optional;

/**
 * Runs bodies at once, on the caller's thread.
 *
 * @param incarnation keeps idempotency keys apart from those of other transcripts
 */
public record PlainBackend(Incarnation incarnation) implements RoundBackend {

    @Override
    public CallReply run(RoundState round, int index, ToolEntry<?> entry, Body body) {
        var place = new IdempotencyKey.Place(incarnation, 0, round.number(), index);
        ToolOutcome outcome = ToolContexts.plain(round.callId(index), place, entry.definition().id(),
                round.host(), context -> BodyRunner.runPlain(entry.definition(), () -> body.run(context)));
        return CallReply.of(round, index, outcome);
    }

    @Override
    public Optional<List<ReplyPart>> settle(RoundState round, List<CallReply> replies) {
        return Optional.of(replies.stream().map(CallReply::part).toList());
    }

    @Override
    public boolean isHosted() {
        return false;
    }
}

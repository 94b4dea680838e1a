package dev.belay.toolset;

import dev.belay.model.Message;
import dev.belay.model.Part.ReplyPart;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.call.BodyRunner;
import dev.belay.tool.context.HostValues;
import dev.belay.tool.context.IdempotencyKey;
import dev.belay.tool.context.ToolContexts;
import java.util.List;
import java.util.Optional;

/**
 * A transcript with nothing behind it: bodies run here and now, on the caller's thread.
 *
 * @param transcript where rounds are committed
 */
record PlainBackend(Transcript transcript) implements RoundBackend {

    @Override
    public long version() {
        return transcript.version();
    }

    @Override
    public boolean append(long version, List<? extends Message> messages) {
        return transcript.commit(version, messages);
    }

    @Override
    public ToolReply run(RoundState round, int index, ToolEntry<?> entry, ToolCall.Body<?> body) {
        var place = new IdempotencyKey.Place(transcript.incarnation(), 0, round.number(), index);
        ToolOutcome outcome = ToolContexts.plain(round.callId(index), place, entry.definition().id(),
                round.host(), context -> BodyRunner.runPlain(entry.definition(), () -> body.run(context)));
        return new ToolReply(round, index, outcome);
    }

    @Override
    public Optional<List<ReplyPart>> settle(RoundState round, List<ToolReply> replies) {
        return Optional.of(replies.stream().map(ToolReply::part).toList());
    }

    @Override
    public HostValues hostValues() {
        return HostValues.NONE;
    }

    @Override
    public boolean isCurrent(int number) {
        return true;
    }

    @Override
    public boolean isHosted() {
        return false;
    }
}

package dev.belay.runtime.session.history;

import dev.belay.json.Json;
import dev.belay.runtime.effect.Effect;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.plugin.HistoryHook.Reason;
import dev.belay.tool.ToolEffect;
import java.util.List;
import java.util.function.Function;

/**
 * A compaction before a round. It has no place in the order of effects: whether there is one depends on estimates.
 *
 * @param round which
 * @param reason why
 * @param pausedBy keys of pauses that hold it
 * @param work makes it; told whether a process that died may have made it before
 */
record CompactEffect(int round, Reason reason, List<String> pausedBy,
        Function<Boolean, CompactionRecord> work) implements Effect<CompactionRecord> {

    /** One before a round, and one more if the provider refuses what that left. */
    static EffectKey key(int round, Reason reason) {
        return new EffectKey("compact/" + round + (reason == Reason.REFUSED ? "/refused" : ""));
    }

    @Override
    public EffectKey key() {
        return key(round, reason);
    }

    @Override
    public String kind() {
        return "compact";
    }

    @Override
    public boolean isOrdered() {
        return false;
    }

    @Override
    public Json identity() {
        return Json.EMPTY_OBJECT;
    }

    @Override
    public Plan plan() {
        return Plan.of(ToolEffect.READ, Json.EMPTY_OBJECT);
    }

    @Override
    public CompactionRecord run(Running running) {
        return work.apply(running.perhapsBefore());
    }

    @Override
    public Json encode(CompactionRecord value) {
        return value.toJson();
    }

    @Override
    public CompactionRecord decode(Json recorded) {
        return CompactionRecord.of(recorded);
    }

    /** Never asked: it may be repeated. */
    @Override
    public CompactionRecord doubt(Running started) {
        return work.apply(true);
    }
}

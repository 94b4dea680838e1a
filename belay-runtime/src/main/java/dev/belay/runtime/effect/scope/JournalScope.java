package dev.belay.runtime.effect.scope;

import dev.belay.json.Json;
import dev.belay.runtime.effect.ChildCommand;
import dev.belay.runtime.effect.Deadline;
import dev.belay.runtime.effect.Effect;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.ReplayMismatchException;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.store.journal.ClaimedScope;
import dev.belay.runtime.store.journal.Journal;
import dev.belay.runtime.store.journal.Journal.EffectRow;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.runtime.store.journal.ScopeEnding;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.call.FramedHash;
import dev.belay.tool.context.Attachments;
import dev.belay.tool.context.Cancellation;
import dev.belay.tool.context.CompletionKey;
import dev.belay.tool.context.Fence;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One entry into a scope, or into a child of it: a child is a prefix of the keys and costs no write. Confined to one thread at a
 * time.
 */
final class JournalScope implements ClaimedScope {

    private final LiveScope live;
    private final String path;
    private final ChildGroup.@Nullable Child child;
    private final EntryState entry;
    private final ScopeWaits waits;
    private int ordinal;

    JournalScope(LiveScope live, String path, ChildGroup.@Nullable Child child) {
        this.live = live;
        this.path = path;
        this.child = child;
        this.entry = new EntryState(live);
        this.waits = new ScopeWaits(this, live, path);
    }

    EntryState entry() {
        return entry;
    }

    @Override
    public ScopeId id() {
        return live.claim().scope();
    }

    @Override
    public <T> T run(Effect<T> effect) {
        entry.begin();
        int before = ordinal;
        try {
            return entry.guarded(() -> issue(effect));
        } catch (Throwable e) {
            if (!live.memory().isRecorded(path + effect.key().value())) {
                ordinal = before; // asked again, it is asked at the same place
            }
            throw e;
        }
    }

    private <T> T issue(Effect<T> effect) {
        String key = path + effect.key().value();
        Json identity = effect.identity();
        var request = new EffectDecision.Request(new FramedHash().add(identity.canonical()).hex(), identity,
                ordinal++,
                live.claim().fence());
        while (true) {
            EffectRow row = live.memory().row(key);
            switch (EffectDecision.decide(row, request, live.liveness(row))) {
                case EffectDecision.Run fresh -> {
                    return EffectRun.first(this, live, effect, key, request);
                }
                case EffectDecision.TakeOver(EffectRow started, Json input) -> {
                    return EffectRun.again(this, live, effect, started, input, request);
                }
                case EffectDecision.InDoubt(EffectRow started, Json input) -> {
                    decided();
                    entry.settle();
                    return EffectRun.doubt(live, effect, started, input, request);
                }
                case EffectDecision.Answer(EffectRow recorded, Json result) -> {
                    decided();
                    return OutcomeJson.answer(effect, recorded, result);
                }
                case EffectDecision.Wait running -> live.awaitBody(key);
                case EffectDecision.Mismatch(String difference) ->
                    throw new ReplayMismatchException(id(), key, difference);
                case EffectDecision.Corrupt(String problem) -> throw JournalException
                        .corrupt("scope " + id() + ", effect " + key + ": " + problem, null);
            }
        }
    }

    @Override
    public Optional<Json> peek(EffectKey key) {
        entry.begin();
        return live.memory().value(path + key.value());
    }

    @Override
    public List<ToolOutcome> children(List<ChildCommand> commands) {
        entry.begin();
        List<ToolOutcome> outcomes = run(ChildGroup.of(live, path, commands));
        entry.settle();
        return outcomes;
    }

    @Override
    public List<ToolOutcome> childrenInTurn(List<ChildCommand> commands) {
        entry.begin();
        List<ToolOutcome> outcomes = new ArrayList<>();
        for (ChildGroup alone : ChildGroup.each(live, path, commands)) {
            outcomes.addAll(run(alone));
        }
        entry.settle();
        return outcomes;
    }

    private List<ToolOutcome> run(ChildGroup group) {
        List<Waiting> all = entry.guarded(() -> entry.lend(group::run));
        return group.outcomes(all.isEmpty() ? null : entry.suspend(all));
    }

    @Override
    public Optional<ToolOutcome> child(ChildCommand command) {
        entry.usable();
        Optional<ToolOutcome> outcome = live.apart(path + command.name().value(),
                ChildGroup.of(live, path, List.of(command)));
        entry.settle();
        return outcome;
    }

    @Override
    public boolean hasRecords(EffectKey child) {
        entry.begin();
        return live.memory().hasRecords(path + child.value() + "/");
    }

    @Override
    public void rest() {
        entry.begin();
        throw entry.suspend(List.of());
    }

    @Override
    public Attachments attachments() {
        return new ScopeAttachments(this, live);
    }

    @Override
    public CompletionKey completionKey(WaitName name) {
        return live.host().keys().of(live.claim(), fullName(name));
    }

    @Override
    public Resolution await(CompletionKey key, Deadline deadline) {
        entry.beginSettled();
        return entry.guarded(() -> waits.await(key, deadline));
    }

    @Override
    public Optional<Resolution> settled(WaitName name) {
        entry.begin();
        return Optional.ofNullable(live.memory().resolution(fullName(name)));
    }

    @Override
    public Resolution settle(WaitName name, Resolution value) {
        entry.beginSettled();
        return entry.guarded(() -> waits.settle(fullName(name), value));
    }

    @Override
    public void sleep(EffectKey key, Duration duration) {
        sleepUntil(waits.drawn(key, "sleep", Json.string(duration.toString()), duration));
    }

    @Override
    public void sleepUntil(Instant due) {
        entry.beginSettled();
        waits.until(due);
    }

    @Override
    public Instant now(EffectKey key) {
        return waits.drawn(key, "now", Json.NULL, Duration.ZERO);
    }

    @Override
    public Fence fence() {
        return new Fence(live.claim().fence());
    }

    @Override
    public void endWith(ScopeEnding ending) {
        entry.begin();
        if (child != null) {
            throw new IllegalStateException("a child of scope " + id() + " ends with its outcome");
        }
        live.endWith(ending);
    }

    @Override
    public <T> T write(Function<Journal.Claim, T> write) {
        entry.beginSettled();
        return entry.guarded(() -> write.apply(live.claim()));
    }

    @Override
    public Cancellation cancellation() {
        return () -> Optional.ofNullable(live.memory().cancelReason());
    }

    @Override
    public Runnable onCancel(Consumer<String> action) {
        return live.memory().onCancel(action);
    }

    @Override
    public Consumer<Json> lateSink(EffectKey key) {
        return live.host().leftovers().lateSink(id(), path + key.value());
    }

    @Override
    public Held hold(EffectKey key, String resource) {
        entry.beginSettled();
        return entry.guarded(() -> new ResourceHold(this, live, resource, path + key.value()).take());
    }

    @Override
    public void handOver(Thread thread) {
        entry.handOver(thread);
    }

    @Override
    public void takeBack() {
        entry.takeBack();
    }

    /** It is known which resource this child wants; its siblings behind it may queue. */
    void decided() {
        if (child != null) {
            child.decided();
        }
    }

    /** Waits until the siblings before this child have queued for what they want. */
    void awaitTurn() {
        if (child != null) {
            child.awaitTurn();
        }
    }

    WaitName fullName(WaitName name) {
        return new WaitName(path + name.value());
    }
}

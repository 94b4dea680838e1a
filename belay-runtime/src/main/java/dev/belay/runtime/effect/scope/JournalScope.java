package dev.belay.runtime.effect.scope;

import dev.belay.json.FramedHash;
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
import dev.belay.runtime.store.journal.Awaiting;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.ClaimedScope;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.runtime.store.journal.ScopeEnding;
import dev.belay.tool.ToolOutcome;
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
 * The scope as a runner sees it, during one entry into the scope or into a child of it. A child is a prefix of the keys and costs no
 * write. Confined to one thread at a time.
 */
public final class JournalScope implements ClaimedScope {

    private final LiveScope live;
    private final ChildGroup.Apart apart;
    private final String path;
    private final EntryState entry;
    private final ScopeWaits waits;
    private final boolean earlier;
    private int ordinal;
    private @Nullable ScopeEnding ending;

    /**
     * Enters a scope.
     *
     * @param apart the children that run apart, whichever entry has started them
     */
    public JournalScope(LiveScope live, ChildGroup.Apart apart) {
        this(live, apart, "", new SiblingOrder(live.memory()).add());
    }

    /** Enters a child of a scope. */
    JournalScope(JournalScope parent, String path, SiblingOrder.Place place) {
        this(parent.live, parent.apart, path, place);
    }

    private JournalScope(LiveScope live, ChildGroup.Apart apart, String path, SiblingOrder.Place place) {
        this.live = live;
        this.apart = apart;
        this.path = path;
        this.entry = new EntryState(live, path, place);
        this.waits = new ScopeWaits(entry);
        this.earlier = !live.memory().isEmpty();
    }

    public EntryState entry() {
        return entry;
    }

    /** How the runner wants the scope to end, or null for the journal's own way. */
    public @Nullable ScopeEnding ending() {
        return ending;
    }

    @Override
    public ScopeId id() {
        return live.id();
    }

    @Override
    public <T> T run(Effect<T> effect) {
        entry.begin();
        int before = ordinal;
        try {
            return entry.guarded(() -> issue(effect));
        } catch (Throwable e) {
            if (!live.memory().isRecorded(recordKey(effect.key()))) {
                ordinal = before; // asked again, it is asked at the same place
            }
            throw e;
        }
    }

    private <T> T issue(Effect<T> effect) {
        String key = recordKey(effect.key());
        Json identity = effect.identity();
        var request = new EffectDecision.Request(new FramedHash().add(identity).hex(), identity,
                effect.isOrdered() ? ordinal++ : 0, live.claim().fence());
        var records = new RecordWriter(live, key, effect.kind(), request);
        while (true) {
            EffectRow row = live.memory().row(key);
            switch (EffectDecision.decide(row, request, live.liveness(row))) {
                case EffectDecision.Run fresh -> {
                    return EffectRun.first(entry, effect, records);
                }
                case EffectDecision.TakeOver started -> {
                    return EffectRun.again(entry, effect, records, started);
                }
                case EffectDecision.InDoubt started -> {
                    return EffectRun.doubt(entry, effect, records, started);
                }
                case EffectDecision.Answer(EffectRow recorded, Json result) -> {
                    entry.place().decided();
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
        return live.memory().value(recordKey(key));
    }

    @Override
    public boolean hasEarlierRecords() {
        return earlier;
    }

    private String recordKey(EffectKey key) {
        return path.isEmpty() ? key.value() : path + key.value();
    }

    @Override
    public List<ToolOutcome> children(List<ChildCommand> commands) {
        entry.begin();
        List<ToolOutcome> outcomes = run(ChildGroup.of(this, commands));
        entry.settle();
        return outcomes;
    }

    @Override
    public List<ToolOutcome> childrenInTurn(List<ChildCommand> commands) {
        entry.begin();
        List<ToolOutcome> outcomes = new ArrayList<>();
        for (ChildGroup alone : ChildGroup.each(this, commands)) {
            outcomes.addAll(run(alone));
        }
        entry.settle();
        return outcomes;
    }

    private List<ToolOutcome> run(ChildGroup group) {
        List<Waiting> all = entry.guarded(() -> entry.lend(group::run));
        if (!all.isEmpty()) {
            throw entry.suspend(all);
        }
        return group.outcomes();
    }

    @Override
    public Optional<ToolOutcome> child(ChildCommand command) {
        entry.usable();
        Optional<ToolOutcome> outcome = apart.run(path + command.name().value(),
                ChildGroup.of(this, List.of(command)));
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
    public void startAnew() {
        entry.beginSettled();
        throw entry.suspend(List.of(new Waiting.ForTime(live.host().time().now())));
    }

    @Override
    public void asks(@Nullable String what) {
        live.asks(what);
    }

    @Override
    public void restUntil(Instant due, String asks) {
        entry.beginSettled();
        live.awaits(Awaiting.Thing.MODEL, asks);
        throw entry.suspend(List.of(new Waiting.ForTime(due)));
    }

    @Override
    public void restForProgram(Instant due, boolean plugin, String why) {
        entry.beginSettled();
        live.awaits(plugin ? Awaiting.Thing.PLUGIN : Awaiting.Thing.CONFIGURATION, why);
        throw entry.suspend(List.of(new Waiting.ForTime(due)));
    }

    @Override
    public boolean hasRecorded() {
        return live.memory().hasWrittenHere();
    }

    @Override
    public Attachments attachments() {
        return new ScopeAttachments(entry);
    }

    @Override
    public CompletionKey completionKey(WaitName name) {
        Claim claim = live.claim();
        var named = new CompletionKeys.Named(claim.scope(), claim.incarnation(), entry.fullName(name));
        return live.host().keys().of(named, claim.secret());
    }

    @Override
    public CompletionKey completionKey(WaitName name, Json schema) {
        entry.requireWhole();
        if (!entry.guarded(() -> live.host()
                .store()
                .apply(live.host().store().records().issue(live.claim(), entry.fullName(name), schema)))) {
            throw live.fenced();
        }
        return completionKey(name);
    }

    @Override
    public Resolution await(CompletionKey key, Deadline deadline, @Nullable String announcement) {
        entry.beginSettled();
        return entry.guarded(() -> waits.await(key, deadline, announcement));
    }

    @Override
    public Optional<Resolution> settled(WaitName name) {
        entry.finishing();
        return Optional.ofNullable(live.memory().resolution(entry.fullName(name)));
    }

    @Override
    public Resolution settle(WaitName name, Resolution value) {
        entry.finishing();
        entry.settle();
        return entry.guarded(() -> waits.settle(entry.fullName(name), value));
    }

    @Override
    public void sleep(EffectKey key, Duration duration) {
        sleepUntil(draw(key, "sleep", Json.string(duration.toString()), duration));
    }

    @Override
    public void sleepUntil(Instant due) {
        entry.beginSettled();
        entry.holdOrSuspend(new Waiting.ForTime(due));
    }

    @Override
    public Instant now(EffectKey key) {
        return draw(key, "now", Json.NULL, Duration.ZERO);
    }

    private Instant draw(EffectKey key, String kind, Json identity, Duration later) {
        return run(new ScopeWaits.DrawnMoment(key, kind, identity, live.host().time(), later));
    }

    @Override
    public Fence fence() {
        return new Fence(live.claim().fence());
    }

    @Override
    public void endWith(ScopeEnding how) {
        entry.begin();
        if (!path.isEmpty()) {
            throw new IllegalStateException("a child of scope " + id() + " ends with its outcome");
        }
        ending = how;
    }

    @Override
    public <T> T write(Function<Claim, T> write) {
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
    public void awaitSure() {
        live.awaitSure();
    }

    @Override
    public Runnable onLetGo(Runnable stop) {
        return live.host().bodies().holding(stop);
    }

    @Override
    public Consumer<Json> lateSink(EffectKey key) {
        return new LateSink(live.host(), id(), path + key.value());
    }

    @Override
    public Held hold(EffectKey key, String resource) {
        entry.beginSettled();
        return entry.guarded(() -> new ResourceHold(entry, resource, path + key.value(), List.of()).take());
    }

    @Override
    public void handOver(Thread thread) {
        entry.handOver(thread);
    }

    @Override
    public void takeBack() {
        entry.takeBack();
    }
}

package dev.belay.runtime.session.archive;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.model.Message.AssistantMessage;
import dev.belay.runtime.dispatch.record.RecordedDoubts;
import dev.belay.runtime.dispatch.record.RecordedOutcome;
import dev.belay.runtime.dispatch.record.RecordedScope;
import dev.belay.runtime.effect.Effect.OpenDoubt;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.output.OutputKeeper;
import dev.belay.runtime.output.ToolOutput;
import dev.belay.runtime.output.ToolOutputBudgetConfig;
import dev.belay.runtime.output.engine.BatchViews;
import dev.belay.runtime.plugin.engine.ActedOn;
import dev.belay.runtime.plugin.engine.RoundHooks;
import dev.belay.runtime.plugin.engine.SessionPlugins;
import dev.belay.runtime.plugin.engine.StateChange;
import dev.belay.runtime.plugin.engine.StateValues;
import dev.belay.runtime.session.TurnCall;
import dev.belay.runtime.session.TurnEnd;
import dev.belay.runtime.session.asking.FailedTry;
import dev.belay.runtime.session.inbox.SavedState;
import dev.belay.runtime.session.inbox.SessionImage;
import dev.belay.runtime.session.inbox.TurnStart;
import dev.belay.runtime.session.state.RoundRecord;
import dev.belay.runtime.session.state.TurnState;
import dev.belay.runtime.session.turn.CallChildren;
import dev.belay.runtime.session.turn.TurnCalls;
import dev.belay.runtime.session.turn.TurnRecords;
import dev.belay.runtime.session.turn.TurnServices;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.journal.Doubt;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.runtime.store.law.SessionReads;
import dev.belay.tool.ToolOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a turn that cannot go on: its records become its history, and every call that has no outcome is given one, so that the
 * conversation stays well-formed. Runs nothing. Confined to one thread.
 */
public final class AbandonedTurn {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.turn");

    private final TurnServices services;
    private final TurnStart start;
    private final TurnRecords records;
    private final List<CallChildren> unanswered = new ArrayList<>();
    private final String reason;
    private final List<TurnCall> ledger;
    /** What hooks and calls of the turn have changed, in the order in which it counts. */
    private final List<Json> changes = new ArrayList<>();
    private boolean asksNext;
    private boolean outputs;

    public AbandonedTurn(TurnServices services, TurnStart start, String reason) {
        this(services, start, reason, List.of());
    }

    /**
     * One to be read.
     *
     * @param ledger its calls, if it is committed: their own records may be gone
     */
    AbandonedTurn(TurnServices services, TurnStart start, String reason, List<TurnCall> ledger) {
        this.services = services;
        this.start = start;
        this.reason = reason;
        this.ledger = ledger;
        records = records();
    }

    /** What is recorded of the turn; nothing if a record was lost or changed, because the others do not tell what happened. */
    private TurnRecords records() {
        try {
            return TurnRecords.of(services, start.scope(), start.turn());
        } catch (JournalException e) {
            if (!e.isDamage()) {
                throw e;
            }
            LOG.warn("Turn {} of session {} is abandoned without its records, which cannot be read",
                    start.turn(), start.session(), e);
            return new TurnRecords(start.turn(), RecordedScope.NOTHING);
        }
    }

    /** The turn as far as it can be read. */
    public TurnState state(SessionImage image) {
        return state(image, Integer.MAX_VALUE);
    }

    /** The same up to a round, with what its calls have brought. */
    TurnState state(SessionImage image, int last) {
        var state = new TurnState(start, image);
        for (int round = 1;; round++) {
            if (round > last) {
                return state;
            }
            tries(state, round);
            RoundRecord record = read(round);
            if (record == null) {
                asksNext = !records.hasRound(round) && unanswered.isEmpty();
                return state;
            }
            changed(record);
            RoundRecord next = read(round + 1);
            RoundRecord.Before after = next == null ? null : next.before();
            if (after != null && !after.kept()) {
                state.messages(state.messages().append(state.join(record)));
                continue;
            }
            state.apply(record);
            if (record.end() != null || record.reply() == null) {
                return state;
            }
            if (record.reply().calls().isEmpty()) {
                continue;
            }
            AssistantMessage asked = (AssistantMessage) state.messages().getLast();
            spend(state, round, asked.calls().size());
            changed(round, record, asked.calls().size());
            noteUnanswered(round, asked.calls().size());
            if (after != null && after.replies().size() == asked.calls().size()) {
                state.told(after);
                outputs |= after.outputs();
            } else {
                List<ToolOutcome> outcomes = outcomes(round, asked);
                state.apply(outcomes, next == null ? shown(asked, outcomes) : null);
            }
        }
    }

    /** Notes what actions and hooks of a round have changed. */
    private void changed(RoundRecord round) {
        round.joined().forEach(arrival -> ActedOn.of(arrival).ifPresent(acted -> note(acted.left())));
        note(round.hooks().before().left());
        note(round.hooks().after().left());
    }

    /** Notes what the calls of a round and their hooks have changed, in the model's order. */
    private void changed(int round, RoundRecord record, int calls) {
        EffectRow row = records.scope().rows().get("round/" + round + "/after-hooks");
        Map<Integer, RoundHooks.Decided> looked = RoundHooks
                .of(Optional.ofNullable(row == null ? null : row.result()))
                .calls();
        for (int index = 0; index < calls; index++) {
            left(record.hooks().calls().get(index));
            note(RecordedOutcome.changes(records.scope(), start.turn(), round, index));
            left(looked.get(index));
        }
    }

    private void left(RoundHooks.@Nullable Decided by) {
        if (by != null) {
            note(by.left());
        }
    }

    private void note(List<Json> left) {
        left.stream()
                .filter(one -> StateChange.of(one).filter(change -> !change.isEvent()).isPresent())
                .forEach(changes::add);
    }

    /**
     * The state of the session after what the records of the turn have changed, or null for the one it has. Whatever plugins are here,
     * changes are kept as data until their plugin reads them.
     */
    public @Nullable Json changed(SessionImage image) {
        SavedState saved = SavedState.of(image.state());
        if ((!outputs || saved.outputs()) && changes.isEmpty()) {
            return null;
        }
        Json plugins = StateValues.of(SessionPlugins.NONE, saved.plugins(), none -> Optional.empty())
                .with(changes)
                .kept(() -> {
                    throw new IllegalStateException("there is no plugin whose value could be kept");
                });
        return new SavedState(saved.tools(), saved.settings(), plugins, outputs || saved.outputs(),
                saved.history()).toJson();
    }

    /** Counts what failed questions of a round have cost. */
    private void tries(TurnState state, int round) {
        for (int number = 1;; number++) {
            EffectRow row = records.scope().rows().get(FailedTry.key(round, number).value());
            Json result = row == null ? null : row.result();
            if (result == null) {
                return;
            }
            try {
                state.failed(round, number, FailedTry.of(result));
            } catch (BelayException unreadable) {
                return;
            }
        }
    }

    /** The calls of the turn, as far as its records say. */
    List<TurnCall> calls() {
        return TurnCalls.of(records);
    }

    /** Calls and steps of the turn that may have happened and have no doubt yet. */
    public List<OpenDoubt.Of> doubts() {
        String family = services.store()
                .read(SessionReads.head(start.session()))
                .map(SessionHead::family)
                .orElse(null);
        return RecordedDoubts.of(records.scope(), start.session().value(), family, reason);
    }

    /** The ids of all doubts that the turn leaves. */
    public List<String> doubtIds() {
        return Stream.concat(RecordedDoubts.known(start.scope(), records.scope()).stream(),
                doubts().stream().map(doubt -> Doubt.id(start.scope().value(), doubt.record()))).toList();
    }

    /** Whether the next thing would have been to ask a model, once {@link #state} has read the turn. */
    boolean asksNext() {
        return asksNext;
    }

    /** Stops the children of calls without an outcome. Before the commit: after it, a process that dies leaves them running. */
    public void stopChildren() {
        unanswered.forEach(children -> children.stop("the turn was abandoned: " + reason));
    }

    private void noteUnanswered(int round, int calls) {
        for (int index = 0; index < calls; index++) {
            if (!isAnswered(round, index)) {
                unanswered.add(CallChildren.of(services, start.scope(), round, index));
            }
        }
    }

    private boolean isAnswered(int round, int index) {
        try {
            return records.standing(round, index) instanceof RecordedOutcome.Standing.Known(var outcome)
                    && CallChildren.isAnswer(outcome);
        } catch (BelayException unreadable) {
            return false;
        }
    }

    /** Counts what the calls of a round have spent. */
    private void spend(TurnState state, int round, int calls) {
        for (int index = 0; index < calls; index++) {
            RecordedOutcome.left(records.scope(), start.turn(), round, index).forEach(state.spending()::add);
        }
    }

    private List<ToolOutcome> outcomes(int round, AssistantMessage asked) {
        List<ToolOutcome> known = ledger.stream()
                .filter(call -> call.round() == round)
                .flatMap(call -> call.outcome().stream())
                .toList();
        if (known.size() == asked.calls().size()) {
            return known;
        }
        return IntStream.range(0, asked.calls().size())
                .mapToObj(index -> RecordedOutcome.of(records.scope(), start.turn(), round,
                        index, reason))
                .toList();
    }

    /** What is shown of the calls of the last round, of which no record says so; nothing more is kept. */
    private RoundRecord.@Nullable Before shown(AssistantMessage asked, List<ToolOutcome> outcomes) {
        List<ToolOutput> batch = IntStream.range(0, outcomes.size())
                .mapToObj(i -> ToolOutput.of(asked.calls().get(i).name(), outcomes.get(i), null))
                .toList();
        BatchViews views = views(batch);
        return views == null ? null : RoundRecord.Before.of(outcomes, views);
    }

    private @Nullable BatchViews views(List<ToolOutput> batch) {
        try {
            return services.pluginsOf(start.session(), start.incarnation())
                    .show(batch, OutputKeeper.NONE, services.time());
        } catch (BelayException broken) {
            return BatchViews.of(ToolOutputBudgetConfig.DEFAULT.projector(), batch, OutputKeeper.NONE,
                    BatchViews.Watch.NONE);
        }
    }

    /** A round; a record that cannot be read ends what is known of the turn, as if there were none. */
    private @Nullable RoundRecord read(int round) {
        Json record = records.round(round);
        try {
            return record == null ? null : RoundRecord.of(record);
        } catch (BelayException unreadable) {
            return null;
        }
    }

    public TurnEnd end() {
        return new TurnEnd.Stopped(TurnEnd.Cause.ABANDONED, "the turn was abandoned: " + reason,
                Json.write(out -> out.beginObject().name("reason").value(reason).endObject()));
    }
}

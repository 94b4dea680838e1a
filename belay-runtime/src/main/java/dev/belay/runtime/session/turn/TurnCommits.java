package dev.belay.runtime.session.turn;

import dev.belay.json.FramedHash;
import dev.belay.json.Json;
import dev.belay.model.Message.UserMessage;
import dev.belay.model.Part.TextPart;
import dev.belay.model.Part.UserPart;
import dev.belay.runtime.dispatch.record.RecordedDoubts;
import dev.belay.runtime.effect.Effect.OpenDoubt;
import dev.belay.runtime.plugin.TurnHook;
import dev.belay.runtime.plugin.engine.ActedOn;
import dev.belay.runtime.plugin.engine.TurnHooked;
import dev.belay.runtime.session.TurnCall;
import dev.belay.runtime.session.TurnEnd;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.session.TurnSettings;
import dev.belay.runtime.session.inbox.TurnInput;
import dev.belay.runtime.session.inbox.TurnStart;
import dev.belay.runtime.session.state.TurnState;
import dev.belay.runtime.session.stream.SessionStream;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.TurnCommit;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds the result and the commit of a turn. */
public final class TurnCommits {

    private TurnCommits() {}

    public static TurnResult.Ended result(TurnStart start, TurnState state, TurnEnd end,
            List<String> doubts) {
        return TurnResult.Ended.of(start.session(), start.turn(), start.inputId(), end, state.rounds(),
                state.spending().usage(), state.spending().cost(), state.unrecorded(), doubts,
                state.actions().isEmpty()
                        ? List.of()
                        : state.actions().stream().map(ActedOn::result).toList());
    }

    public static TurnCommit of(TurnStart start, TurnState state, TurnResult.Ended result,
            @Nullable Json newState, List<TurnCall> calls, List<OpenDoubt.Of> doubts, List<Arrival> queued) {
        List<Json> added = state.takeAdded();
        List<String> taken = List.copyOf(state.taken());
        Json json = result.toJson();
        return new TurnCommit(start.session(), start.turn(),
                receipt(start, json, newState, taken, added, queued),
                added, newState, json, taken, TurnCalls.rows(calls), doubts, queued);
    }

    /** The end of a turn as plugins see it. */
    static TurnHook.Ended ended(TurnEnd end, TurnState of) {
        return new TurnHook.Ended(switch (end) {
            case TurnEnd.Finished finished -> "finished";
            case TurnEnd.Refused refused -> "refused";
            case TurnEnd.Stopped stopped -> stopped.cause().name().toLowerCase(Locale.ROOT);
        }, end.summary(), of.rounds(), of.spending().usage());
    }

    /** The inputs that hooks leave at the end of a turn: one for each plugin, for the loop that has run the turn. */
    static List<Arrival> queued(TurnStart start, TurnHooked ending, Instant at) {
        if (ending.said().isEmpty()) {
            return List.of();
        }
        Map<String, List<UserPart>> byPlugin = new LinkedHashMap<>();
        for (TurnHooked.Said said : ending.said()) {
            List<UserPart> parts = byPlugin.computeIfAbsent(said.plugin(), plugin -> new ArrayList<>());
            if (!parts.isEmpty()) {
                parts.add(new TextPart("\n\n"));
            }
            parts.addAll(said.message().parts());
        }
        List<Arrival> queued = new ArrayList<>(byPlugin.size());
        byPlugin.forEach((plugin,
                parts) -> queued.add(new TurnInput(new UserMessage(parts), TurnSettings.NONE,
                        start.input().loop(), Json.EMPTY_OBJECT, at)
                        .in(new TurnInput.Manner(true, null, start.input().manner().context()))
                        .arrival("plugin/" + plugin + "/" + start.turn())));
        return queued;
    }

    /** Tells of doubts that were opened by the commit. */
    public static void tell(SessionStream stream, TurnStart start, List<OpenDoubt.Of> opened) {
        if (!opened.isEmpty()) {
            RecordedDoubts.tell(start.scope(), opened,
                    event -> stream.tell(new TurnEvent.Call(start.session(), start.turn(), event)));
        }
    }

    /** Identifies all that the turn leaves behind; no time and no place is in it. */
    private static String receipt(TurnStart start, Json result, @Nullable Json newState, List<String> taken,
            List<Json> added, List<Arrival> queued) {
        var hash = new FramedHash().add(start.incarnation().bytes()).add(start.turn()).add(result.text());
        hash.add(newState == null ? "" : newState.text()).add(taken.size());
        taken.forEach(hash::add);
        added.forEach(message -> hash.add(message.text()));
        queued.forEach(input -> hash.add(input.id()).add(input.hash()));
        return hash.hex();
    }
}

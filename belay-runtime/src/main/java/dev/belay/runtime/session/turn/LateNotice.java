package dev.belay.runtime.session.turn;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.record.RecordedOutcome;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.session.inbox.TurnStart;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Doubt;
import dev.belay.runtime.store.law.DoubtRules;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.Reconciliation;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells a session of a call that was given up and has ended after all. The notice starts no turn: the next round of any turn takes
 * it along.
 */
public final class LateNotice {

    private static final Pattern ATTEMPT = Pattern
            .compile("round/(\\d+)/call/(\\d+)/(?:attempt|outcome)/\\d+");

    private LateNotice() {}

    /** Tells the session of a turn, if it was the attempt of one of its calls that came late. */
    public static void tell(TurnServices services, ScopeId scope, EffectKey key, Json result) {
        Matcher place = ATTEMPT.matcher(key.value());
        if (!place.matches()) {
            return; // a step: the answer of its body tells more
        }
        ScopeInput input = services.host().state(scope).map(ScopeState::input).orElse(null);
        ToolOutcome outcome = RecordedOutcome.ofLate(result).orElse(null);
        if (input == null || outcome == null || !TurnScope.isTurn(input.kind())
                || isAnswer(services, scope, key)) {
            return;
        }
        TurnStart start = TurnStart.of(input);
        int round = Integer.parseInt(place.group(1));
        int index = Integer.parseInt(place.group(2));
        String tool = TurnCalls.of(services, start.session(), scope, start.turn())
                .stream()
                .filter(call -> call.round() == round && call.index() == index)
                .map(call -> call.tool() + " (call " + call.id() + ")")
                .findFirst()
                .orElse("a tool");
        services.inbox()
                .inform(start.session(), start.incarnation(), Arrival.late(start.turn(), key.value(), tool,
                        Reconciliation.happened(outcome)));
    }

    /** Whether the call is held in doubt: the write that keeps this answer settles its doubt and tells the call, or else the session. */
    private static boolean isAnswer(TurnServices services, ScopeId scope, EffectKey key) {
        return services.store()
                .read(DoubtRules.reading(Doubt.id(scope.value(), key.value())))
                .filter(doubt -> doubt.isOpen() && doubt.about().holds() != null)
                .isPresent();
    }
}

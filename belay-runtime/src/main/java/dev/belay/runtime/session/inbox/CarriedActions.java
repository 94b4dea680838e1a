package dev.belay.runtime.session.inbox;

import dev.belay.json.Json;
import dev.belay.runtime.plugin.engine.ActedOn;
import dev.belay.runtime.plugin.engine.ActionCall;
import dev.belay.runtime.plugin.engine.ActionRun;
import dev.belay.runtime.plugin.engine.StateValues;
import dev.belay.runtime.store.Arrival;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Actions that were carried out in one entry into a turn and are in no record yet. Confined to the turn's thread. */
public final class CarriedActions {

    private Map<String, ActedOn> acted = Map.of();

    /** Carries out the action that an input asks for, if it asks for one; what that leaves. A record or the commit must take it. */
    public List<Json> act(ActionRun run, String inputId, TurnInput input, StateValues states) {
        ActionCall call = input.manner().action();
        if (call == null) {
            return List.of();
        }
        ActedOn done = run.act(inputId, call, states);
        acted = acted.isEmpty() ? new LinkedHashMap<>() : acted;
        acted.put(inputId, done);
        return done.left();
    }

    /** Arrivals with what came of their actions. */
    public List<Arrival> in(List<Arrival> joined) {
        if (acted.isEmpty()) {
            return joined;
        }
        List<Arrival> all = new ArrayList<>(joined.size());
        for (Arrival one : joined) {
            ActedOn done = acted.get(one.id());
            all.add(done == null ? one : done.in(one));
        }
        return all;
    }

    /** These arrivals are recorded: the actions among them that were carried out in this entry. */
    public List<ActedOn> recorded(List<Arrival> joined) {
        if (acted.isEmpty()) {
            return List.of();
        }
        List<ActedOn> found = new ArrayList<>();
        for (Arrival one : joined) {
            ActedOn done = acted.remove(one.id());
            if (done != null) {
                found.add(done);
            }
        }
        return found;
    }

    /** Those that no record has. */
    public List<ActedOn> unrecorded() {
        return List.copyOf(acted.values());
    }
}

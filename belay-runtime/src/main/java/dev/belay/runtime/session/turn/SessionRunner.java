package dev.belay.runtime.session.turn;

import dev.belay.json.Json;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeRunner;
import dev.belay.runtime.session.inbox.LateNotice;
import dev.belay.runtime.store.TurnScope;
import dev.belay.tool.ToolOutcome;

/**
 * What a host sees of sessions and processes. Thread-safe.
 *
 * @param engine whose turns and processes
 */
record SessionRunner(SessionEngine engine) implements ScopeRunner {

    @Override
    public Json run(EffectScope scope, ScopeInput input) {
        return engine.enter(scope, input);
    }

    @Override
    public ToolOutcome child(EffectScope scope, ScopeInput input) {
        return engine.child(scope, input);
    }

    /** All turns of a session keep together; a process keeps by itself. */
    @Override
    public String keeper(ScopeId scope) {
        return TurnScope.keeper(scope);
    }

    @Override
    public void left(ScopeId scope, long fence) {
        engine.loops().left(scope, fence);
    }

    @Override
    public void late(ScopeId scope, EffectKey key, Json result) {
        LateNotice.tell(engine, scope, key, result);
    }

    @Override
    public void closing() {
        engine.loops().close();
    }
}

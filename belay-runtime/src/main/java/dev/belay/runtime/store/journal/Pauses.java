package dev.belay.runtime.store.journal;

import dev.belay.BelayException;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.store.ProcessScope;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.SessionProfile;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Pause.Target;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The pauses that are in force, as a runtime knows them: its own at once, those of other processes after its next look. Immutable.
 *
 * @param version grows with each change
 * @param keys of their targets
 */
public record Pauses(long version, Set<String> keys) {

    /** None. */
    public static final Pauses NONE = new Pauses(0, Set.of());

    /** Copies the keys. */
    public Pauses {
        keys = Set.copyOf(keys);
    }

    /** Whether a target is paused. */
    public boolean holds(String key) {
        return keys.contains(key);
    }

    /** Those of some targets that are paused. */
    public List<String> holding(Collection<String> targets) {
        return keys.isEmpty() ? List.of() : targets.stream().filter(keys::contains).toList();
    }

    /** Whether scopes of a kind are not run. */
    public boolean holdsKind(String kind) {
        return holds(Target.EVERYTHING.key())
                || AgentKinds.agent(kind)
                        .filter(agent -> holds(Target.agent(agent).key()))
                        .isPresent();
    }

    /** Whether a scope is not run. */
    public boolean holds(ScopeInput scope) {
        return !keys.isEmpty() && !holding(targets(scope)).isEmpty();
    }

    /** The targets whose pause holds a scope. */
    public static List<String> targets(ScopeInput scope) {
        List<String> targets = new ArrayList<>(List.of(Target.EVERYTHING.key()));
        agent(scope).ifPresent(agent -> targets.add(Target.agent(agent).key()));
        sessions(scope).forEach(session -> targets.add(Target.session(session).key()));
        return targets;
    }

    /** The targets whose pause holds the turns of a session under an agent. */
    public static List<String> targets(String agent, SessionId session) {
        return List.of(Target.EVERYTHING.key(), Target.agent(agent).key(),
                Target.session(session.value()).key());
    }

    /** Throws {@code paused} if a turn of a session under an agent is held. */
    public void requireNone(String agent, SessionId session) {
        List<String> held = holding(targets(agent, session));
        if (!held.isEmpty()) {
            throw new BelayException("paused",
                    Target.of(held.getFirst()) + " is paused, so no turn of session "
                            + session
                            + " begins or goes on; see pauses() of the runtime, and unpause it or wait");
        }
    }

    private static Optional<String> agent(ScopeInput scope) {
        if (TurnScope.isOpen(scope.kind())) {
            return Optional.of(Optional.ofNullable(scope.value().peekText(TurnScope.AGENT))
                    .orElse(SessionProfile.DEFAULT_AGENT));
        }
        return AgentKinds.agent(scope.kind());
    }

    private static List<String> sessions(ScopeInput scope) {
        return TurnScope.isTurn(scope.kind())
                ? Optional.ofNullable(scope.value().peekText("session")).stream().toList()
                : ProcessScope.startedBy(scope);
    }
}

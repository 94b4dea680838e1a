package dev.belay.runtime.session.body;

import dev.belay.BelayException;
import dev.belay.model.MessageLog;
import dev.belay.model.Usage;
import dev.belay.runtime.catalog.Membership;
import dev.belay.runtime.catalog.MembershipChange;
import dev.belay.runtime.catalog.MembershipChanges;
import dev.belay.runtime.catalog.ToolCatalog;
import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.dispatch.body.CallOwner;
import dev.belay.runtime.effect.CancelReceipt;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.session.ChildSession;
import dev.belay.runtime.session.SessionSnapshot;
import dev.belay.runtime.session.SessionsCapability;
import dev.belay.runtime.session.TurnModel;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.session.TurnSettings;
import dev.belay.runtime.session.asking.ModelChoice;
import dev.belay.runtime.session.asking.Models;
import dev.belay.runtime.session.gate.TurnGating;
import dev.belay.runtime.session.inbox.AcceptedInput;
import dev.belay.runtime.session.inbox.NewChild;
import dev.belay.runtime.session.inbox.SessionImage;
import dev.belay.runtime.session.inbox.ToolCommand;
import dev.belay.runtime.session.state.TurnSearch;
import dev.belay.runtime.session.state.TurnSpending;
import dev.belay.runtime.session.turn.CallChildren;
import dev.belay.runtime.session.turn.TurnServices;
import dev.belay.runtime.session.turn.TurnView;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.Arrived;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.law.SessionRules;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolManifest;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a call may do with the session around it and with child sessions. Thread-safe, a part of {@link CallCapabilities}. */
final class CallSessions implements SessionsCapability {

    private final SessionBodies around;
    private final TurnView turn;
    private final CallReference call;
    private final CallCapabilities within;
    private final CallOwner.Left left;
    /** Most calls make no sessions. */
    private volatile Set<SessionId> children = Set.of();
    private volatile Set<String> counted = Set.of();
    private volatile @Nullable String stopped;

    CallSessions(SessionBodies around, TurnView turn, CallReference call, CallCapabilities within,
            CallOwner.Left left) {
        this.around = around;
        this.turn = turn;
        this.call = call;
        this.within = within;
        this.left = left;
    }

    private synchronized void madeChild(SessionId id) {
        children = children.isEmpty() ? ConcurrentHashMap.newKeySet() : children;
        children.add(id);
    }

    /** Whether the end of a turn was not counted before. */
    private synchronized boolean isFirst(String turn) {
        counted = counted.isEmpty() ? ConcurrentHashMap.newKeySet() : counted;
        return counted.add(turn);
    }

    @Override
    public SessionId current() {
        return turn.session();
    }

    @Override
    public TurnModel model() {
        within.callId();
        return known(() -> {
            ModelChoice choice = turn.config().choice(TurnSettings.NONE);
            return new TurnModel(around.models().model(choice.model()).id(), choice.model(),
                    choice.variant(), choice.maxContextTokens());
        });
    }

    /**
     * Looks up names; the failure for an unknown name lists the known ones for the model. A fault of the store is thrown as it is, so
     * that the body is entered again.
     */
    static <T> T known(Supplier<T> lookup) {
        try {
            return lookup.get();
        } catch (JournalException fault) {
            throw fault;
        } catch (BelayException e) {
            throw refused(e.code().equals("resource_limit")
                    ? ToolFailure.Kind.RESOURCE_LIMIT
                    : ToolFailure.Kind.INVALID_REQUEST, e.code(), String.valueOf(e.getMessage()));
        }
    }

    @Override
    public SessionSnapshot snapshot() {
        within.callId();
        SessionSnapshot committed = read(current());
        return new SessionSnapshot(current(), committed.revision(),
                MessageLog.of(committed.messages()).append(turn.added().get()));
    }

    @Override
    public SessionSnapshot snapshot(SessionId session) {
        within.callId();
        if (session.equals(current())) {
            return snapshot();
        }
        if (!children.contains(session) && !around.snapshots().test(current(), session)) {
            throw refused(ToolFailure.Kind.PERMISSION_DENIED, "snapshot_not_granted", "session " + session
                    + " was not made by this call and was not granted to session " + current()
                    + "; only its own session, those it has made and those that are granted can be read");
        }
        return read(session);
    }

    private SessionSnapshot read(SessionId session) {
        SessionImage image = around.inbox().images().read(session);
        return image == null
                ? new SessionSnapshot(session, 0, List.of())
                : new SessionSnapshot(session, image.revision(), image.instructed("").messages());
    }

    @Override
    public ToolCatalog toolCatalog() {
        within.callId();
        return turn.tools().catalog();
    }

    @Override
    public MembershipChanges setToolMembership(Collection<String> names, boolean present) {
        within.callId();
        return decide(names, present ? Membership.PRESENT : Membership.ABSENT);
    }

    @Override
    public MembershipChanges resetToolMembership(Collection<String> names) {
        within.callId();
        return decide(names, Membership.DEFAULT);
    }

    @Override
    public List<ToolManifest> searchTools(String question, int limit) {
        within.callId();
        List<TurnSearch.Hit> hits = turn.search().find(question, limit);
        List<MembershipChange> offers = hits.stream()
                .flatMap(hit -> Stream.ofNullable(hit.offer()))
                .toList();
        if (!offers.isEmpty()) {
            left.changed(new ToolCommand.Change(offers).toJson());
        }
        return hits.stream().map(TurnSearch.Hit::tool).toList();
    }

    private MembershipChanges decide(Collection<String> names, Membership membership) {
        MembershipChanges resolved = turn.tools().registry().resolve(names, membership);
        if (!resolved.changes().isEmpty()) {
            left.changed(new ToolCommand.Change(resolved.changes()).toJson());
        }
        return resolved;
    }

    @Override
    public ChildSession create(String name) {
        return create(name, around.agent());
    }

    @Override
    public ChildSession create(String name, String agent) {
        SessionId id = below().child(name);
        TurnServices answering = known(() -> around.agents().defined(agent));
        known(() -> {
            new NewChild(current(), id, agent, around.gate()
                    .isGated(new TurnGating(around.store(), current())))
                    .make(around.inbox());
            return id;
        });
        madeChild(id);
        return new Child(id, answering.settings().models(), below().name());
    }

    private CallChildren below() {
        return new CallChildren(around.store(), around.inbox(),
                CallChildren.name(call.scope(), call.round(), call.index()));
    }

    private final class Child implements ChildSession {

        private final SessionId id;
        private final Models models;
        private final @Nullable String endsWith;

        Child(SessionId id, Models models, @Nullable String endsWith) {
            this.id = id;
            this.models = models;
            this.endsWith = endsWith;
        }

        @Override
        public SessionId id() {
            return id;
        }

        @Override
        public Turn turn(String name, String text) {
            return turn(name, text, TurnSettings.NONE);
        }

        @Override
        public Turn turn(String name, String text, TurnSettings settings) {
            within.callId();
            known(() -> models.known(settings));
            ChildTurn started = ChildTurn.start(around, id, name, text, settings, endsWith, within.steps(),
                    CallSessions.this::rollUp, call);
            return endsWith == null ? started : begun(id, started);
        }

        @Override
        public ChildSession detached() {
            return new Child(id, models, null);
        }

        @Override
        public CancelReceipt close(String reason) {
            within.callId();
            Instant now = around.inbox().now();
            around.store()
                    .apply(SessionRules.profile(id,
                            before -> before.closedAt() == null ? before.closed(now) : before));
            for (Arrived waiting : around.inbox().waiting(id)) {
                if (waiting.arrival().kind() == Arrival.Kind.INPUT) {
                    new AcceptedInput(around.inbox(), id, waiting.arrival().id(), null).stop(reason);
                }
            }
            return around.inbox().cancelActive(id, reason);
        }
    }

    /** What a child's turn has spent is spent by the call that waited for it, once however often it asks. */
    private void rollUp(TurnResult.Ended ended) {
        if (isFirst(ended.session() + " " + ended.turn()) && !ended.usage().equals(Usage.NONE)) {
            left.spent(TurnSpending.left("session " + ended.session(), ended.usage(), ended.cost()));
        }
    }

    /** A turn that was started while the call was stopped is stopped with the others. */
    private ChildTurn begun(SessionId child, ChildTurn started) {
        String reason = stopped;
        if (reason != null) {
            below().stop(child, reason);
        }
        return started;
    }

    /** The call was stopped; so are the turns that it has started. */
    void stopped(String reason) {
        stopped = reason;
        below().stop(reason);
    }

    private static ToolException refused(ToolFailure.Kind kind, String code, String message) {
        return new ToolException(ToolFailure.ofRuntime(kind, code, message));
    }
}

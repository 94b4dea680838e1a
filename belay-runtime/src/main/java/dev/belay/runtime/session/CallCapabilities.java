package dev.belay.runtime.session;

import dev.belay.json.Json;
import dev.belay.model.MessageJson;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.runtime.catalog.Membership;
import dev.belay.runtime.catalog.MembershipChanges;
import dev.belay.runtime.catalog.ToolCatalog;
import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.dispatch.EventSink;
import dev.belay.runtime.effect.CancelReceipt;
import dev.belay.runtime.process.ProcessEventsCapability;
import dev.belay.runtime.process.ProcessesCapability;
import dev.belay.runtime.store.NewSession;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.tool.DirectModel;
import dev.belay.tool.DurableEffects;
import dev.belay.tool.FramedHash;
import dev.belay.tool.HostValues;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The context of a call in a session: everything that a call has, and the session around it. Thread-safe, as contexts are; after
 * the call has ended everything throws {@code call_ended}, because the context within does.
 */
final class CallCapabilities extends WrappedContext implements SessionsCapability {

    private static final int ID_LENGTH = 32;

    private final SessionEngine engine;
    private final SessionTurn turn;
    private final CallReference call;
    private final Consumer<Json> changes;
    private final Set<SessionId> children = ConcurrentHashMap.newKeySet();
    private final AtomicInteger questions = new AtomicInteger();
    private final ProcessesCapability processes;

    CallCapabilities(SessionEngine engine, SessionTurn turn, CallReference call, ToolContext within,
            Consumer<Json> changes) {
        super(within);
        this.engine = engine;
        this.turn = turn;
        this.call = call;
        this.changes = changes;
        processes = engine.processEngine().of(turn.start().session(), within);
    }

    @Override
    public SessionsCapability sessions() {
        within.callId();
        return this;
    }

    @Override
    public ProcessesCapability processes() {
        within.callId();
        return processes;
    }

    @Override
    public ProcessEventsCapability processEvents() {
        within.callId();
        return (type, payload) -> {
            throw EventSink.unavailable(type);
        };
    }

    @Override
    public SessionId current() {
        return turn.start().session();
    }

    @Override
    public String modelName() {
        return turn.modelName();
    }

    @Override
    public SessionSnapshot snapshot() {
        within.callId();
        return read(current());
    }

    @Override
    public SessionSnapshot snapshot(SessionId session) {
        within.callId();
        if (!session.equals(current()) && !children.contains(session)) {
            throw refused(ToolFailure.Kind.PERMISSION_DENIED, "snapshot_not_granted", "session " + session
                    + " was not made by this call; only its own session and those it has made can be read");
        }
        return read(session);
    }

    private SessionSnapshot read(SessionId session) {
        SessionImage image = engine.images().read(session);
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
        MembershipChanges resolved = turn.tools()
                .registry()
                .resolve(names, present ? Membership.PRESENT : Membership.ABSENT);
        if (!resolved.changes().isEmpty()) {
            changes.accept(new ToolCommand.Change(resolved.changes()).toJson());
        }
        return resolved;
    }

    @Override
    public ChildSession create(String name) {
        var id = new SessionId("child-" + new FramedHash().add(within.idempotencyKey().value())
                .add(name)
                .hex()
                .substring(0, ID_LENGTH));
        int depth = engine.store().head(current()).map(CallCapabilities::depth).orElse(0) + 1;
        if (depth > DEEPEST) {
            throw refused(ToolFailure.Kind.RESOURCE_LIMIT, "resource_limit", "sessions may stand " + DEEPEST
                    + " deep below each other, and this one would be deeper");
        }
        Json origin = Json.write(out -> out.beginObject()
                .name("parent")
                .value(current().value())
                .name("depth")
                .value(depth)
                .endObject());
        engine.store()
                .create(new NewSession(id, engine.newIncarnation(), origin, List.of(), List.of(), Json.NULL),
                        engine.now());
        children.add(id);
        return new Child(id);
    }

    private static int depth(SessionHead head) {
        return head.origin().isNull() ? 0 : head.origin().get("depth").map(Json::asInt).orElse(0);
    }

    private final class Child implements ChildSession {

        private final SessionId id;

        Child(SessionId id) {
            this.id = id;
        }

        @Override
        public SessionId id() {
            return id;
        }

        @Override
        public Turn turn(String name, String text) {
            within.callId();
            return ChildTurn.start(engine, id, name, text, steps());
        }

        @Override
        public CancelReceipt close(String reason) {
            within.callId();
            return engine.cancelActive(id, reason);
        }
    }

    /** Steps, if the body is resumable. */
    private @Nullable DurableEffects steps() {
        try {
            return within.durable();
        } catch (ToolException e) {
            if (e.failure().code().equals("durable_effects_unavailable")) {
                return null;
            }
            throw e;
        }
    }

    /** Asks a model. Part of the attempt in a plain body; a step in a resumable one. */
    @Override
    public DirectModel model() {
        within.callId();
        return (request, source) -> {
            DurableEffects steps = steps();
            int number = questions.incrementAndGet();
            if (steps == null) {
                return counted(ask(request));
            }
            String key = request.replayKey();
            Json recorded = steps.run("model/" + (key == null ? String.valueOf(number) : key),
                    Json.string(source), ToolEffect.READ, unused -> MessageJson.of(ask(request)));
            return counted(MessageJson.response(recorded));
        };
    }

    /** What it cost is left to the turn, with the call. */
    private ModelResponse counted(ModelResponse response) {
        changes.accept(Json.write(out -> {
            out.beginObject();
            MessageJson.write(out.name(SessionTurn.USAGE), response.usage());
            out.endObject();
        }));
        return response;
    }

    private ModelResponse ask(DirectModel.DirectRequest request) {
        String name = request.model();
        return engine.settings()
                .model(name == null ? turn.modelName() : name)
                .complete(ModelRequest.builder(ShownAttachments.in(request, within.attachments()))
                        .output(request.output())
                        .generation(request.generation())
                        .build(), request.listener());
    }

    private static ToolException refused(ToolFailure.Kind kind, String code, String message) {
        return new ToolException(ToolFailure.ofRuntime(kind, code, message));
    }

    @Override
    public HostValues hostValues() {
        HostValues own = turn.hostValues(call);
        return own == null ? super.hostValues() : own;
    }
}

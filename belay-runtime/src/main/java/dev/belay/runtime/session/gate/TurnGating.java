package dev.belay.runtime.session.gate;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.json.JsonLimits;
import dev.belay.model.Message;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.ReplyPart;
import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.dispatch.gate.Gating;
import dev.belay.runtime.policy.Grant;
import dev.belay.runtime.process.ProcessEnd;
import dev.belay.runtime.process.ProcessWork;
import dev.belay.runtime.process.engine.Beginning;
import dev.belay.runtime.process.engine.StartedBy;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.ProcessRow;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.SessionProfile;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.law.DoubtRules;
import dev.belay.runtime.store.law.ProcessReads;
import dev.belay.runtime.store.law.SessionReads;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a policy may know of a turn. Earlier calls are counted in the messages of the turn, so that a count is the same whenever the batch
 * of a call is entered. Thread-safe.
 */
public final class TurnGating implements Gating {

    private static final int PAGE = 256;

    private final Store store;
    private final SessionId session;
    private final Supplier<List<Message>> added;
    private final Supplier<List<CallPart>> batch;
    private final StartedCalls started;
    private final Predicate<String> taken;
    private volatile @Nullable Lines lines;

    /** The sessions above, whether they have policies, and the family. */
    private record Lines(List<Above> above, boolean gated, Optional<String> family) {}

    /** For what is asked about a session outside any batch. */
    public TurnGating(Store store, SessionId session) {
        this(store, session, List::of, List::of, new StartedCalls(), tool -> false);
    }

    /**
     * For a turn.
     *
     * @param added the messages of the turn, without the batch that is under way
     * @param batch the calls of the batch that is under way
     * @param started the calls of processes that calls of the turn have started
     * @param taken whether a tool is taken from the session by a command that waits
     */
    public TurnGating(Store store, SessionId session, Supplier<List<Message>> added,
            Supplier<List<CallPart>> batch, StartedCalls started, Predicate<String> taken) {
        this.started = started;
        this.taken = taken;
        this.store = store;
        this.session = session;
        this.added = added;
        this.batch = batch;
    }

    @Override
    public String session() {
        return session.value();
    }

    @Override
    public List<Above> above() {
        return lines().above();
    }

    @Override
    public boolean isGatedAbove() {
        return lines().gated();
    }

    /** The family of the session; empty if the session was deleted. */
    public Optional<String> family() {
        return lines().family();
    }

    private Lines lines() {
        Lines known = lines;
        if (known == null) {
            Optional<SessionHead> head = store.read(SessionReads.head(session));
            known = new Lines(head.map(found -> above(found.profile())).orElse(List.of()),
                    head.filter(SessionHead::isGatedAbove).isPresent(), head.map(SessionHead::family));
            lines = known;
        }
        return known;
    }

    private List<Above> above(SessionProfile profile) {
        List<Above> above = new ArrayList<>();
        for (String name : profile.above()) {
            above.add(new Above(name, store.read(SessionReads.head(new SessionId(name)))
                    .map(found -> found.profile().agent())
                    .orElse(null)));
        }
        return List.copyOf(above);
    }

    @Override
    public boolean isTaken(String tool) {
        return taken.test(tool);
    }

    @Override
    public boolean isInDoubt() {
        return store.read(DoubtRules.isInDoubt(session));
    }

    @Override
    public List<Grant> grants() {
        return store.read(SessionReads.head(session)).map(head -> head.profile().grants()).orElse(List.of());
    }

    @Override
    public int earlier(CallReference call) {
        return told(call.tool()) + asked(call.tool(), call.index())
                + started.before(call.round(), call.tool());
    }

    /**
     * How many calls of its tool stand before the call of a process that a call of the turn starts: those that are told, those of the whole
     * batch, and those of processes that were started before.
     */
    public int starting(ProcessId process, CallReference call) {
        return told(call.tool()) + asked(call.tool(), Integer.MAX_VALUE)
                + started.starts(process, call.round(), call.tool(), canonical(call.arguments()));
    }

    /** What a call of the turn leaves behind that has started such a process. */
    public static Json started(ProcessId process, CallReference call) {
        return StartedCalls.left(process, call.tool(), canonical(call.arguments()));
    }

    /** The same for all processes that calls of a turn have started: a call whose body died has left no record of its own. */
    public List<Json> started(long turn) {
        List<Json> started = new ArrayList<>();
        List<ProcessRow> rows = ProcessReads.ofSession(store, session, 0, PAGE);
        while (!rows.isEmpty()) {
            rows.stream().flatMap(row -> started(row, turn).stream()).forEach(started::add);
            rows = ProcessReads.ofSession(store, session, rows.getLast().place(), PAGE);
        }
        return started;
    }

    private Optional<Json> started(ProcessRow row, long turn) {
        Beginning beginning;
        try {
            beginning = Beginning.of(row.scope().input());
        } catch (BelayException unreadable) { // its end is a matter of an operator
            return Optional.empty();
        }
        StartedBy by = beginning.by();
        return by != null && by.session().equals(session) && by.turn() == turn
                && beginning.work() instanceof ProcessWork.Tool(String tool, Json arguments)
                        ? Optional.of(StartedCalls.left(row.id(), tool, canonical(arguments.text())))
                        : Optional.empty();
    }

    /** How many calls of a tool the messages of the turn answer. */
    private int told(String tool) {
        int told = 0;
        for (Message message : added.get()) {
            if (message instanceof Message.ToolMessage replies) {
                told += (int) replies.replies()
                        .stream()
                        .filter(reply -> reply.toolName().equals(tool))
                        .count();
            }
        }
        return told;
    }

    /** How many of the first calls of the batch call a tool. */
    private int asked(String tool, int first) {
        return (int) batch.get().stream().limit(first).filter(call -> call.name().equals(tool)).count();
    }

    @Override
    public int failures(CallReference call) {
        List<CallPart> asked = List.of();
        int failures = (int) started.same(call.tool(), () -> canonical(call.arguments()))
                .stream()
                .filter(this::isFailed)
                .count();
        for (Message message : added.get()) {
            if (message instanceof Message.AssistantMessage said) {
                asked = said.calls();
            } else if (message instanceof Message.ToolMessage replies) {
                for (int i = 0; i < Math.min(asked.size(), replies.replies().size()); i++) {
                    failures += isFailed(replies.replies().get(i)) && isSame(asked.get(i), call) ? 1 : 0;
                }
            }
        }
        return failures;
    }

    private boolean isFailed(ProcessId process) {
        return store.read(ProcessReads.process(process))
                .map(row -> row.scope().result())
                .map(ProcessEnd::of)
                .filter(end -> end instanceof ProcessEnd.Failed || end instanceof ProcessEnd.Abandoned)
                .isPresent();
    }

    private static boolean isFailed(ReplyPart reply) {
        return reply.status() == ReplyPart.Status.ERROR || reply.status() == ReplyPart.Status.REJECTED;
    }

    private static boolean isSame(CallPart earlier, CallReference call) {
        return earlier.name().equals(call.tool()) && (earlier.arguments().equals(call.arguments())
                || canonical(earlier.arguments()).equals(canonical(call.arguments())));
    }

    private static String canonical(String arguments) {
        try {
            return arguments.isBlank() ? "{}" : Json.of(arguments, JsonLimits.ARGUMENTS).canonical();
        } catch (JsonException malformed) {
            return arguments;
        }
    }
}

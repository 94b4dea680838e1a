package dev.belay.runtime.operate;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.ProcessScope;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.runtime.store.journal.JournalHost;
import dev.belay.runtime.store.law.AuditRules;
import dev.belay.runtime.store.law.OperatorReads;
import dev.belay.runtime.store.law.OperatorReads.OpenKey;
import dev.belay.tool.context.CompletionKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Lists what waits, and gives out keys that were lost. Thread-safe.
 *
 * @param store reads the waits
 * @param host makes the keys
 * @param arguments reads the final arguments of a call from what was prepared
 */
public record PendingWaits(Store store, JournalHost host, UnaryOperator<Json> arguments) {

    private static final String COMPLETION = "completion";
    /** External work of a process, and the turn that a process waits for. */
    private static final String OUTCOME = "outcome";
    private static final String TURN = "turn";
    private static final String EVENT = "/event/";
    /** A call that waits until a doubt about one of its attempts or steps is settled. */
    private static final Pattern DOUBT = Pattern
            .compile("((?:round/\\d+/)?call/\\d+)/doubt/(?:(\\d+)|outcome/\\d+|(?:again/)*step/.*)",
                    Pattern.DOTALL);

    /** A call that waits for a person's word whether it may run. */
    private static final Pattern ASK = Pattern.compile("((?:round/\\d+/)?call/\\d+)/ask/([^/]+)");

    /** A page of waits, the longest first. */
    public Page<PendingWait> list(@Nullable String after, int most) {
        List<OpenKey> found = store.read(OperatorReads.pending(after, most, PendingWaits::record));
        return new Page<>(found.stream().map(this::wait).toList(),
                found.isEmpty() || found.size() < most ? null : found.getLast().place());
    }

    /** The record by which a call begins that a person has approved; empty for a call that had begun before it asked. */
    static Optional<String> next(String wait) {
        Matcher ask = ASK.matcher(wait);
        return ask.matches() && ask.group(2).chars().allMatch(Character::isDigit)
                ? Optional.of(ask.group(1) + "/attempt/" + (Integer.parseInt(ask.group(2)) + 1))
                : Optional.empty();
    }

    /** The record of the call that a wait belongs to. */
    static String record(String wait) {
        Matcher ask = ASK.matcher(wait);
        if (ask.matches()) {
            return ask.group(1) + "/attempt/" + ask.group(2);
        }
        Matcher doubt = DOUBT.matcher(wait);
        if (doubt.matches()) {
            return doubt.group(1) + "/attempt/" + (doubt.group(2) == null ? "1" : doubt.group(2));
        }
        int event = wait.indexOf(EVENT);
        String call = event >= 0
                ? wait.substring(0, event)
                : wait.endsWith("/" + COMPLETION)
                        ? wait.substring(0, wait.length() - COMPLETION.length() - 1)
                        : wait;
        return call + "/attempt/1";
    }

    private PendingWait wait(OpenKey key) {
        boolean isTurn = TurnScope.isTurn(key.input().kind());
        String session = isTurn ? key.input().value().peekText("session") : null;
        EffectRow call = key.recorded();
        return new PendingWait(key.keyId(), kind(key.opened().name().value()), key.scope(),
                session == null ? null : new SessionId(session),
                isTurn ? TurnScope.turn(key.scope()).orElse(null) : null,
                ProcessScope.isProcess(key.input().kind()) ? ProcessScope.process(key.scope()) : null,
                call == null ? null : call.identity().peekText("name"),
                call == null ? null : arguments(call.input()), key.since(), key.opened().deadline(),
                key.opened().announcement());
    }

    /** The final arguments of a call; null if they cannot be read: the wait is listed all the same. */
    private @Nullable Json arguments(@Nullable Json prepared) {
        try {
            return prepared == null ? null : arguments.apply(prepared);
        } catch (BelayException unreadable) {
            return null;
        }
    }

    /** Whether a call waits there until a doubt about it is settled. */
    static boolean isDoubt(String wait) {
        return DOUBT.matcher(wait).matches();
    }

    /** Whether a call waits there for a person's word. */
    static boolean isAsk(String wait) {
        return ASK.matcher(wait).matches();
    }

    static PendingWait.Kind kind(String wait) {
        if (isAsk(wait)) {
            return PendingWait.Kind.APPROVAL;
        }
        if (isDoubt(wait)) {
            return PendingWait.Kind.DOUBT;
        }
        if (wait.equals(TURN)) {
            return PendingWait.Kind.INPUT;
        }
        return wait.equals(OUTCOME) || (wait.endsWith(COMPLETION) && !wait.contains(EVENT))
                ? PendingWait.Kind.COMPLETION
                : PendingWait.Kind.EVENT;
    }

    /** The whole key of an open wait, the same that was handed out first; giving it out is noted. */
    public CompletionKey reissue(String keyId, Actor by, Instant at) {
        if (keyId.isBlank()) {
            throw new IllegalArgumentException(
                    "the id of the key is empty; give the keyId() of an entry of pending(…)");
        }
        OpenKey open = store.read(OperatorReads.pending(keyId, PendingWaits::record))
                .orElseThrow(
                        () -> new BelayException("unknown_wait", "no wait that is open has a key of the id "
                                + keyId + "; it was settled, or its scope has ended or was deleted"));
        if (kind(open.opened().name().value()) == PendingWait.Kind.DOUBT) {
            throw new BelayException("unknown_wait",
                    "what waits there is a call in doubt, which has no key; settle it by its doubt");
        }
        if (isAsk(open.opened().name().value())) {
            throw new BelayException("unknown_wait",
                    "what waits there is a call that asks a person, which has no key; decide it by approvals()");
        }
        CompletionKey key = host.key(open.scope(), open.incarnation(), open.secret(), open.opened().name());
        store.apply(AuditRules.only(AuditEntry.Note.of(by, "reissue", keyId, null), at));
        return key;
    }
}

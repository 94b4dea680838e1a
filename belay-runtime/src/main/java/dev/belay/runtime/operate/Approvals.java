package dev.belay.runtime.operate;

import dev.belay.json.Json;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.policy.ApprovalAnswer.Choice;
import dev.belay.runtime.policy.ApprovalRequest;
import dev.belay.runtime.policy.Grant;
import dev.belay.runtime.policy.ShownText;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.JournalHost;
import dev.belay.runtime.store.law.AuditRules;
import dev.belay.runtime.store.law.DecisionRules;
import dev.belay.runtime.store.law.DecisionRules.Deciding;
import dev.belay.runtime.store.law.OperatorReads;
import dev.belay.runtime.store.law.OperatorReads.OpenKey;
import dev.belay.schema.JsonSchema;
import dev.belay.schema.Violations;
import dev.belay.schema.Wording;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls that wait for a person's word, across all sessions. An answer names the wait and the digest of what the person was shown, and settles
 * exactly that wait; the first answer counts. Thread-safe.
 */
public final class Approvals {

    /** So many entries of the audit log are searched for a decision whose wait is gone. */
    private static final int MOST_SEARCHED = 10_000;
    private static final int PAGE = 500;
    private static final int MOST_SHOWN = 2_000;
    private static final int SHORTEST_DIGEST = 12;
    private static final String TAKE_BACK = "take-back";
    private static final String BEGUN = "its call has begun, or asks again";

    /** Reads what a person is asked from the record of a call. */
    @FunctionalInterface
    public interface Requests {

        /**
         * The request of a call; empty if it cannot be read.
         *
         * @param input of its attempt
         * @param result of its attempt, or null
         */
        Optional<ApprovalRequest> read(Json input, @Nullable Json result);
    }

    private final Store store;
    private final Requests requests;
    private final JournalHost host;
    private final Supplier<Instant> now;
    private final Actor by;

    /**
     * Approvals of a store.
     *
     * @param requests reads what is asked
     * @param host runs calls that go on because of an answer
     * @param by who answers
     */
    public Approvals(Store store, Requests requests, JournalHost host, Supplier<Instant> now,
            Actor by) {
        this.store = store;
        this.requests = requests;
        this.host = host;
        this.now = now;
        this.by = by;
    }

    /** The same in another's name. */
    public Approvals as(Actor actor) {
        return new Approvals(store, requests, host, now, actor);
    }

    /**
     * Requests that are open, the oldest first. A page may be short while {@link Page#next} is not null, because other waits stand between
     * them.
     *
     * @param after begins behind {@link Page#next} of another page; null begins with the first
     * @param most looks at this many waits
     */
    public Page<OpenApproval> open(@Nullable String after, int most) {
        List<OpenKey> found = store.read(OperatorReads.pending(after, Page.size(most), PendingWaits::record));
        return new Page<>(found.stream().flatMap(key -> request(key).stream()).toList(),
                found.size() < most ? null : found.getLast().place());
    }

    /** An open request; empty if there is none of that key id. */
    public Optional<OpenApproval> find(String keyId) {
        return store.read(OperatorReads.pending(keyId, PendingWaits::record)).flatMap(this::request);
    }

    private Optional<OpenApproval> request(OpenKey key) {
        Instant expires = key.opened().deadline();
        return !PendingWaits.isAsk(key.opened().name().value()) || expires == null
                ? Optional.empty()
                : requested(key)
                        .map(request -> new OpenApproval(key.keyId(), key.since(), expires, request));
    }

    /**
     * Answers a request.
     *
     * @param keyId of the request
     * @param digest of the request, as the person was shown it; of a request that was answered before, the first 12 characters suffice
     * @return {@code Already} if the same was answered before; {@code NotPossible} if another answer was first, with who gave it, or if the
     *         answer does not fit: then the call goes on waiting
     */
    public VerbResult decide(String keyId, String digest, ApprovalAnswer answer) {
        Objects.requireNonNull(digest, "digest");
        Objects.requireNonNull(answer, "answer");
        OpenKey open = store.read(OperatorReads.pending(keyId, PendingWaits::record)).orElse(null);
        OpenApproval asked = open == null ? null : request(open).orElse(null);
        if (open == null) {
            return before(keyId, digest, answer);
        }
        if (asked == null) {
            return new VerbResult.NotPossible("what waits under the key id \"" + ShownText.escaped(keyId)
                    + "\" asks no person, or cannot be read");
        }
        Optional<String> unfit = unfit(asked, digest, answer);
        if (unfit.isPresent()) {
            return new VerbResult.NotPossible(unfit.get());
        }
        Resolution said = Resolution.ok(answer.settlement(by.name(), by.door(), now.get()));
        return switch (host.claiming(open.scope(),
                () -> store.apply(store.decisions()
                        .decide(open, said, note(asked, answer),
                                granting(asked.request(), open, answer), host.hasRoom(), now.get())))) {
            case Deciding.Decided(var woken) -> {
                host.settled(open.scope(), open.opened().name(), said, woken);
                yield VerbResult.DONE;
            }
            case Deciding.Already(Resolution first) -> told(first, answer);
            case Deciding.Unknown unknown -> before(keyId, digest, answer);
        };
    }

    /**
     * Takes an approval back whose call has not begun: the call does not run, and the model reads your words. What was approved for the
     * turn or the session with it is revoked.
     *
     * @param keyId of the request
     * @param words for the model; may be empty
     * @return {@code Already} if it was taken back before; {@code NotPossible} if the call has begun or has ended, or was not approved
     */
    public VerbResult takeBack(String keyId, String words) {
        OpenKey decided = store.read(OperatorReads.decided(keyId, PendingWaits::record)).orElse(null);
        Json settled = decided != null && decided.opened().resolution() instanceof Resolution.Ok(Json value)
                ? value
                : null;
        ApprovalAnswer answer = settled == null ? null : ApprovalAnswer.of(settled).orElse(null);
        if (decided == null || settled == null || answer == null) {
            return new VerbResult.NotPossible("no call that may begin was approved under the key id \""
                    + ShownText.escaped(Wording.shown(keyId, 100))
                    + "\": it was not answered yet, has expired, or its call has ended");
        }
        if (answer.isTakenBack()) {
            return VerbResult.ALREADY;
        }
        if (answer.choice() == Choice.DENY || answer.choice() == Choice.ANSWER) {
            return new VerbResult.NotPossible("it was " + answer.inWords() + " by "
                    + ApprovalAnswer.by(settled) + ", so the call does not begin");
        }
        String next = PendingWaits.next(decided.opened().name().value()).orElse(null);
        return next == null ? new VerbResult.NotPossible(BEGUN) : takeBack(decided, next, answer, words);
    }

    private VerbResult takeBack(OpenKey decided, String next, ApprovalAnswer answer, String words) {
        Instant at = now.get();
        Resolution instead = Resolution
                .ok(ApprovalAnswer.takenBack(words).settlement(by.name(), by.door(), at));
        Optional<ApprovalRequest> asked = requested(decided);
        return switch (store.apply(
                DecisionRules.replace(decided, next, instead, takingBack(decided.keyId(), asked, words),
                        asked.map(request -> granting(request, decided, answer)).orElse(null), at))) {
            case DONE -> {
                host.settled(decided.scope(), decided.opened().name(), instead, null);
                yield VerbResult.DONE;
            }
            case BEGUN -> new VerbResult.NotPossible(BEGUN);
            case GONE ->
                new VerbResult.NotPossible("its call has ended, or another person has taken it back");
        };
    }

    private AuditEntry.Note takingBack(String keyId, Optional<ApprovalRequest> asked, String words) {
        return new AuditEntry.Note(by, TAKE_BACK, "approval/" + keyId, Json.write(out -> {
            out.beginObject();
            asked.ifPresent(request -> out.name("tool")
                    .value(request.call().tool())
                    .name("digest")
                    .value(request.digest()));
            out.name("words").value(words).endObject();
        }));
    }

    /** What a person was asked, as it is recorded; empty if it cannot be read. */
    private Optional<ApprovalRequest> requested(OpenKey key) {
        var recorded = key.recorded();
        Json input = recorded == null ? null : recorded.input();
        return recorded == null || input == null ? Optional.empty() : requests.read(input, recorded.result());
    }

    /** Why an answer does not fit; empty if it does. */
    private Optional<String> unfit(OpenApproval asked, String digest, ApprovalAnswer answer) {
        ApprovalRequest request = asked.request();
        if (!request.digest().equals(digest)) {
            return Optional.of(notThatDigest(digest)
                    + "; 'belay pending KEY-ID' or approvals().find(keyId) shows the request with its digest");
        }
        if (!now.get().isBefore(asked.expires())) {
            return Optional.of("the request expired at " + asked.expires());
        }
        if (!request.allowed().contains(answer.choice())) {
            return Optional
                    .of("this request allows " + request.allowed().stream().sorted().toList() + ", not "
                            + answer.choice());
        }
        return switch (answer) {
            case ApprovalAnswer.Edit(Json arguments) -> arguments.kind() == Json.Kind.OBJECT
                    ? violations(request.schemas().input(), arguments,
                            "these arguments do not fit the tool: ")
                    : Optional.of("arguments are an object, found " + arguments.kind());
            case ApprovalAnswer.Answer(Json value) -> request.schemas().output() == null
                    ? Optional.empty()
                    : violations(request.schemas().output(), value,
                            "this value does not fit the output of the tool: ");
            case ApprovalAnswer.Approve approve -> Optional.empty();
            case ApprovalAnswer.Deny deny -> Optional.empty();
        };
    }

    private static String notThatDigest(String digest) {
        return "the digest \"" + ShownText.escaped(Wording.shown(digest, 100))
                + "\" is not that of this request";
    }

    private static Optional<String> violations(Json schema, Json value, String words) {
        Violations wrong = JsonSchema.ofKept(schema).validate(value);
        return wrong.isEmpty() ? Optional.empty() : Optional.of(words + wrong.message());
    }

    private AuditEntry.Note note(OpenApproval asked, ApprovalAnswer answer) {
        return new AuditEntry.Note(by, answer.choice() == Choice.DENY ? "deny" : "approve",
                "approval/" + asked.keyId(), Json.write(out -> {
                    out.beginObject().name("tool").value(asked.request().call().tool());
                    out.name("digest").value(asked.request().digest()).name("answer").value(answer.toJson());
                    out.endObject();
                }));
    }

    /** What the session gets with an answer: a grant, or a notice of what was changed. */
    private DecisionRules.@Nullable Granting granting(ApprovalRequest request, OpenKey open,
            ApprovalAnswer answer) {
        ApprovalRequest.Call call = request.call();
        if (!call.isInTurn()) {
            return null;
        }
        var session = new SessionId(call.chain().getLast());
        return switch (answer) {
            case ApprovalAnswer.Approve(Choice scope) when scope != Choice.ONCE ->
                new DecisionRules.Granting(session, Grant.of(call.agent(), call.tool(), call.fingerprint(),
                        request.by().rules(),
                        scope == Choice.TURN ? call.turn() : null, by.name(), now.get()), null, call.turn());
            case ApprovalAnswer.Edit(Json arguments) -> new DecisionRules.Granting(session, null,
                    changed(open, call, arguments), call.turn());
            default -> null;
        };
    }

    private static Arrival changed(OpenKey open, ApprovalRequest.Call call, Json arguments) {
        String text = "Note (arguments_changed): a person has changed the arguments of " + call.tool()
                + " (call "
                + call.id() + ") from " + call.arguments().compact() + " to " + arguments.compact()
                + "; the reply to the call is about those";
        return Arrival.notice("changed/" + call.turn() + "/" + open.opened().name().value(),
                Json.write(out -> out
                        .beginObject()
                        .name("text")
                        .value(Wording.shown(text, MOST_SHOWN))
                        .endObject()));
    }

    private static VerbResult told(Resolution first, ApprovalAnswer answer) {
        if (!(first instanceof Resolution.Ok(Json settled))) {
            return new VerbResult.NotPossible(first instanceof Resolution.TimedOut
                    ? "the request has expired"
                    : "the call does not wait any more: it was cancelled");
        }
        Optional<ApprovalAnswer> said = ApprovalAnswer.of(settled);
        return said.filter(answer::equals).isPresent()
                ? VerbResult.ALREADY
                : new VerbResult.NotPossible(
                        "it was " + said.map(ApprovalAnswer::inWords).orElse("settled") + " by "
                                + ApprovalAnswer.by(settled));
    }

    /** Whether these are the first characters of that digest; none are said where a request is asked about, not answered. */
    private static boolean names(String said, String digest) {
        return said.isEmpty() || (said.length() >= SHORTEST_DIGEST && digest.startsWith(said));
    }

    /** What is known of a request that is not open: the audit log has who decided it. */
    private VerbResult before(String keyId, String digest, ApprovalAnswer answer) {
        String target = "approval/" + keyId;
        long last = store.read(AuditRules.last());
        for (long from = last; from > Math.max(0, last - MOST_SEARCHED); from -= PAGE) {
            for (AuditEntry entry : store.read(AuditRules.reading(Math.max(0, from - PAGE), PAGE))
                    .reversed()) {
                AuditEntry.Note note = entry.note();
                String by = " by " + note.by().name() + " (" + note.by().door() + ") at " + entry.at();
                if (note.target().equals(target) && note.verb().equals(TAKE_BACK)) {
                    return new VerbResult.NotPossible("it was taken back" + by);
                }
                Optional<ApprovalAnswer> said = note.target().equals(target)
                        ? note.details().get("answer").flatMap(ApprovalAnswer::of)
                        : Optional.empty();
                if (said.isPresent()) {
                    boolean isThat = note.details()
                            .get("digest")
                            .filter(of -> names(digest, of.asString()))
                            .isPresent();
                    return isThat && said.get().equals(answer)
                            ? VerbResult.ALREADY
                            : new VerbResult.NotPossible((isThat ? "" : notThatDigest(digest) + "; ")
                                    + "it was " + said.get().inWords() + by);
                }
            }
        }
        return new VerbResult.NotPossible(
                "no open request of this store has the key id \""
                        + ShownText.escaped(Wording.shown(keyId, 100))
                        + "\": it was answered long ago, has expired, its call was cancelled, or the id is of another"
                        + " store; 'belay pending' or approvals().open(…) lists what waits");
    }
}

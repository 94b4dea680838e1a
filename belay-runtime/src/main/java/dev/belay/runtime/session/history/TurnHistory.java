package dev.belay.runtime.session.history;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.MessageLog;
import dev.belay.model.ModelException;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.TokenFamily;
import dev.belay.model.Usage;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.history.Compaction;
import dev.belay.runtime.plugin.HistoryHook;
import dev.belay.runtime.plugin.HistoryHook.Reason;
import dev.belay.runtime.plugin.engine.HistoryHooks;
import dev.belay.runtime.plugin.engine.SessionPlugins;
import dev.belay.runtime.plugin.engine.StateView;
import dev.belay.runtime.session.asking.ModelChoice;
import dev.belay.runtime.session.asking.Models;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What of its conversation a turn sends, and when that is made shorter.
 *
 * <p><b>Concurrency.</b> Confined to the thread of the turn's scope. <b>Durability.</b> A compaction is recorded before the round that needs
 * it asks; the turn's commit keeps the last one with the session. <b>Recovery.</b> Recorded compactions are applied again before
 * their round; no compactor is asked for those.
 */
public final class TurnHistory {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.history");
    /** Usage for less says more about what stands around messages than about texts. */
    private static final long LEAST_TO_LEARN = 200;

    private final Turn turn;
    private final int skipped;
    private final SavedHistory before;
    private final List<Compaction> decided = new ArrayList<>(0);
    private final List<String> applied = new ArrayList<>(0);
    private final List<String> honoured = new ArrayList<>(0);
    private HistoryView view;
    private @Nullable CompactionRecord last;
    private int factor;
    private @Nullable ModelException refusal;

    /** The turn, as far as its history needs it. */
    public interface Turn {

        /** Where it runs. */
        EffectScope scope();

        /** Its number. */
        long number();

        /** Everything that was said, behind the instructions; it only grows. */
        MessageLog log();

        /** How much of it is older than the turn. */
        int older();

        /** Its plugins. */
        SessionPlugins plugins();

        /** What plugins read. */
        StateView stateView();

        /** Where time comes from. */
        TimeSource time();

        /** What stands before the conversation because agent or session say so; null if the turn says it itself. */
        @Nullable
        String standingInstructions();

        /** The history in the state of a turn, or null. */
        @Nullable
        Json savedIn(long number);

        /** Models that can be asked. */
        Models models();

        /** Whether the runtime is closing. */
        boolean stops();

        /** Pauses that hold it. */
        List<String> pausedBy();

        /** The record of what a question has cost. */
        Json spending(String model, Usage usage);

        /** Counts what is recorded as spent. */
        void spent(Json recorded);

        /** Counts a question that a dead process may have asked. */
        void lost();

        /** Tells listeners. */
        void tell(Compaction compaction);
    }

    /**
     * The history of a turn that is entered.
     *
     * @param past the conversation before it, without what is skipped
     * @param skipped how many of the oldest messages are not in it
     * @param saved what the session's turns have left, or null for nothing
     * @param known the view of the turn before, if it is known
     */
    public TurnHistory(Turn turn, MessageLog past, int skipped, @Nullable Json saved,
            @Nullable HistoryView known) {
        this.skipped = skipped;
        this.turn = turn;
        before = SavedHistory.of(saved);
        factor = before.factor();
        view = known != null ? known : HistoryView.of(before, turn::savedIn, past, skipped);
    }

    /** What is sent, with all that was said so far. */
    public HistoryView view() {
        view = view.of(turn.log());
        return view;
    }

    /**
     * What is sent of a request's messages. Messages that are not those of the conversation, with more behind them, are sent as they are.
     *
     * @param viewed what plugins' views have made, or null
     */
    public MessageLog sent(MessageLog asked, @Nullable Shown viewed) {
        MessageLog log = turn.log();
        boolean continues = log.size() <= asked.size()
                && (log.isEmpty() || log.getLast().equals(asked.get(log.size() - 1)));
        return continues
                ? (viewed == null ? view().sent() : viewed.messages())
                        .append(asked.subList(log.size(), asked.size()))
                : asked;
    }

    /** Estimates a request, with the room that it leaves for an answer. */
    public long tokens(ModelRequest request, ModelChoice choice) {
        return corrected(raw(request, choice)) + request.generation().maxOutputTokens().orElse(0);
    }

    /** The same before anything was learnt. */
    public long raw(ModelRequest request, ModelChoice choice) {
        return family(choice.model()).tokens(request);
    }

    private TokenFamily family(String model) {
        return turn.models().family(model);
    }

    private long corrected(long tokens) {
        return (tokens * factor + SavedHistory.EXACT - 1) / SavedHistory.EXACT;
    }

    /**
     * Learns from an answer.
     *
     * @param estimate what was estimated for the request, 0 if it was not
     */
    public void learn(long estimate, @Nullable ModelResponse reply) {
        long reported = reply == null ? 0 : reply.usage().input().orElse(0);
        if (estimate >= LEAST_TO_LEARN && reported > estimate / 3 && reported < estimate * 3) {
            factor = (int) (reported * SavedHistory.EXACT / estimate);
        }
    }

    /** Applies what is recorded before a round. */
    public void replay(int round) {
        for (Reason reason : List.of(Reason.FULL, Reason.REFUSED)) {
            turn.scope()
                    .peek(CompactEffect.key(round, reason))
                    .ifPresent(recorded -> apply(round, reason, CompactionRecord.of(recorded)));
        }
    }

    /**
     * Looks at a request before it is sent.
     *
     * @param commands ids of commands that ask for a compaction
     * @throws TooLongException if the conversation is to be made shorter before
     */
    public void check(int round, ModelRequest request, ModelChoice choice, List<String> commands) {
        List<String> asked = commands.isEmpty()
                ? commands
                : commands.stream().filter(id -> !honoured.contains(id)).toList();
        OptionalLong limit = choice.maxContextTokens();
        if (!turn.plugins().compacts() || (asked.isEmpty() && limit.isEmpty())
                || applied.contains(CompactEffect.key(round, Reason.FULL).value())) {
            return;
        }
        long tokens = tokens(request, choice);
        boolean full = limit.isPresent() && tokens * 100 > limit.getAsLong() * HistoryHook.FULL;
        if ((full || !asked.isEmpty()) && hasMore()) {
            throw new TooLongException(asked.isEmpty() ? Reason.FULL : Reason.ASKED, tokens, limit,
                    choice.model(), asked, null);
        }
    }

    /**
     * The provider has refused a request as too long.
     *
     * @throws TooLongException if the conversation can be made shorter
     */
    public void refused(int round, ModelRequest request, ModelChoice choice, ModelException failure) {
        boolean again = applied.contains(CompactEffect.key(round, Reason.REFUSED).value());
        if (failure.kind() == ModelException.Kind.CONTEXT_TOO_LONG && !again && turn.plugins().compacts()
                && hasMore()) {
            throw new TooLongException(Reason.REFUSED, tokens(request, choice), choice.maxContextTokens(),
                    choice.model(), List.of(), failure);
        }
    }

    /** Throws what the provider has said if nothing could be made shorter since. */
    public void requireChanged() {
        if (refusal != null) {
            throw refusal;
        }
    }

    /** Whether anything is sent but what the user says in this turn. */
    private boolean hasMore() {
        MessageLog sent = view().sent();
        return sent.subList(HistoryView.first(sent), sent.size())
                .stream()
                .anyMatch(one -> !(one instanceof Message.UserMessage))
                || running(view.places()) > 0;
    }

    private int running(int[] places) {
        int older = skipped + turn.older() - HistoryView.first(turn.log());
        int at = 0;
        while (at < places.length && places[at] < older) {
            at++;
        }
        return at;
    }

    /** Makes the conversation shorter, and records it: once for each round and reason, so that a round is not tried for ever. */
    public void compact(int round, TooLongException why) {
        if (applied.contains(CompactEffect.key(round, why.reason()).value())) {
            throw new IllegalStateException("round " + round + " was made shorter already: " + why.reason());
        }
        CompactionRecord made = turn.scope()
                .run(new CompactEffect(round, why.reason(), turn.pausedBy(),
                        unrecorded -> make(round, why, unrecorded)));
        apply(round, why.reason(), made);
        Compaction compaction = made.decided();
        if (made.pieces() == null) {
            refusal = why.failure();
            LOG.warn("Round {} of turn {} is too long ({}), and nothing makes it shorter: {}", round,
                    compaction.turn(), why.reason(), compaction.failed());
            return;
        }
        turn.tell(compaction);
        LOG.info("The history before round {} of turn {} was made shorter ({}): from {} to {} tokens by {};"
                + " {} messages shortened, {} dropped", round, compaction.turn(), why.reason(),
                compaction.tokensBefore(), compaction.tokensAfter(), compaction.plugin(),
                compaction.shortened(), compaction.dropped());
    }

    private void apply(int round, Reason reason, CompactionRecord made) {
        String key = CompactEffect.key(round, reason).value();
        if (applied.contains(key)) {
            return;
        }
        applied.add(key);
        made.spent().forEach(turn::spent);
        if (made.unrecorded()) {
            turn.lost();
        }
        honoured.addAll(made.commands());
        Pieces next = made.pieces();
        if (next != null) {
            last = made;
            view = HistoryView.of(next, made.upTo(), turn.log(), skipped);
            decided.add(made.decided());
        }
    }

    private CompactionRecord make(int round, TooLongException why, boolean unrecorded) {
        MessageLog sent = view().sent();
        List<Message> messages = List.copyOf(sent.subList(HistoryView.first(sent), sent.size()));
        int[] places = view.places();
        TokenFamily family = family(why.model());
        var request = new CompactionRequest(turn, why, messages, running(places),
                one -> corrected(family.tokens(one)));
        if (why.failure() != null && !why.failure().usage().equals(Usage.NONE)) {
            request.spent(why.model(), why.failure().usage());
        }
        HistoryHooks.Made made = request.isHopeless()
                ? new HistoryHooks.Made("", messages,
                        List.of("what the user says in this turn is longer than the context"))
                : asked(request);
        boolean answered = !made.plugin().isEmpty();
        Pieces found = answered ? Pieces.of(made.messages(), messages, places) : null;
        return new CompactionRecord(request.decided(round, made),
                skipped + turn.log().size() - HistoryView.first(turn.log()), found,
                request.spending(),
                unrecorded, why.commands());
    }

    /** A cancellation interrupts a model that summarises; a runtime that closes leaves the compaction to the next one. */
    private HistoryHooks.Made asked(CompactionRequest request) {
        Thread thread = Thread.currentThread();
        Runnable off = turn.scope().onCancel(reason -> thread.interrupt());
        try {
            HistoryHooks.Made made = HistoryHooks.compact(turn.plugins(), request, turn.time());
            if (turn.stops()) {
                throw new ModelException(ModelException.Kind.INTERRUPTED, "the runtime closes");
            }
            return made;
        } finally {
            off.run();
            if (!turn.stops()) {
                Thread.interrupted(); // an interrupt that was meant for the compaction
            }
        }
    }

    /** Whether the session is to keep more than before. */
    public boolean isChanged() {
        return !next().equals(before.later());
    }

    /** What the session is to keep; null for nothing. */
    public @Nullable Json saved() {
        SavedHistory next = next();
        return next.equals(SavedHistory.NONE) ? null : next.toJson();
    }

    private SavedHistory next() {
        SavedHistory next = before.later();
        CompactionRecord made = last;
        if (made != null) {
            next = new SavedHistory(made.decided().turn(), before.turn(), decided, made.upTo(), made.pieces(),
                    List.copyOf(calledSoFar()), next.factor(), next.instructed(), next.mark(), null);
        }
        boolean learnt = Math.abs(factor - before.factor()) * 10 > before.factor();
        String standing = turn.standingInstructions();
        String mark = standing == null ? next.mark() : SavedHistory.mark(standing);
        boolean told = !mark.equals(next.mark());
        return !learnt && !told
                ? next
                : new SavedHistory(next.turn(), next.before(), next.decided(), next.upTo(), next.pieces(),
                        next.called(), learnt ? factor : before.factor(),
                        told ? turn.number() : next.instructed(), mark,
                        told ? standing : null);
    }

    private Set<String> calledSoFar() {
        Set<String> names = new TreeSet<>(calledBefore());
        for (Message message : turn.log()) {
            if (message instanceof Message.AssistantMessage said) {
                said.calls().forEach(call -> names.add(call.name()));
            }
        }
        return names;
    }

    /** The names of tools that the session had called up to its last compaction before this turn. */
    public Set<String> calledBefore() {
        return before.turn() == 0 ? Set.of() : Set.copyOf(before.whole(turn::savedIn).called());
    }

    /** What plugins' views have made of the messages that are sent; null if nothing. */
    public @Nullable Shown shown() {
        MessageLog sent = view().sent();
        if (!turn.plugins().views()) {
            return null;
        }
        int from = view.compacted();
        int first = HistoryView.first(sent);
        int[] all = view.places();
        HistoryHooks.Made made = HistoryHooks.view(turn.plugins(), turn.stateView(),
                sent.subList(first, from),
                sent.subList(from, sent.size()), running(all), turn.time());
        if (made == null) {
            return null;
        }
        int[] places = Arrays.copyOfRange(all, from - first, all.length);
        Pieces seen = Pieces.of(made.messages(), sent.subList(from, sent.size()), places);
        return new Shown(MessageLog.empty().append(sent.subList(0, from)).append(made.messages()), seen,
                made.failed());
    }

    /**
     * What is sent in the place of {@link #view}.
     *
     * @param messages all of them
     * @param pieces those since the last compaction, for the record
     * @param failed views that were left out
     */
    public record Shown(MessageLog messages, Pieces pieces, List<String> failed) {

        /** Its record. */
        public Json toJson() {
            return Json.write(out -> {
                out.beginObject();
                pieces.write(out.name("pieces"));
                if (!failed.isEmpty()) {
                    out.name("failed").value(Json.array(failed.stream().map(Json::string).toList()));
                }
                out.endObject();
            });
        }
    }
}

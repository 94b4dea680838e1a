package dev.belay.runtime.session.history;

import dev.belay.json.Json;
import dev.belay.model.Generation;
import dev.belay.model.Message;
import dev.belay.model.ModelException;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Usage;
import dev.belay.runtime.history.Compaction;
import dev.belay.runtime.plugin.HistoryHook;
import dev.belay.runtime.plugin.HistoryHook.Reason;
import dev.belay.runtime.plugin.engine.HistoryHooks;
import dev.belay.runtime.plugin.engine.StateView;
import dev.belay.runtime.session.asking.AskedModel;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToLongFunction;

/** What compactors are asked, and what they spend. A compactor may use it from several threads. */
final class CompactionRequest extends StateView implements HistoryHook.Request {

    private final TurnHistory.Turn turn;
    private final TooLongException why;
    private final List<Message> messages;
    private final int running;
    private final ToLongFunction<Message> tokens;
    private final long total;
    private final long limit;
    private final long target;
    private final List<Json> spent = new CopyOnWriteArrayList<>();
    private final List<String> models = new CopyOnWriteArrayList<>();

    CompactionRequest(TurnHistory.Turn turn, TooLongException why, List<Message> messages, int running,
            ToLongFunction<Message> tokens) {
        super(turn.stateView());
        this.turn = turn;
        this.why = why;
        this.messages = messages;
        this.running = running;
        this.tokens = tokens;
        total = messages.stream().mapToLong(tokens).sum();
        long around = Math.max(0, why.tokens() - total);
        long most = why.limit().isPresent() ? why.limit().getAsLong() - around : total;
        limit = why.reason() == Reason.FULL ? most : Math.min(most, total - 1);
        long half = why.limit().isPresent()
                ? why.limit().getAsLong() * HistoryHook.TARGET / 100 - around
                : total / 2;
        long wanted = why.reason() == Reason.FULL ? half : Math.min(half, total / 2);
        target = wanted > 0 ? wanted : Math.max(1, limit / 2);
    }

    /** Whether what the user says in this turn is too long by itself. */
    boolean isHopeless() {
        return messages.subList(running, messages.size())
                .stream()
                .filter(Message.UserMessage.class::isInstance)
                .mapToLong(tokens)
                .sum() > limit;
    }

    @Override
    public Reason reason() {
        return why.reason();
    }

    @Override
    public List<Message> messages() {
        return messages;
    }

    @Override
    public int running() {
        return running;
    }

    @Override
    public long target() {
        return target;
    }

    @Override
    public long limit() {
        return limit;
    }

    @Override
    public long tokens(Message message) {
        return tokens.applyAsLong(message);
    }

    @Override
    public String model() {
        return why.model();
    }

    @Override
    public String ask(String model, List<Message> asked, int mostTokens) {
        ModelRequest request = ModelRequest.builder(asked)
                .generation(Generation.PROVIDER_DECIDES.withMaxOutputTokens(mostTokens))
                .build();
        models.add(model);
        try {
            ModelResponse answer = AskedModel.answer(turn.models().model(model), request,
                    ModelListener.silent());
            spent(model, answer.usage());
            return answer.text();
        } catch (ModelException failure) {
            if (!failure.usage().equals(Usage.NONE)) {
                spent(model, failure.usage());
            }
            throw failure;
        }
    }

    void spent(String model, Usage usage) {
        spent.add(turn.spending(model, usage));
    }

    List<Json> spending() {
        return spent;
    }

    /** What was decided, counted. */
    Compaction decided(int round, HistoryHooks.Made made) {
        Set<Message> before = new HashSet<>(messages);
        int kept = 0;
        int shortened = 0;
        for (Message one : made.messages()) {
            boolean same = before.contains(one);
            kept += same ? 1 : 0;
            shortened += !same && one instanceof Message.ToolMessage ? 1 : 0;
        }
        return new Compaction(turn(), round, why.reason(), made.plugin(), total,
                made.messages().stream().mapToLong(tokens).sum(), kept, shortened,
                messages.size() - kept - shortened, made.messages().size() - kept - shortened, models,
                made.failed());
    }
}

package dev.belay.model.script;

import dev.belay.model.FinishReason;
import dev.belay.model.Message;
import dev.belay.model.Message.AssistantMessage;
import dev.belay.model.Message.SystemMessage;
import dev.belay.model.Message.ToolMessage;
import dev.belay.model.Message.UserMessage;
import dev.belay.model.Model;
import dev.belay.model.ModelEvent;
import dev.belay.model.ModelException;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.ResponseReducer;
import dev.belay.model.ToolSpec;
import dev.belay.schema.Shown;
import java.io.Reader;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A model that says what it was told to say, for tests and examples; it needs no network.
 *
 * <p>Steps without a condition form a queue: each answers one request, in order. Steps with a condition are rules: the first
 * one that matches answers, as often as it matches (or {@linkplain ScriptStep#once() once}), and the queue is asked only if
 * none does. A request with no answer left is a {@link ModelException} that says what was asked.
 *
 * <pre>{@code
 * var model = new ScriptedModel()
 *         .call("find_orders", "{\"customer\":\"42\"}")
 *         .reply("There are two.");
 * }</pre>
 *
 * <p>Thread-safe: concurrent requests take different steps of the queue. Conditions are asked under a lock; computed
 * responses and listeners are not.
 */
public final class ScriptedModel implements Model {

    private static final int LONGEST_QUOTE = 200;

    private final String id;
    private final Lock lock = new ReentrantLock();
    private final List<ScriptStep> queue = new ArrayList<>();
    private final List<ScriptStep> rules = new ArrayList<>();
    private final Set<ScriptStep> unused = new LinkedHashSet<>();
    private final List<ModelRequest> requests = new ArrayList<>();

    /** Starts an empty script under the name {@code scripted}. */
    public ScriptedModel() {
        this("scripted");
    }

    /** Starts an empty script under a name of your choice. */
    public ScriptedModel(String id) {
        if (id.isEmpty()) {
            throw new IllegalArgumentException("the id of a model must not be empty");
        }
        this.id = id;
    }

    /**
     * Reads a script of JSON lines, one step per line; blank lines do not count. The reader is read to its end and left
     * open. A line is an object of these keys:
     *
     * <ul>
     * <li>{@code "reasoning"}, {@code "text"}, {@code "refusal"}: strings, said in this order;
     * <li>{@code "calls"}: array of <code>{"name": …, "arguments": …, "id": …}</code>; arguments are a string, taken as the
     * raw text, or any other JSON, taken with its exact text (default <code>{}</code>); the id is {@code scripted_<n>} if absent;
     * <li>{@code "error"}: <code>{"kind": …, "message": …, "retry_after_seconds": …}</code>, the kind one of
     * {@link ModelException.Kind} in lower case; thrown after all else on the line was streamed;
     * <li>{@code "finish"}: one of {@link FinishReason} in lower case;
     * <li>{@code "usage"}: object of {@code "input"}, {@code "output"}, {@code "cache_read"}, {@code "cache_write"},
     * {@code "reasoning"};
     * <li>{@code "chunks"}: the most code points in one piece, or an array of the pieces of the text (which may then be
     * left out);
     * <li>{@code "native"}: <code>{"provider": …, "payload": …}</code>;
     * <li>{@code "when"}: makes it a rule; object of {@code "last_user_text_contains"}, {@code "has_reply_for"},
     * {@code "offers"}, all of which must hold; {@code "once": true} limits it to the first match.
     * </ul>
     *
     * @throws dev.belay.BelayException with the code {@code invalid_script} and the number of the line that is wrong
     * @throws java.io.UncheckedIOException if the reader fails
     */
    public static ScriptedModel fromJsonl(Reader lines) {
        ScriptedModel model = new ScriptedModel();
        ScriptLines.parse(lines).forEach(model::then);
        return model;
    }

    /** Answers the next request with a text. */
    public ScriptedModel reply(String text) {
        return then(ScriptStep.text(text));
    }

    /** Answers the next request with one call; {@link ScriptStep#andCall} makes several. */
    public ScriptedModel call(String tool, String arguments) {
        return then(ScriptStep.call(tool, arguments));
    }

    /** Answers the next request with a refusal. */
    public ScriptedModel refuse(String text) {
        return then(ScriptStep.refusal(text));
    }

    /** Fails the next request. */
    public ScriptedModel error(ModelException error) {
        return then(ScriptStep.error(error));
    }

    /** Computes the answer to the next request. */
    public ScriptedModel respond(Function<ModelRequest, ModelResponse> response) {
        return then(ScriptStep.respond(response));
    }

    /** Answers every request that meets the condition, ahead of the queue. */
    public ScriptedModel when(Predicate<? super ModelRequest> condition, ScriptStep step) {
        return then(step.when(condition));
    }

    /** Adds a step: a rule if it has a condition, else at the end of the queue. */
    public ScriptedModel then(ScriptStep step) {
        if (step.isOnce() && !step.isRule()) {
            throw new IllegalArgumentException("once() is for rules; this step has no condition: " + step);
        }
        ScriptStep own = step.own();
        return locked(() -> {
            (own.isRule() ? rules : queue).add(own);
            unused.add(own);
            return this;
        });
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public ModelResponse complete(ModelRequest request, ModelListener listener) {
        ResponseReducer reducer = new ResponseReducer();
        int number = locked(() -> {
            requests.add(request);
            return requests.size();
        });
        checkInterrupted(reducer);
        ScriptStep step = locked(() -> take(request, number));
        for (ModelEvent event : step.events(request, id, "scripted_" + number)) {
            checkInterrupted(reducer);
            reducer.accept(event);
            listener.on(event);
        }
        if (step.failure().isPresent()) {
            ModelException error = step.failure().get();
            throw reducer.partial().map(error::withPartial).orElse(error);
        }
        return reducer.finish();
    }

    /** Every request so far, the oldest first; failed ones too. */
    public List<ModelRequest> requests() {
        return locked(() -> List.copyOf(requests));
    }

    /** The latest request, if there was one. */
    public Optional<ModelRequest> lastRequest() {
        return locked(() -> requests.isEmpty() ? Optional.empty() : Optional.of(requests.getLast()));
    }

    /**
     * Demands that every step has answered at least once.
     *
     * @throws AssertionError that lists those that have not
     */
    public void assertExhausted() {
        List<ScriptStep> left = locked(() -> List.copyOf(unused));
        if (!left.isEmpty()) {
            throw new AssertionError(left.size() + " scripted steps were never used: " + left);
        }
    }

    private ScriptStep take(ModelRequest request, int number) {
        for (Iterator<ScriptStep> candidates = rules.iterator(); candidates.hasNext();) {
            ScriptStep rule = candidates.next();
            if (rule.matches(request)) {
                if (rule.isOnce()) {
                    candidates.remove();
                }
                unused.remove(rule);
                return rule;
            }
        }
        if (queue.isEmpty()) {
            throw new ModelException(ModelException.Kind.INVALID_REQUEST,
                    "the script has no answer to request " + number
                            + ": no step is left in the queue"
                            + (rules.isEmpty() ? "" : " and no rule matches of " + rules)
                            + ". The last of " + request.messages().size() + " messages is "
                            + words(request.messages().getLast())
                            + "; the tools are "
                            + request.tools().stream().map(ToolSpec::name).toList());
        }
        ScriptStep next = queue.removeFirst();
        unused.remove(next);
        return next;
    }

    /** A message in words, for a person who mends the script. */
    private static String words(Message message) {
        return switch (message) {
            case SystemMessage system -> "instructions: " + quoted(system.text());
            case UserMessage user -> "the user's: " + quoted(user.text());
            case AssistantMessage answer -> "the model's: " + quoted(answer.text());
            case ToolMessage results -> results.replies()
                    .stream()
                    .map(reply -> "the result of " + reply.toolName() + ": " + quoted(reply.text()))
                    .collect(Collectors.joining(", "));
        };
    }

    private static String quoted(String text) {
        return '"' + Shown.inLine(text, LONGEST_QUOTE) + '"';
    }

    private static void checkInterrupted(ResponseReducer reducer) {
        if (Thread.currentThread().isInterrupted()) {
            ModelException error = new ModelException(ModelException.Kind.INTERRUPTED,
                    "the thread that asked the model was interrupted");
            throw reducer.partial().map(error::withPartial).orElse(error);
        }
    }

    private <T> T locked(Supplier<T> body) {
        lock.lock();
        try {
            return body.get();
        } finally {
            lock.unlock();
        }
    }
}

package dev.belay.testkit;

import dev.belay.json.Json;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.operate.OpenApproval;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.policy.ApprovalRequest;
import dev.belay.runtime.store.Actor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A person who answers by a script, for {@link ToolHarness}, {@link PluginHarness} and {@link dev.belay.testkit.crash.CrashKit}. There is one
 * answer for a tool, which holds for each of its requests until the script says another. A request without an answer fails the test, and so
 * does an answer for which no request came.
 *
 * <pre>{@code
 * new ScriptedPerson().approve("look").edit("refund", "{\"order\": 7}").deny("delete", "not today").after(Duration.ofDays(2))
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class ScriptedPerson {

    private static final String ANY = "";
    private static final Actor ACTOR = new Actor("person", "test");
    private static final int MOST = 100;

    /**
     * The answer for a tool.
     *
     * @param words how the script says it
     * @param answer null for none
     */
    private record Rule(String words, Function<ApprovalRequest, @Nullable ApprovalAnswer> answer) {}

    private final Map<String, Rule> rules = new LinkedHashMap<>();
    private final Map<String, Rule> unused = new LinkedHashMap<>();
    private final List<ApprovalRequest> asked = new ArrayList<>();
    private Duration after = Duration.ZERO;

    /** A person without a script. */
    public ScriptedPerson() {}

    /** Approves each call of these tools; of every tool without another answer if none is named. */
    public ScriptedPerson approve(String... tools) {
        return rules("approve", tools, request -> ApprovalAnswer.once());
    }

    /** Approves each call of a tool with other arguments, as JSON. */
    public ScriptedPerson edit(String tool, String arguments) {
        ApprovalAnswer edit = ApprovalAnswer.edit(Json.of(arguments));
        return rule(tool, new Rule("edit(\"" + tool + "\", …)", request -> edit));
    }

    /** Answers each call of a tool in its place, with a value as JSON. */
    public ScriptedPerson answer(String tool, String value) {
        ApprovalAnswer answer = ApprovalAnswer.answer(Json.of(value));
        return rule(tool, new Rule("answer(\"" + tool + "\", …)", request -> answer));
    }

    /** Denies each call of a tool. */
    public ScriptedPerson deny(String tool, String words) {
        return rule(tool, new Rule("deny(\"" + tool + "\", …)", request -> ApprovalAnswer.deny(words)));
    }

    /** Is asked about these tools and never answers; about every tool without another answer if none is named. */
    public ScriptedPerson never(String... tools) {
        return rules("never", tools, request -> null);
    }

    /**
     * Computes the answers for a tool.
     *
     * @param answer null for none; the same for the same request, because a crash kit asks again
     */
    public ScriptedPerson decide(String tool, Function<ApprovalRequest, @Nullable ApprovalAnswer> answer) {
        return rule(tool, new Rule("decide(\"" + tool + "\", …)", answer));
    }

    /** Takes so long for each answer; none by default. */
    public synchronized ScriptedPerson after(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException(
                    "a person answers after a time that is not negative, found " + time);
        }
        after = time;
        return this;
    }

    /** What was asked so far, in order. */
    public synchronized List<ApprovalRequest> asked() {
        return List.copyOf(asked);
    }

    private ScriptedPerson rules(String verb, String[] tools,
            Function<ApprovalRequest, @Nullable ApprovalAnswer> answer) {
        if (tools.length == 0) {
            rule(ANY, new Rule(verb + "()", answer));
        }
        for (String tool : tools) {
            rule(tool, new Rule(verb + "(\"" + tool + "\")", answer));
        }
        return this;
    }

    private synchronized ScriptedPerson rule(String tool, Rule rule) {
        rules.put(tool, rule);
        unused.put(tool, rule);
        return this;
    }

    /**
     * What is answered to a request.
     *
     * @return empty if the script says {@code never}
     * @throws AssertionError if the script has no answer for the tool, or one that the request does not allow
     */
    public Optional<ApprovalAnswer> answerTo(ApprovalRequest request) {
        String tool = request.call().tool();
        Rule rule;
        synchronized (this) {
            String name = rules.containsKey(tool) ? tool : ANY;
            rule = rules.get(name);
            if (rule == null) {
                throw new AssertionError("tool " + tool + " asks a person, and the script of this one "
                        + (rules.isEmpty() ? "is empty" : "speaks of " + rules.keySet() + " only")
                        + "; say approve(\"" + tool + "\"), edit, answer, deny or never");
            }
            unused.remove(name);
            if (!asked.contains(request)) {
                asked.add(request);
            }
        }
        ApprovalAnswer answer = rule.answer().apply(request);
        if (answer != null && !request.allowed().contains(answer.choice())) {
            throw new AssertionError("person." + rule.words() + " does not fit: the request of tool " + tool
                    + " allows " + new TreeSet<>(request.allowed()) + ", not " + answer.choice());
        }
        return Optional.ofNullable(answer);
    }

    /** How long an answer takes. */
    public synchronized Duration takes() {
        return after;
    }

    /**
     * Demands that every tool of the script is one of these.
     *
     * @throws IllegalArgumentException that names those that are not
     */
    public synchronized void requireTools(Collection<String> tools) {
        List<String> unknown = rules.keySet()
                .stream()
                .filter(tool -> !tool.equals(ANY) && !tools.contains(tool))
                .toList();
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("the person's script speaks of " + unknown
                    + ", and there is no tool of that name, but " + tools);
        }
    }

    /**
     * Demands that every answer of the script was asked for.
     *
     * @throws AssertionError that lists those that were not
     */
    public synchronized void requireAsked() {
        if (!unused.isEmpty()) {
            throw new AssertionError("the person was never asked for "
                    + unused.values().stream().map(Rule::words).toList() + ", only about "
                    + asked.stream().map(request -> request.call().tool()).distinct().toList()
                    + ": a tool asks by Approval.ALWAYS, or a policy asks about it by PolicyRule.ask");
        }
    }

    /**
     * Answers all requests that are open, each after its time.
     *
     * @return whether one was answered
     */
    boolean look(BelayClient client, FakeTime time) {
        for (OpenApproval open : open(client)) {
            Duration left = Duration.between(time.now(), open.since().plus(takes()));
            if (left.isPositive() && answerTo(open.request()).isPresent()) {
                time.advance(left);
            }
        }
        return look(client);
    }

    /**
     * Answers all requests that are open at once.
     *
     * @return whether one was answered
     */
    boolean look(BelayClient client) {
        boolean answered = false;
        for (OpenApproval open : open(client)) {
            Optional<ApprovalAnswer> answer = answerTo(open.request());
            answered |= answer.isPresent();
            answer.ifPresent(says -> decide(client, open, says));
        }
        return answered;
    }

    private static List<OpenApproval> open(BelayClient client) {
        return client.approvals().open(null, MOST).items();
    }

    private static void decide(BelayClient client, OpenApproval open, ApprovalAnswer answer) {
        if (client.as(ACTOR)
                .approvals()
                .decide(open.keyId(), open.request().digest(),
                        answer) instanceof VerbResult.NotPossible(String reason)
                && client.approvals().find(open.keyId()).isPresent()) {
            throw new AssertionError("the person could not answer tool " + open.request().call().tool() + ": "
                    + answer.inWords() + ": " + reason);
        }
    }

    /** What settles the wait of a request outside a runtime. */
    public Json settlement(ApprovalAnswer answer, Instant at) {
        return answer.settlement(ACTOR.name(), ACTOR.door(), at);
    }
}

package dev.belay.tests.policy;

import static dev.belay.tests.policy.ApprovalBench.ANNA;
import static dev.belay.tests.policy.PlannedRefunds.arguments;
import static dev.belay.tests.policy.PlannedRefunds.isPlain;
import static dev.belay.tests.policy.PlannedRefunds.paid;
import static dev.belay.tests.policy.PlannedRefunds.planned;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.operate.OpenApproval;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.policy.Match;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.policy.PolicyDecision.Verdict;
import dev.belay.runtime.policy.PolicyRule;
import dev.belay.runtime.session.ChildSession;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.runtime.store.SessionHead;
import dev.belay.tests.operate.OperatorBench;
import dev.belay.tests.policy.PolicyOracle.Approved;
import dev.belay.tests.policy.PolicyOracle.Granted;
import dev.belay.tests.policy.PolicyOracle.Paid;
import dev.belay.tests.policy.PolicyOracle.Rule;
import dev.belay.tests.policy.PolicyOracle.Rules;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import java.io.StringReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random programs of rules, chains of sessions, grants, spellings, edits, policies that change while a call waits, forks and imports, in both loops:
 * no call runs although a rule in force denies it or asks about it without an answer, and each request shows all rules that ask.
 */
class PolicyProgramsTest {

    private static final int PROGRAMS = Boolean.getBoolean("belay.long") ? 50_000 : 1_000; // in each loop
    /** Programs on one store. */
    private static final int TOGETHER = 250;
    private static final List<String> AGENTS = List.of("default", "clerk", "third");
    private static final List<String> NAMES = List.of("ann", "anton", "bob", "bert");
    private static final Pattern ASKED_BY = Pattern.compile("(?m)^asked by: (?:rule \"([^\"]+)\"|(no rule))");

    private final PolicyOracle oracle = new PolicyOracle();
    private final Map<String, Policy> policies = new ConcurrentHashMap<>();
    private final List<String> wrong = new CopyOnWriteArrayList<>();
    /** How many turns each session has ended. */
    private final Map<String, Long> turns = new ConcurrentHashMap<>();
    /** Calls whose bodies have run in this turn. */
    private final Set<String> paidCalls = ConcurrentHashMap.newKeySet();
    private Random random = new Random(0);
    private int ran;
    private int asked;
    private int askedAgain;
    private int denied;
    private int names;

    @ParameterizedTest
    @ValueSource(strings = {"memory", "memory own-loop"})
    void noCallRunsWithoutAnAnswer(String where) throws Exception {
        for (int first = 0; first < PROGRAMS; first += TOGETHER) {
            try (var bench = new ApprovalBench(where, Path.of(""))) {
                Belay belay = open(bench);
                for (int seed = first; seed < first + TOGETHER; seed++) {
                    random = new Random(seed * 2L + (bench.ownLoop ? 1 : 0));
                    try {
                        new Program(bench, belay, "program-" + seed).run();
                    } catch (AssertionError e) {
                        throw new AssertionError("seed " + seed + ", " + where + ", " + stands(belay), e);
                    }
                    assertThat(wrong).as("seed %d, %s, rules %s", seed, where, oracle.inForce).isEmpty();
                }
            }
        }
        assertThat(List.of(ran, asked, askedAgain, denied)).as("ran, asked, asked again, denied")
                .allSatisfy(times -> assertThat(times).isGreaterThan(PROGRAMS / 10));
    }

    /** What each session of a runtime waits for. */
    private static String stands(Belay belay) {
        return belay.sessions(null, 5_000)
                .items()
                .stream()
                .filter(session -> session.waits() != null)
                .map(Object::toString)
                .collect(Collectors.joining("; "));
    }

    private Belay open(ApprovalBench bench) {
        bench.body = this::pay;
        bench.refund = ToolDefinition.raw("refund", "Refunds.", Json.of("""
                {"type": "object", "properties": {"amount": {"type": "number"}, "to": {"type": "string"}},
                 "required": ["amount", "to"]}""")).effect(ToolEffect.ONCE);
        bench.beside(
                new ApprovalBench.Callable(SessionBench.tool("delegate", ToolEffect.ONCE), this::delegate));
        Policy policy = call -> known(policies, call.agent()).decide(call);
        return bench.serving(bench.stores.worker(planned(), builder -> {
            for (String agent : AGENTS.subList(1, AGENTS.size())) {
                builder.agent(agent, own -> own.model(planned())
                        .policy(policy)
                        .tools(new PlannedRefunds.Spelled(bench.provider())));
            }
            return (bench.ownLoop ? builder : builder.tools(new PlannedRefunds.Spelled(bench.provider())))
                    .policy(policy)
                    .drain(Duration.ZERO);
        }));
    }

    /** The body of a refund: the oracle must allow it. */
    private String pay(Json arguments, ToolContext context) {
        String session = ((SessionToolContext) context).sessions().current().value();
        String call = context.callId().value();
        Paid paid = paid(arguments);
        if (oracle.asking(session, paid) == null) {
            wrong.add("call " + call + " of " + session + " ran although a rule denies " + paid);
        } else if (!oracle.unanswered(session, known(turns, session) + 1, call, paid).isEmpty()) {
            wrong.add("call " + call + " of " + session + " ran although "
                    + oracle.unanswered(session, known(turns, session) + 1, call, paid) + " ask about "
                    + paid);
        }
        paidCalls.add(call);
        return "paid";
    }

    private String delegate(Json arguments, ToolContext context) throws Exception {
        var sessions = ((SessionToolContext) context).sessions();
        String agent = arguments.get("agent").orElseThrow().asString();
        ChildSession child = sessions.create("child", agent);
        List<String> above = new ArrayList<>(oracle.agentsAbove.get(sessions.current().value()));
        above.add(agent);
        synchronized (oracle) {
            oracle.agentsAbove.put(child.id().value(), above);
        }
        turns.put(child.id().value(), 0L);
        child.turn("go", arguments.get("plan").orElseThrow().asString()).await();
        turns.put(child.id().value(), 1L);
        return "delegated";
    }

    /** One program. */
    private final class Program {

        private final ApprovalBench bench;
        private final Belay belay;
        private final String name;
        /** Calls whose arguments a person has sent in another spelling. */
        private final Set<String> spelled = new HashSet<>();

        Program(ApprovalBench bench, Belay belay, String name) {
            this.bench = bench;
            this.belay = belay;
            this.name = name;
        }

        void run() throws Exception {
            oracle.agentsAbove.clear();
            oracle.approved.clear();
            oracle.granted.clear();
            AGENTS.forEach(this::decree);
            oracle.agentsAbove.put(name, List.of("default"));
            turns.put(name, 0L);
            for (int step = 2 + random.nextInt(3); step > 0; step--) {
                String session = any(List.copyOf(oracle.agentsAbove.keySet()));
                switch (random.nextInt(8)) {
                    case 0 -> copy(session);
                    case 1 -> decree(any(AGENTS));
                    case 2 -> revoke(session);
                    default -> turn(session);
                }
            }
        }

        private <T> T any(List<T> some) {
            return some.get(random.nextInt(some.size()));
        }

        /** New rules for an agent. */
        private void decree(String agent) {
            List<Rule> rules = new ArrayList<>();
            for (int i = random.nextInt(4); i > 0; i--) {
                int least = random.nextInt(10) - 1;
                rules.add(new Rule(any(List.of("ask", "ask", "ask", "allow", "allow", "deny")), agent + i,
                        least,
                        random.nextBoolean() ? 99 : least + random.nextInt(8),
                        any(List.of("", "", "an", "b", "bob"))));
            }
            boolean otherwiseAsks = random.nextInt(4) == 0;
            Policy policy = Policy.rules(rules.stream().map(this::rule).toList())
                    .otherwise(otherwiseAsks ? Verdict.ASK : Verdict.ALLOW);
            synchronized (oracle) {
                oracle.inForce.put(agent, new Rules(rules, otherwiseAsks));
            }
            policies.put(agent, policy);
        }

        private PolicyRule rule(Rule rule) {
            return PolicyRule.of(Verdict.valueOf(rule.verdict().toUpperCase(Locale.ROOT)), rule.id())
                    .tools("refund")
                    .where("/amount", Match.atLeast(rule.least()))
                    .where("/amount", Match.atMost(rule.most()))
                    .where("/to", Match.prefix(rule.to()));
        }

        private void copy(String session) throws Exception {
            if (belay.session(session).head().isEmpty()) {
                return;
            }
            String copy = name + "-copy-" + names++;
            if (random.nextInt(3) == 0) {
                var lines = new StringBuilder();
                belay.session(session).export(lines);
                belay.importSession(new StringReader(lines.toString()), copy);
            } else {
                belay.session(session).fork(copy);
            }
            oracle.agentsAbove.put(copy, known(oracle.agentsAbove, session));
            turns.put(copy, known(turns, session));
        }

        private void revoke(String session) {
            belay.session(session)
                    .grants()
                    .list()
                    .forEach(grant -> assertThat(belay.session(session).grants().revoke(grant.id()))
                            .isEqualTo(VerbResult.DONE));
            oracle.granted.remove(session);
        }

        private Json refund() {
            int amount = random.nextInt(12);
            String to = any(NAMES);
            String number = any(List.of("%d", "%d.0", "%d00e-2", "0.%02de2")).formatted(amount);
            String text = bench.ownLoop ? to : any(List.of(to, to, " " + to, to.toUpperCase(Locale.ROOT)));
            String escaped = random.nextInt(3) == 0
                    ? "\\u%04x".formatted((int) text.charAt(0)) + text.substring(1)
                    : text;
            return call("refund", any(List.of("{\"amount\":" + number + ",\"to\":\"" + escaped + "\"}",
                    "{\"to\":\"" + escaped + "\", \"amount\": " + number + "}")));
        }

        private Json call(String tool, String arguments) {
            return Json.array(
                    List.of(Json.string("call-" + names++), Json.string(tool), Json.string(arguments)));
        }

        private Json plan(int deeper) {
            List<Json> rounds = new ArrayList<>();
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                if (deeper > 0 && random.nextInt(3) == 0) {
                    rounds.add(Json.array(List.of(call("delegate", Json.object(Map.of("agent",
                            Json.string(any(AGENTS)), "plan", Json.string(plan(deeper - 1).compact())))
                            .compact()))));
                } else {
                    rounds.add(Json.array(random.nextInt(3) == 0
                            ? List.of(refund(), refund())
                            : List.of(refund())));
                }
            }
            return Json.array(rounds);
        }

        private void turn(String session) throws Exception {
            boolean own = bench.ownLoop && known(oracle.agentsAbove, session).getLast().equals("default");
            String plan = plan(own || !bench.ownLoop ? 3 - known(oracle.agentsAbove, session).size() : 0)
                    .compact();
            String input = "input-" + names++;
            Thread loop = Thread.currentThread();
            if (own) {
                loop = Thread.ofVirtual().start(() -> {
                    try (OpenTurn turn = belay.session(session).begin(plan, input, "desk")) {
                        bench.loop(turn);
                    }
                });
            } else {
                belay.session(session).turn(plan).id(input).submit();
            }
            boolean alone = !plan.replace("\\", "").contains("],[\"call");
            long before = known(turns, session);
            while (true) {
                List<OpenApproval> open = new ArrayList<>();
                OperatorBench.until(() -> {
                    open.addAll(belay.approvals().open(null, 9).items());
                    return !open.isEmpty() || belay.session(session)
                            .head()
                            .map(SessionHead::revision)
                            .orElse(0L) > before;
                });
                if (open.isEmpty()) {
                    break;
                }
                answer(open.getFirst(), alone);
            }
            if (own) {
                loop.join();
            }
            turns.put(session, before + 1);
            ran += paidCalls.size();
            denied += belay.session(session).messages().toString().contains("denied by rule") ? 1 : 0;
            paidCalls.clear();
        }

        /**
         * Answers a request.
         *
         * @param alone whether no other call of its round asks or runs meanwhile: then rules may change, and grants are as they were when it asked
         */
        private void answer(OpenApproval open, boolean alone) {
            var request = open.request();
            String call = request.call().id();
            String session = request.call().chain().getLast();
            if (!request.call().tool().equals("refund")) {
                approve(open, ApprovalAnswer.once());
                return;
            }
            Paid paid = paid(request.call().arguments());
            Set<Rule> read = read(request.shown(), oracle.asking(session, paid));
            asked++;
            askedAgain += request.shown().contains("asked again") ? 1 : 0;
            boolean prepared = spelled.remove(call); // what was prepared is not what was sent, so that it asks for that
            if (!request.shown().contains("rule \"edited\"") && !read.equals(oracle.asking(session, paid))) {
                wrong.add("request of " + call + " shows " + read + ", and " + oracle.asking(session, paid)
                        + " ask about " + paid);
            } else if (!prepared && alone
                    && oracle.unanswered(session, known(turns, session) + 1, call, paid).isEmpty()) {
                wrong.add("call " + call + " asks about " + paid + " although " + read + " are answered");
            }
            if (alone && random.nextInt(4) == 0) {
                decree(any(AGENTS));
            }
            ApprovalAnswer answer = switch (random.nextInt(8)) {
                case 0 -> ApprovalAnswer.deny("no");
                case 1 -> ApprovalAnswer.answer(Json.string("paid by hand"));
                case 2, 3 -> ApprovalAnswer.forSession();
                case 4 -> ApprovalAnswer.forTurn();
                case 5 -> ApprovalAnswer.once();
                default -> ApprovalAnswer.edit(arguments(random.nextInt(12), bench.ownLoop
                        ? any(NAMES)
                        : any(List.of("ann", "bob", "BOB"))));
            };
            synchronized (oracle) {
                switch (answer) {
                    case ApprovalAnswer.Approve(ApprovalAnswer.Choice scope) -> {
                        oracle.approved.put(call, new Approved(paid, read));
                        if (scope != ApprovalAnswer.Choice.ONCE) {
                            oracle.granted.computeIfAbsent(session, of -> new ArrayList<>())
                                    .add(new Granted(read, scope == ApprovalAnswer.Choice.TURN
                                            ? known(turns, session) + 1
                                            : 0));
                        }
                    }
                    case ApprovalAnswer.Edit(Json edited) when isPlain(edited) ->
                        oracle.approved.put(call, new Approved(paid(edited), read));
                    default -> oracle.approved.remove(call);
                }
            }
            if (answer instanceof ApprovalAnswer.Edit(Json edited) && !isPlain(edited)) {
                spelled.add(call);
            }
            approve(open, answer);
        }

        private void approve(OpenApproval open, ApprovalAnswer answer) {
            assertThat(belay.as(ANNA).approvals().decide(open.keyId(), open.request().digest(), answer))
                    .isEqualTo(VerbResult.DONE);
        }

        /** The rules that a person reads in a request. Lines without a rule are those that ask so, if there are as many. */
        private Set<Rule> read(String text, @Nullable Set<Rule> asking) {
            Set<Rule> read = new LinkedHashSet<>();
            List<Rule> otherwise = asking == null
                    ? List.of()
                    : asking.stream().filter(rule -> rule.id().startsWith("no rule")).toList();
            int unnamed = 0;
            for (Matcher line = ASKED_BY.matcher(text); line.find();) {
                String id = line.group(1);
                if (id == null) {
                    unnamed++;
                } else {
                    oracle.inForce.values()
                            .stream()
                            .flatMap(rules -> rules.rules().stream())
                            .filter(rule -> rule.id().equals(id))
                            .forEach(read::add);
                }
            }
            if (unnamed == otherwise.size()) {
                read.addAll(otherwise);
            }
            return read;
        }
    }

    private static <T> T known(Map<String, T> by, String name) {
        return Objects.requireNonNull(by.get(name), name);
    }
}

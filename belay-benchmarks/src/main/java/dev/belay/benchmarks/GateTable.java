package dev.belay.benchmarks;

import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.policy.Match;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.policy.PolicyCall;
import dev.belay.runtime.policy.PolicyRule;
import dev.belay.runtime.policy.RulePolicy;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Prints what a policy adds to a call: batches of one call in memory without a policy, with 200 rules and with 10,000 rules, in turns; then the
 * decision alone. A tenth of the rules are about the tool, with conditions on its arguments; the others are about other tools.
 */
public final class GateTable {

    private static final int WARM_UPS = 20_000;
    private static final int CALLS = 2_000;
    private static final String ARGUMENTS = "{\"city\":\"Rome\",\"days\":3,\"unit\":\"celsius\"}";

    private static int batches;

    private GateTable() {}

    /** Runs the given number of rounds, 31 if none is given. */
    public static void main(String[] args) throws Exception {
        int rounds = args.length == 0 ? 31 : Integer.parseInt(args[0]);
        int warmUps = args.length == 0 ? WARM_UPS : WARM_UPS / 10;
        List<RulePolicy> policies = List.of(Policy.rules(), rules(200), rules(10_000));
        double[][] taken = new double[policies.size()][rounds];
        try (Belay none = open(policies.get(0));
                Belay some = open(policies.get(1));
                Belay many = open(policies.get(2))) {
            List<Belay> runtimes = List.of(none, some, many);
            for (Belay belay : runtimes) {
                run(belay, warmUps);
            }
            for (int round = 0; round < rounds; round++) {
                for (int i = 0; i < runtimes.size(); i++) {
                    taken[i][round] = run(runtimes.get(i), CALLS);
                }
            }
        }
        System.out.printf("%n%s %s, %d rounds in turns, median; microseconds a call.%n%n",
                System.getProperty("java.vm.name"), System.getProperty("java.version"), rounds);
        System.out.println("| rules | call in memory | added | decision alone | bar | |");
        System.out.println("|---:|---:|---:|---:|---|---|");
        double without = median(taken[0]);
        for (int i = 0; i < policies.size(); i++) {
            double with = median(taken[i]);
            boolean holds = i == 0 || (i == 1 ? with <= without * 1.1 : with - without < 100);
            System.out.printf("| %,d | %.2f | %.2f (%.1f %%) | %.3f | %s | %s |%n",
                    policies.get(i).rules().size(), with, with - without, 100 * (with - without) / without,
                    decision(policies.get(i)), i == 0 ? "" : i == 1 ? "< 10 %" : "< 100 µs",
                    holds ? "" : "missed");
        }
    }

    private static RulePolicy rules(int count) {
        return Policy.rules(IntStream.range(0, count)
                .mapToObj(i -> i % 10 == 0
                        ? PolicyRule.deny("deny-" + i)
                                .tools("weather")
                                .where("/days", Match.above(1_000 + i))
                        : PolicyRule.deny("deny-" + i).tools("other_" + i + "_*"))
                .toList());
    }

    private static Belay open(Policy policy) {
        var tool = ToolDefinition.raw("weather", "Tells the weather.", Json.of("{\"type\":\"object\"}"))
                .effect(ToolEffect.READ);
        return Belay.builder()
                .policy(policy)
                .tools(StaticToolProvider.builder().raw(tool, (arguments, context) -> "sunny").build())
                .build();
    }

    /** Microseconds a call. */
    private static double run(Belay belay, int calls) throws InterruptedException {
        List<CallRequest> batch = List.of(new CallRequest("weather", ARGUMENTS));
        long begin = System.nanoTime();
        for (int i = 0; i < calls; i++) {
            belay.calls().run("batch-" + batches++, batch);
        }
        return (System.nanoTime() - begin) / 1e3 / calls;
    }

    /** Microseconds a decision. */
    private static double decision(RulePolicy policy) {
        PolicyCall call = PolicyCall.of("weather", Json.of(ARGUMENTS));
        double[] taken = new double[31];
        for (int round = 0; round < taken.length; round++) {
            long begin = System.nanoTime();
            for (int i = 0; i < CALLS; i++) {
                if (policy.decide(call).rule() != null) {
                    throw new IllegalStateException("the call is allowed");
                }
            }
            taken[round] = (System.nanoTime() - begin) / 1e3 / CALLS;
        }
        return median(taken);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}

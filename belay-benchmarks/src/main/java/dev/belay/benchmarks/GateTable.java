package dev.belay.benchmarks;

import com.sun.management.ThreadMXBean;
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
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Prints what a policy adds to a call: batches of one call in memory without a policy, with 200 rules and with 10,000 rules, then the decision
 * alone. A tenth of the rules are about the tool, with conditions on its arguments; the others are about other tools.
 *
 * <p>The machine may be busy with other work, so the three runtimes take turns call by call, and the table has the median of single calls: a
 * call that another process holds up is one of the slow half. A second runtime without a policy shows how far equal runtimes differ.
 */
public final class GateTable {

    private static final int WARM_UPS = 20_000;
    private static final int CALLS = 1_000;
    private static final String ARGUMENTS = "{\"city\":\"Rome\",\"days\":3,\"unit\":\"celsius\"}";
    private static final List<CallRequest> BATCH = List.of(new CallRequest("weather", ARGUMENTS));

    private static int batches;

    private GateTable() {}

    /** Makes the given number of thousands of calls with each runtime, 60 if none is given. */
    public static void main(String[] args) throws Exception {
        int calls = CALLS * (args.length == 0 ? 60 : Integer.parseInt(args[0]));
        List<RulePolicy> policies = List.of(Policy.rules(), Policy.rules(), rules(200), rules(10_000));
        double[][] taken = new double[policies.size()][calls];
        double[] bytes = new double[policies.size()];
        try (Belay none = open(null);
                Belay again = open(null);
                Belay some = open(policies.get(2));
                Belay many = open(policies.get(3))) {
            List<Belay> runtimes = List.of(none, again, some, many);
            for (int i = -WARM_UPS; i < calls; i++) {
                for (int j = 0; j < runtimes.size(); j++) {
                    int turn = Math.floorMod(i + j, runtimes.size());
                    double micros = run(runtimes.get(turn));
                    if (i >= 0) {
                        taken[turn][i] = micros;
                    }
                }
            }
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = bytes(runtimes.get(i));
            }
        }
        System.out.printf("%n%s %s, %,d calls each in turns, medians; microseconds a call.%n%n",
                System.getProperty("java.vm.name"), System.getProperty("java.version"), calls);
        System.out.println("| rules | call in memory | added | bytes added | decision alone | bar | |");
        System.out.println("|---:|---:|---:|---:|---:|---|---|");
        double without = median(taken[0]);
        for (int i = 0; i < policies.size(); i++) {
            double added = median(taken[i]) - without;
            String bar = i < 2 ? "" : i == 2 ? "< 10 %" : "< 100 µs";
            boolean holds = i == 2 ? added < without / 10 : added < 100;
            System.out.printf("| %,d | %.1f | %.1f (%.1f %%) | %,.0f | %.3f | %s | %s |%n",
                    policies.get(i).rules().size(), median(taken[i]), added, 100 * added / without,
                    bytes[i] - bytes[0], decision(policies.get(i)), bar,
                    bar.isEmpty() ? "" : holds ? "holds" : "missed");
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

    private static Belay open(@Nullable Policy policy) {
        var tool = ToolDefinition.raw("weather", "Tells the weather.", Json.of("{\"type\":\"object\"}"))
                .effect(ToolEffect.READ);
        var belay = Belay.builder()
                .tools(StaticToolProvider.builder().raw(tool, (arguments, context) -> "sunny").build());
        return (policy == null ? belay : belay.policy(policy)).build();
    }

    /** Microseconds that a call takes. */
    private static double run(Belay belay) throws InterruptedException {
        String id = "batch-" + batches++;
        long begin = System.nanoTime();
        belay.calls().run(id, BATCH).outcomes();
        return (System.nanoTime() - begin) / 1e3;
    }

    /** Bytes that a call takes, of all threads. */
    private static double bytes(Belay belay) throws InterruptedException {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long begin = threads.getTotalThreadAllocatedBytes();
        for (int i = 0; i < CALLS; i++) {
            run(belay);
        }
        return (double) (threads.getTotalThreadAllocatedBytes() - begin) / CALLS;
    }

    /** Microseconds of the processor that a decision takes. */
    private static double decision(RulePolicy policy) {
        PolicyCall call = PolicyCall.of("weather", Json.of(ARGUMENTS));
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        double[] taken = new double[61];
        for (int round = 0; round < taken.length; round++) {
            long begin = threads.getCurrentThreadCpuTime();
            for (int i = 0; i < CALLS; i++) {
                if (policy.decide(call).rule() != null) {
                    throw new IllegalStateException("the call is allowed");
                }
            }
            taken[round] = (threads.getCurrentThreadCpuTime() - begin) / 1e3 / CALLS;
        }
        return median(taken);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}

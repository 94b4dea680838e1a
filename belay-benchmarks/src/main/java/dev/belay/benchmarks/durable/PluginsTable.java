package dev.belay.benchmarks.durable;

import dev.belay.model.FinishReason;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part;
import dev.belay.model.Usage;
import dev.belay.plugins.ActivityPlugin;
import dev.belay.plugins.PlanPlugin;
import dev.belay.plugins.PromptContextPlugin;
import dev.belay.runtime.Belay;
import dev.belay.runtime.plugin.AfterVerdict;
import dev.belay.runtime.plugin.BeforeVerdict;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.plugin.PluginSession;
import dev.belay.runtime.plugin.SessionPlugin;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;

/**
 * Prints the cost of plugins in memory: a turn with the shipped ones beside the peer and beside a turn without, calls with ten hooks beside
 * calls with none, and opening a new session. Only ratios within a round are meaningful.
 */
public final class PluginsTable {

    private static final int ROUNDS = 5;
    private static final int WARM_UPS = 20;
    private static final int CALLS = 500;
    private static final int TURNS = 20;
    private static final int SESSIONS = 20_000;
    /** The bars of the issue that asked for plugins. */
    private static final double MOST_HOOKS = 1.2;
    private static final double MOST_OPEN = 20;

    private PluginsTable() {}

    /** Takes the number of rounds (5) and of rounds before that to warm up (20). */
    public static void main(String[] args) throws Exception {
        int rounds = args.length == 0 ? ROUNDS : Integer.parseInt(args[0]);
        int warmUps = args.length < 2 ? WARM_UPS : Integer.parseInt(args[1]);
        double loadBefore = load();
        List<Line> lines = new ArrayList<>();
        try (Belay with = shipped(); Belay without = Talk.belay(null)) {
            lines.addAll(Turns.measure(rounds, warmUps, with, without));
        }
        lines.addAll(hooks(rounds, warmUps));
        lines.add(open(rounds, warmUps));
        System.out.printf(Locale.ROOT,
                "%n%s %s, %d cores, %d rounds, median (least..most); load average %.1f before and %.1f after.%n%n",
                System.getProperty("java.vm.name"), System.getProperty("java.version"),
                Runtime.getRuntime().availableProcessors(), rounds, loadBefore, load());
        System.out.println(Line.head());
        lines.forEach(line -> System.out.println(line.text()));
    }

    private static double load() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }

    private static Belay shipped() {
        return Talk.belay(null, builder -> builder.plugin(new PlanPlugin())
                .plugin(PromptContextPlugin.of("Use tabs. Write tests first. Say what you have not done."))
                .plugin(new ActivityPlugin()));
    }

    /** A plugin that looks at every call and lets it go. */
    private record Watching(String id, boolean before, boolean after) implements PluginFactory {

        @Override
        public SessionPlugin build(PluginSession session) {
            return on -> {
                if (before) {
                    on.toolCalls().before(call -> BeforeVerdict.proceed());
                }
                if (after) {
                    on.toolCalls().after((call, outcome) -> AfterVerdict.keep());
                }
            };
        }
    }

    private static Belay watched(int plugins, boolean before, boolean after) {
        return Belay.builder()
                .model(new Many())
                .toolMethods(new Talk.Counting())
                .configurePlugins(stack -> IntStream.range(0, plugins)
                        .forEach(i -> stack.push(new Watching("watch-" + i, before, after))))
                .build();
    }

    private static List<Line> hooks(int rounds, int warmUps) throws Exception {
        try (Belay none = watched(0, false, false);
                Belay ten = watched(10, true, false);
                Belay both = watched(5, true, true)) {
            List<Belay> all = List.of(none, ten, both);
            List<List<Pair>> micros = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
            for (int round = -warmUps; round < rounds; round++) {
                System.err.printf("calls with hooks, round %d of %d%n", round + 1, rounds);
                for (int i = 0; i < all.size(); i++) {
                    Pair figure = calls(all.get(i), round);
                    if (round >= 0) {
                        micros.get(i).add(figure);
                    }
                }
            }
            double alone = Spread.of(micros.get(0), Pair::wall).median();
            double worked = Spread.of(micros.get(0), Pair::processor).median();
            List<String> names = List.of("no hook", "ten plugins with a hook before the body",
                    "five plugins with a hook before and one after");
            return IntStream.range(0, names.size()).mapToObj(i -> {
                Spread found = Spread.of(micros.get(i), Pair::wall);
                Spread work = Spread.of(micros.get(i), Pair::processor);
                return new Line("a call of a turn with " + CALLS + ", µs: " + names.get(i), found.text(1),
                        String.format(Locale.ROOT, "%.2f × no hook; processor %s, %.2f ×",
                                found.median() / alone,
                                work.text(1), work.median() / worked),
                        "",
                        i == 0 ? "" : "< 1.2 ×", found.median() < MOST_HOOKS * alone);
            }).toList();
        }
    }

    private static Pair calls(Belay belay, int round) throws Exception {
        long start = System.nanoTime();
        long processor = processor();
        asking(() -> {
            for (int i = 0; i < TURNS; i++) {
                Talk.turn(belay, "s" + round + "-" + i);
            }
        });
        return new Pair((System.nanoTime() - start) / 1e3 / TURNS / CALLS,
                (processor() - processor) / 1e3 / TURNS / CALLS);
    }

    /** Microseconds that pass, and microseconds of all processors: the machine may have other work. */
    private record Pair(double wall, double processor) {}

    private static long processor() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    private interface Work {
        void run() throws Exception;
    }

    /** From a virtual thread: to wake a platform thread would be a part of the figure. */
    private static void asking(Work work) throws Exception {
        var task = new FutureTask<>(() -> {
            work.run();
            return true;
        });
        Thread.ofVirtual().start(task);
        task.get();
    }

    private static Line open(int rounds, int warmUps) throws Exception {
        List<Pair> micros = new ArrayList<>();
        try (Belay belay = shipped()) {
            for (int round = -warmUps; round < rounds; round++) {
                System.err.printf("new sessions, round %d of %d%n", round + 1, rounds);
                String prefix = "new" + round + "-";
                long start = System.nanoTime();
                long processor = processor();
                asking(() -> {
                    for (int i = 0; i < SESSIONS; i++) {
                        if (belay.session(prefix + i).actions().ids().isEmpty()) {
                            throw new IllegalStateException("the plan has actions");
                        }
                    }
                });
                if (round >= 0) {
                    micros.add(new Pair((System.nanoTime() - start) / 1e3 / SESSIONS,
                            (processor() - processor) / 1e3 / SESSIONS));
                }
            }
        }
        Spread found = Spread.of(micros, Pair::wall);
        return new Line("a new session opened with these three, µs", found.text(2),
                "built, registered, asked for its actions; processor "
                        + Spread.of(micros, Pair::processor).text(2),
                "", "< 20 µs", found.median() < MOST_OPEN);
    }

    /** Asks for many calls at once, then answers. */
    private static final class Many implements Model {

        private static final ModelResponse CALLS_AT_ONCE = new ModelResponse(
                Message.assistant(IntStream.range(0, CALLS)
                        .mapToObj(i -> new Part.CallPart("c" + i, "next", Talk.ARGUMENTS))
                        .toArray(Part.CallPart[]::new)),
                FinishReason.TOOL_CALLS, Usage.of(100, 10), "many", "r1");
        private static final ModelResponse TEXT = new ModelResponse(Message.assistant(Talk.ANSWER),
                FinishReason.STOP, Usage.of(120, 10), "many", "r2");

        @Override
        public String id() {
            return "many";
        }

        @Override
        public ModelResponse complete(ModelRequest request, ModelListener listener) {
            return request.messages().getLast() instanceof Message.ToolMessage ? TEXT : CALLS_AT_ONCE;
        }
    }
}

package dev.belay.benchmarks.durable;

import dev.belay.runtime.Belay;
import dev.belay.runtime.store.Store;
import dev.belay.store.jdbc.JdbcStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * Prints the cost of a long session on SQLite: turns behind the ten-thousandth beside those around the hundredth, and what it takes to open
 * it again; with the whole conversation, and with rolling history and a view.
 */
public final class LongSession {

    private static final int ROUNDS = 5;
    private static final int EARLY = 100;
    private static final int LATE = 10_000;
    private static final int WINDOW = 200;
    private static final int WARM_UPS = 3_000;
    private static final double BAR = 1.3;
    private static final double OPENING_BAR = 10;

    private LongSession() {}

    private record Pair(double first, double second) {}

    /** Takes the number of rounds (5) and the directory to write in ({@code target} below the current one). */
    public static void main(String[] args) throws Exception {
        int rounds = args.length == 0 ? ROUNDS : Integer.parseInt(args[0]);
        double load = SessionsTable.load();
        List<Line> lines = new ArrayList<>();
        try (Disk disk = Disk.in(Path.of(args.length < 2 ? "target" : args[1]))) {
            lines.addAll(measure(disk.folder("whole").resolve("belay.db"), rounds, "", Talk::belay));
            lines.addAll(measure(disk.folder("rolling").resolve("belay.db"), rounds,
                    " with rolling history and a view", Talk::rolling));
        }
        SessionsTable.print(lines, rounds, load);
    }

    private static List<Line> measure(Path file, int rounds, String how, Function<Store, Belay> open)
            throws Exception {
        return List.of(turns(file, rounds, how, open), opening(file, rounds, how, open));
    }

    private static Line turns(Path file, int rounds, String how, Function<Store, Belay> open)
            throws Exception {
        List<Pair> pairs = new ArrayList<>();
        try (Belay belay = open.apply(JdbcStore.sqlite(file))) {
            System.err.println("long session" + how + ": warming up");
            for (int i = 0; i < WARM_UPS; i++) {
                Talk.turn(belay, "warm" + i % 10);
            }
            System.err.println("long session" + how + ": 10,000 turns");
            for (int i = 0; i < LATE; i++) {
                Talk.turn(belay, "long");
            }
            for (int round = 0; round < rounds; round++) {
                String young = "young" + round;
                for (int i = 0; i < EARLY; i++) {
                    Talk.turn(belay, young);
                }
                pairs.add(new Pair(window(belay, young), window(belay, "long")));
            }
        }
        Spread ratio = Spread.of(pairs, pair -> pair.second() / pair.first());
        return new Line("the 10,000th turn of a session on SQLite" + how + ", µs",
                Spread.of(pairs, Pair::second).text(0),
                Spread.of(pairs, Pair::first).text(0) + " the 100th; " + ratio.text(2) + " ×", "",
                String.format(Locale.ROOT, "≤ %.1f ×", BAR), ratio.median() <= BAR);
    }

    /** In a new runtime: the first look at the session, and the first turn, whose request has all that is sent. */
    private static Line opening(Path file, int rounds, String how, Function<Store, Belay> open)
            throws Exception {
        List<Pair> pairs = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            try (Belay belay = open.apply(JdbcStore.sqlite(file))) {
                long start = System.nanoTime();
                belay.session("long").turns(1, 1);
                long looked = System.nanoTime();
                Talk.turn(belay, "long");
                pairs.add(new Pair((looked - start) / 1e6, (System.nanoTime() - looked) / 1e6));
            }
        }
        Spread look = Spread.of(pairs, Pair::first);
        return new Line("opening a session of 10,000 turns" + how + ", ms", look.text(1),
                "first turn: " + Spread.of(pairs, Pair::second).text(0) + " ms", "", "< 10 ms",
                look.median() < OPENING_BAR);
    }

    private static double window(Belay belay, String session) throws InterruptedException {
        long start = System.nanoTime();
        for (int i = 0; i < WINDOW; i++) {
            Talk.turn(belay, session);
        }
        return (System.nanoTime() - start) / 1e3 / WINDOW;
    }
}

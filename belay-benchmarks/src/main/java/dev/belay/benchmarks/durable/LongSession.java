package dev.belay.benchmarks.durable;

import dev.belay.runtime.Belay;
import dev.belay.runtime.store.SessionStore;
import dev.belay.store.jdbc.JdbcStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** Turns of one session on SQLite: those around the ten-thousandth beside those around the hundredth. */
final class LongSession {

    private static final int EARLY = 100;
    private static final int LATE = 10_000;
    private static final int WINDOW = 200;
    private static final int WARM_UPS = 3_000;
    private static final double BAR = 1.3;
    private static final int OPENED = 10_000;
    private static final double OPENING_BAR = 10;
    private static final String ROLLING = " with rolling history and a view";

    private LongSession() {}

    private record Pair(double early, double late) {}

    static List<Line> measure(Disk disk, int rounds) throws Exception {
        return List.of(opening(disk, rounds, "", Talk::belay),
                opening(disk, rounds, ROLLING, Talk::rolling), turns(disk, rounds, "", Talk::belay),
                turns(disk, rounds, ROLLING, Talk::rolling));
    }

    private static Line turns(Disk disk, int rounds, String how, Function<SessionStore, Belay> open)
            throws Exception {
        Path folder = disk.folder("long" + how.length());
        List<Pair> pairs = new ArrayList<>();
        try (Belay belay = open.apply(JdbcStore.sqlite(folder.resolve("belay.db")))) {
            System.err.println("long session: warming up");
            for (int i = 0; i < WARM_UPS; i++) {
                Talk.turn(belay, "warm" + i % 10);
            }
            System.err.println("long session: 10,000 turns");
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
        Spread ratio = Spread.of(pairs, pair -> pair.late() / pair.early());
        return new Line("the 10,000th turn of a session on SQLite" + how + ", µs",
                Spread.of(pairs, Pair::late).text(0),
                Spread.of(pairs, Pair::early).text(0) + " the 100th; " + ratio.text(2) + " ×", "",
                String.format(Locale.ROOT, "≤ %.1f ×", BAR), ratio.median() <= BAR);
    }

    /** A session of 10,000 turns in a new runtime: the first look at it, and the first turn, whose request has all that is sent. */
    private static Line opening(Disk disk, int rounds, String how, Function<SessionStore, Belay> open)
            throws Exception {
        System.err.println("long session: opening one of 10,000 turns" + how);
        Path file = disk.folder("opening" + how.length()).resolve("belay.db");
        try (Belay belay = open.apply(JdbcStore.sqlite(file))) {
            for (int i = 0; i < OPENED; i++) {
                Talk.turn(belay, "long");
            }
        }
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
        Spread look = Spread.of(pairs, Pair::early);
        return new Line("opening a session of 10,000 turns" + how + ", ms", look.text(1),
                "first turn: " + Spread.of(pairs, Pair::late).text(0) + " ms", "", "< 10 ms",
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

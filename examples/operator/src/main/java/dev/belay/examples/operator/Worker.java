package dev.belay.examples.operator;

import dev.belay.runtime.Belay;
import dev.belay.store.jdbc.JdbcStore;
import java.nio.file.Path;

/** The process that works, and is killed once. It runs until its input ends. */
final class Worker {

    private Worker() {}

    public static void main(String[] args) throws Exception {
        Path home = Path.of(args[0]);
        var tools = new DeskTools(home.resolve("bank")).provider();
        try (var belay = Belay.builder()
                .model(new Clerk(home.resolve("outage")))
                .tools(tools)
                .store(JdbcStore.sqlite(home.resolve("belay.db")))
                .build()) {
            System.out.println("ready " + belay.health().isReady());
            while (System.in.read() >= 0) {
                // until the operator has seen enough
            }
        }
    }
}

package dev.belay.examples.approval;

import dev.belay.runtime.Belay;
import dev.belay.store.jdbc.JdbcStore;
import java.nio.file.Path;

/** The process that works, and is killed. Its arguments are a directory, and whether the bank answers. It runs until its input ends. */
final class Worker {

    private Worker() {}

    public static void main(String[] args) throws Exception {
        Path home = Path.of(args[0]);
        var tools = new RefundTools(home.resolve("bank"), Boolean.parseBoolean(args[1]));
        // region worker
        try (var belay = Belay.builder()
                .model(new Clerk())
                .tools(tools.provider())
                .policy(RefundTools.policy())
                .store(JdbcStore.sqlite(home.resolve("belay.db")))
                .build()) {
            System.out.println("ready " + belay.health().isReady());
            while (System.in.read() >= 0) {
                // until it is killed
            }
        }
        // endregion
    }
}

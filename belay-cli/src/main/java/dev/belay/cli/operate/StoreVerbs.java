package dev.belay.cli.operate;

import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.verb.StoreVerb;
import dev.belay.cli.verb.Verb;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.Inconsistency;
import dev.belay.schema.Shown;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Commands about the store itself. */
@Command(name = "store", header = "Check the store, or make its tables.", subcommands = {
    StoreVerbs.Check.class, StoreVerbs.Migrate.class})
final class StoreVerbs extends Verb {

    private static final int LONGEST = 400;

    @Override
    public Integer call() {
        throw CommandProblem.usage("say what to do: 'belay store check' or 'belay store migrate'");
    }

    @Command(name = "check", header = "Find rows that contradict each other or were damaged.", description = {
        "",
        "Reads the whole store and changes nothing, also while programs work on it. Exit code 1 if something was found."})
    static final class Check extends StoreVerb {

        @Option(names = "--limit", paramLabel = "N", defaultValue = "100", description = "Ends when it has found so many. Default: ${DEFAULT-VALUE}.")
        private int limit;

        @Override
        protected int with(BelayClient client) {
            throw new IllegalStateException("a check reads the store itself");
        }

        @Override
        public Integer call() {
            List<Inconsistency> found;
            try (Store store = existingStore()) {
                found = store.inconsistencies(Math.max(1, limit));
            }
            for (Inconsistency one : found) {
                if (isJson()) {
                    print(out -> out.name("table")
                            .value(one.table())
                            .name("key")
                            .value(one.key())
                            .name("what")
                            .value(one.what()));
                } else {
                    shell().out().remark(Shown.inLine(one.toString(), LONGEST));
                }
            }
            if (found.isEmpty() && !isJson()) {
                shell().out().line("no inconsistencies in " + database());
            }
            return found.isEmpty() ? ExitCode.DONE : ExitCode.FAILED;
        }
    }

    @Command(name = "migrate", header = "Make the tables, if they are not there.", description = {"",
        "On PostgreSQL with a role that may make tables; programs then need select, insert, update and delete."})
    static final class Migrate extends StoreVerb {

        @Override
        protected int with(BelayClient client) {
            throw new IllegalStateException("a migration opens no client");
        }

        @Override
        public Integer call() {
            database().migrate();
            shell().out().line("the tables of " + database() + " are there");
            return ExitCode.DONE;
        }
    }
}

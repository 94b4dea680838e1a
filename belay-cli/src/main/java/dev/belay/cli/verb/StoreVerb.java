package dev.belay.cli.verb;

import dev.belay.cli.settings.CommandStore;
import dev.belay.cli.shell.AgentWorkspace;
import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.ExitCode;
import dev.belay.json.Json;
import dev.belay.json.JsonWriter;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.Store;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A command of an operator: it looks into a database, or changes it, and runs nothing. Used once. */
public abstract class StoreVerb extends Verb {

    @Option(names = "--store", paramLabel = "PLACE", description = {
        "The store: a file, or jdbc:postgresql://HOST/DATABASE.",
        "Default: BELAY_STORE, else [store] of belay.toml, else .belay/belay.db of the workspace."})
    private @Nullable String store;

    @Option(names = {"-C", "--workspace"}, paramLabel = "DIR", description = {"The workspace.",
        "Default: the nearest directory upwards with a belay.toml or a .belay."})
    private @Nullable Path workspace;

    @Option(names = "--json", description = "Print JSON, one value per line.")
    private boolean json;

    @Option(names = "--actor", paramLabel = "NAME", description = {
        "Who asks, for the audit log.", "Default: BELAY_ACTOR, else the user's name."})
    private @Nullable String actor;

    /** For subclasses. */
    protected StoreVerb() {}

    /** What the command does. */
    protected abstract int with(BelayClient client) throws Exception;

    @Override
    public Integer call() throws Exception {
        try (BelayClient client = Belay.client(existingStore())) {
            return with(client.as(actor()));
        }
    }

    /** Who asks, for the audit log. */
    protected final Actor actor() {
        return actor(actor);
    }

    /** Opens the store that was named; exit code 4 if there is none. */
    protected final Store existingStore() {
        return existingDatabase().existing();
    }

    /** The store that was named; exit code 4 if there is none. */
    protected final CommandStore existingDatabase() {
        return database().mustExist();
    }

    /** The store that was named, or that of the workspace. */
    protected final CommandStore database() {
        return CommandStore.of(shell(), workspace(), store);
    }

    /** The workspace that was named, or the nearest one. */
    protected final AgentWorkspace workspace() {
        return AgentWorkspace.of(shell(), workspace);
    }

    /** Whether JSON was asked for. */
    protected final boolean isJson() {
        return json;
    }

    /** Prints an object on a line. */
    protected final void print(Consumer<JsonWriter> fields) {
        shell().out().line(Json.write(out -> {
            out.beginObject();
            fields.accept(out);
            out.endObject();
        }).text());
    }

    /** Says what a verb did, and gives the exit code. */
    protected final int tell(VerbResult result, String done) {
        String word = switch (result) {
            case VerbResult.Done did -> "done";
            case VerbResult.Already already -> "already";
            case VerbResult.NotPossible not -> "not_possible";
        };
        if (json) {
            print(out -> {
                out.name("result").value(word);
                if (result instanceof VerbResult.NotPossible(String reason)) {
                    out.name("reason").value(reason);
                }
            });
        } else if (result instanceof VerbResult.NotPossible(String reason)) {
            shell().err().remark("belay: not possible: " + reason);
        } else {
            shell().out().line(result instanceof VerbResult.Done ? done : done + " (it was so before)");
        }
        return result instanceof VerbResult.NotPossible ? ExitCode.NOT_POSSIBLE : ExitCode.DONE;
    }

    /** A session that exists. */
    protected static Session existing(BelayClient client, String id) {
        Session session = client.session(id);
        if (session.head().isEmpty()) {
            throw CommandProblem
                    .notFound("there is no session \"" + id + "\"; 'belay sessions ls' lists them");
        }
        return session;
    }
}

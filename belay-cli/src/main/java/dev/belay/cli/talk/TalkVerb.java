package dev.belay.cli.talk;

import dev.belay.BelayException;
import dev.belay.cli.settings.ApproveMode;
import dev.belay.cli.settings.CommandStore;
import dev.belay.cli.settings.ModelSearch;
import dev.belay.cli.settings.Settings;
import dev.belay.cli.shell.AgentWorkspace;
import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.Moving;
import dev.belay.cli.shell.Person;
import dev.belay.cli.verb.Verb;
import dev.belay.model.Model;
import dev.belay.model.script.ScriptedModel;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.operate.Page;
import dev.belay.runtime.operate.SessionEntry;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.Store;
import dev.belay.schema.Shown;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A command that runs turns. Used once. */
abstract class TalkVerb extends Verb {

    private static final int PAGE = 500;
    private static final int SHOWN = 100;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);
    private static final int MOST_SUFFIXES = 1 << 16;

    @Option(names = {"-C", "--workspace"}, paramLabel = "DIR", description = {"The workspace.",
        "Default: the nearest directory upwards with a belay.toml or a .belay."})
    private @Nullable Path workspace;

    @Option(names = "--store", paramLabel = "PLACE", description = {
        "The store: a file, or jdbc:postgresql://HOST/DATABASE.",
        "Default: BELAY_STORE, else [store] of belay.toml, else .belay/belay.db of the workspace."})
    private @Nullable String store;

    @Option(names = "--model", paramLabel = "NAME", description = "The model, instead of the one in belay.toml.")
    private @Nullable String model;

    @Option(names = "--script", paramLabel = "FILE", description = "Lines of JSON that answer instead of a model.")
    private @Nullable Path script;

    @Option(names = "--record", paramLabel = "FILE", description = "Append what the model says, as a script.")
    private @Nullable Path record;

    @Option(names = "--approve", paramLabel = "MODE", description = {
        "What happens to calls that ask: ask (a person answers; without a terminal they wait), safe (only calls that read run),"
                + " never (they are refused), all (they run, commands too, unless a rule denies them). Default: ask."})
    private ApproveMode approve = ApproveMode.ASK;

    private @Nullable ScriptedModel scripted;
    private final Map<Settings.ModelChoice, Model> found = new HashMap<>();

    /** For subclasses. */
    TalkVerb() {}

    final AgentWorkspace workspace() {
        return AgentWorkspace.of(shell(), workspace);
    }

    final CommandStore database() {
        return CommandStore.of(shell(), workspace(), store);
    }

    final LiveTalk open(Person person, String session, String agent, boolean json)
            throws IOException, InterruptedException {
        Path recording = record == null ? null : shell().directory().resolve(record);
        var moving = Moving.start(shell(), "starts");
        try {
            return LiveTalk.open(shell(),
                    new LiveTalk.Plan(workspace(), database(), session, agent, approve, by(), json,
                            recording),
                    person,
                    models(person));
        } finally {
            moving.end();
        }
    }

    /** Who answers what asks, for the audit log. */
    private Actor by() {
        Actor person = actor(null);
        return approve == ApproveMode.ALL
                ? new Actor(person.name(), person.door() + " --approve all")
                : person;
    }

    final ApproveMode approve() {
        return approve;
    }

    /** Finds models; a model is looked for, and its address told, once in a command. */
    final Function<Settings.ModelChoice, Model> models(Person person) throws IOException {
        if (script != null) {
            ScriptedModel answers = scripted == null ? ModelSearch.script(shell(), script) : scripted;
            scripted = answers;
            return choice -> answers;
        }
        return choice -> found.computeIfAbsent(model == null ? choice : choice.named(model),
                wanted -> ModelSearch.find(shell(), wanted, prompt -> ask(person, prompt)));
    }

    static @Nullable String ask(Person person, String prompt) {
        try {
            return person.ask(prompt, () -> true);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /** A name that no session has: the time and a random suffix. */
    static String newSession() {
        return LocalDateTime.now(ZoneOffset.UTC).format(TIME)
                + String.format("-%04x", new SecureRandom().nextInt(MOST_SUFFIXES));
    }

    /** From now on this model answers. */
    final void use(String name) {
        model = name;
    }

    /** The model that was named for this command. */
    final Optional<String> named() {
        return Optional.ofNullable(model);
    }

    /** The session that was changed last; exit code 4 if there is none. */
    final String lastSession() {
        try (BelayClient client = Belay.client(sessions())) {
            return last(client);
        }
    }

    /** The session that was changed last; exit code 4 if there is none. */
    static String last(BelayClient client) {
        return heads(client).filter(head -> head.profile().above().isEmpty())
                .max(Comparator.comparing(SessionHead::changedAt))
                .map(head -> head.id().value())
                .orElseThrow(TalkVerb::none);
    }

    /** The session that a person chooses; exit code 4 if there is none. */
    final String pick(Person person) throws InterruptedException {
        try (BelayClient client = Belay.client(sessions())) {
            List<SessionHead> heads = heads(client).filter(head -> head.profile().above().isEmpty()).toList();
            if (heads.isEmpty()) {
                throw none();
            }
            return new SessionPicker(shell(), person).pick(client, heads).id().value();
        }
    }

    /** Refuses a session that does not exist; exit code 4. */
    final void requireKnown(String session) {
        if (!database().exists() || requireIdle(session).isEmpty()) {
            throw CommandProblem.notFound("there is no session \"" + Shown.inLine(session, SHOWN)
                    + "\" yet; 'belay sessions ls' lists them");
        }
    }

    private Store sessions() {
        if (!database().exists()) {
            throw none();
        }
        return database().existing();
    }

    private static CommandProblem none() {
        return CommandProblem.notFound("there is no session to go on with; 'belay run TASK' makes one");
    }

    /** All sessions. */
    static Stream<SessionHead> heads(BelayClient client) {
        Stream<SessionHead> heads = Stream.of();
        String after = null;
        do {
            Page<SessionEntry> page = client.sessions(after, PAGE);
            heads = Stream.concat(heads, page.items().stream().map(SessionEntry::head));
            after = page.next();
        } while (after != null);
        return heads;
    }

    /**
     * Refuses a session with an active turn before anything is asked.
     *
     * @return whose session it is; empty if there is none
     */
    final Optional<String> requireIdle(String session) {
        if (!database().exists()) {
            return Optional.empty();
        }
        try (BelayClient client = Belay.client(database().existing())) {
            Optional<SessionHead> head = client.session(session).head();
            if (head.isPresent() && head.get().active() != null) {
                throw LiveTalk.busy(session);
            }
            return head.map(known -> known.profile().agent());
        } catch (BelayException e) {
            if (!e.code().equals("journal_older")) {
                throw e;
            }
            return Optional.empty(); // another command is just making the file: no turn can be in it
        }
    }
}

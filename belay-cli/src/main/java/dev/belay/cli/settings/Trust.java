package dev.belay.cli.settings;

import dev.belay.cli.settings.UsedRules.Looser;
import dev.belay.cli.shell.AgentWorkspace;
import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether a person trusts a workspace: its settings may start processes, use keys, choose a server or instruct the model only then, and a
 * {@code .belay} that came with it is used only then. Trust is a hash of the {@linkplain RuleFiles files that decide}, kept outside the
 * workspace, so that a change asks again. Rules that are looser than at the last use ask too. Confined to one thread.
 */
public final class Trust {

    private final Shell shell;
    private final AgentWorkspace workspace;
    private @Nullable String shown;

    /** For a workspace; asked about in a shell. */
    public Trust(Shell shell, AgentWorkspace workspace) {
        this.shell = shell;
        this.workspace = workspace;
    }

    /** Refuses, with exit code 3 and what they ask for, unless the settings ask for nothing or were trusted before. */
    public void require(Settings settings) {
        if (asks(settings)) {
            tell(settings);
        }
        require(settings, Optional.empty());
    }

    /** Refuses, with exit code 3, unless the settings ask for nothing or a person trusts them, now or before. */
    public void require(Settings settings, Optional<String> answer) {
        if (asks(settings)) {
            if (answer.filter(
                    said -> said.strip().equalsIgnoreCase("y") || said.strip().equalsIgnoreCase("yes"))
                    .isEmpty()) {
                throw CommandProblem
                        .notPossible("this workspace is not trusted; read the files that are listed, then run"
                                + " 'belay trust' in it" + (own().isForeign() ? ", or remove its .belay" : "")
                                + ". Nothing was started");
            }
            give(settings);
        }
        remember(settings);
    }

    /** Tells what the settings ask for that a person must allow. */
    public void tell(Settings settings) {
        shown = line(settings);
        Looser looser = used().looser(rules(settings));
        List<String> wishes = wishes(settings);
        if (!wishes.isEmpty()) {
            shell.err().remark("The settings " + workspace.settings() + " ask to:");
            wishes.forEach(
                    wish -> shell.err().remark((looser.added().contains(wish) ? "  (new) " : "  ") + wish));
        }
        if (!looser.gone().isEmpty()) {
            shell.err().line("Since this workspace was used last, its settings no longer:");
            looser.gone().forEach(gone -> shell.err().remark("  " + gone));
        }
        List<String> files = files(settings);
        if (!files.isEmpty()) {
            shell.err().line("Trust is in these files as they are now:");
            files.forEach(file -> shell.err().remark("  " + file));
        }
        if (own().isForeign()) {
            shell.err()
                    .remark("The directory " + workspace.own()
                            + " was not made by your commands: its database may let"
                            + " calls run that you never approved.");
        }
        foreign(settings).ifPresent(store -> shell.err()
                .line("The store " + store.database() + " was not made by your commands, or is a link: it may"
                        + " let calls run that you never approved."));
    }

    /** Whether a question has to be asked before {@link #require}. */
    public boolean asks(Settings settings) {
        return own().isForeign() || foreign(settings).isPresent() || !used().looser(rules(settings)).isNone()
                || (!wishes(settings).isEmpty() && !isKnown(settings));
    }

    /** Says why nothing may be started any more, once files that decide have changed since now. */
    public Supplier<Optional<String>> changes(Settings settings) {
        String before = line(settings);
        return () -> line(settings).equals(before)
                ? Optional.empty()
                : Optional.of(
                        "a file that trust in this workspace is in has changed, so that it is not started;"
                                + " the next command asks");
    }

    /** Whether it is trusted as it is now. */
    public boolean isTrusted(Settings settings) {
        return isKnown(settings) && used().looser(rules(settings)).isNone() && !own().isForeign()
                && foreign(settings).isEmpty();
    }

    private boolean isKnown(Settings settings) {
        return new TrustFile(shell).has(line(settings));
    }

    /** Remembers that it is trusted as it was told; refuses files that have changed since then. */
    public void give(Settings settings) {
        String now = line(settings);
        if (!now.equals(Objects.requireNonNullElse(shown, now))) {
            throw CommandProblem.notPossible("the files of this workspace have changed while you were asked;"
                    + " read them, then run 'belay trust' in it. Nothing was started");
        }
        new TrustFile(shell).add(now);
        if (own().isForeign()) {
            own().claim();
        }
        foreign(settings).ifPresent(NamedStore::claim);
        used().remember(rules(settings));
    }

    /** Remembers what the next use is compared with. Without a home the command goes on: its rules are those that were told. */
    private void remember(Settings settings) {
        try {
            used().remember(rules(settings));
        } catch (CommandProblem notKept) {
            shell.err()
                    .lineOnce(
                            "belay: rules of this workspace that become looser will not be noticed, because these"
                                    + " cannot be remembered: " + notKept.getMessage());
        }
    }

    /**
     * Makes {@code .belay}, if needed, for what commands keep there. One that is not trusted is left as it is. Without a home that it can be
     * remembered in, the command goes on and says that the next one will ask.
     */
    public void makeOwn() {
        if (own().isForeign()) {
            return;
        }
        workspace.makeOwn();
        try {
            own().claim();
        } catch (CommandProblem notKept) {
            shell.err()
                    .lineOnce("belay: the next command will ask about " + workspace.own()
                            + ", because it cannot be remembered as yours: " + notKept.getMessage());
        }
    }

    /** The file that the settings name as the store, if a pull may have put it there. */
    private Optional<NamedStore> foreign(Settings settings) {
        return settings.store()
                .flatMap(choice -> choice.named(shell, workspace))
                .filter(NamedStore::isForeign);
    }

    private OwnDirectory own() {
        return new OwnDirectory(shell, workspace);
    }

    private UsedRules used() {
        return new UsedRules(shell, workspace);
    }

    /** What the settings grant and limit; settings behind a link are a wish. */
    private Map<String, Rules> rules(Settings settings) {
        Map<String, Rules> rules = new LinkedHashMap<>(settings.rules());
        if (Files.isSymbolicLink(workspace.settings())) {
            rules.computeIfPresent(UsedRules.WORKSPACE, (key, all) -> {
                Set<String> grants = new LinkedHashSet<>(all.grants());
                grants.add("be read through a link");
                return new Rules(grants, all.limits());
            });
        }
        return rules;
    }

    /** What a person must allow: an agent that inherits from the usual one says it once. */
    private List<String> wishes(Settings settings) {
        Map<String, Rules> rules = rules(settings);
        Set<String> usual = Objects.requireNonNull(rules.get(UsedRules.USUAL)).grants();
        List<String> wishes = new ArrayList<>(usual);
        rules.forEach((agent, all) -> all.grants()
                .stream()
                .filter(grant -> !usual.contains(grant))
                .forEach(grant -> wishes.add(UsedRules.named(agent, grant))));
        return wishes;
    }

    private List<String> files(Settings settings) {
        try {
            return new RuleFiles(workspace, settings).names();
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    private String line(Settings settings) {
        try {
            return TrustFile.line(TrustFile.Kind.SETTINGS, new RuleFiles(workspace, settings).hash(),
                    workspace.root().toRealPath());
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    private CommandProblem unreadable(IOException e) {
        return new CommandProblem(ExitCode.FAILED, "the workspace cannot be read (" + e.getMessage()
                + "); check the permissions of " + workspace.root());
    }
}

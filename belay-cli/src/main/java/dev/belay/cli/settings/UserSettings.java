package dev.belay.cli.settings;

import dev.belay.cli.settings.Settings.Agent;
import dev.belay.cli.settings.Settings.ModelChoice;
import dev.belay.cli.shell.AgentWorkspace;
import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.Shell;
import dev.belay.config.ConfigFile;
import dev.belay.config.ConfigTable;
import dev.belay.toolbox.file.FileOwner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The settings of a user, {@code belay/config.toml} of the configuration directory. Those of a workspace lie over them, key by key, but for
 * what protects the user: rules, {@code otherwise}, {@code only_commands} and the address of the model are never loosened by a workspace.
 */
final class UserSettings {

    /** Servers and stores belong to a workspace. */
    private static final List<String> TOP = List.of("model", "agent", "agents", "tools", "policy");

    private UserSettings() {}

    /** Where they are, whether there are any or not; empty without a home. */
    static Optional<Path> file(Shell shell) {
        var places = new TrustFile(shell);
        return places.absolute("XDG_CONFIG_HOME")
                .or(() -> places.absolute("HOME").map(home -> home.resolve(".config")))
                .map(directory -> directory.resolve("belay").resolve("config.toml"));
    }

    /** What they say; empty if there are none. A file that another user could have written is refused: its rules could be gone. */
    static Optional<ConfigTable> read(Shell shell) {
        Optional<Path> found = file(shell).filter(file -> Files.exists(file, LinkOption.NOFOLLOW_LINKS));
        return found.map(file -> {
            ConfigTable root = read(file, true);
            Settings.warn(shell, root, TOP);
            if (root.table("tools")
                    .filter(tools -> tools.texts("groups").contains(Settings.PROJECT))
                    .isPresent()) {
                throw root.refused("tools", "the group project stands in the belay.toml of a workspace");
            }
            return root;
        });
    }

    /** What a workspace says; empty if it has no settings. */
    static Optional<ConfigTable> workspace(AgentWorkspace workspace) {
        return Optional.of(workspace.settings()).filter(Files::exists).map(file -> read(file, false));
    }

    private static ConfigTable read(Path file, boolean isMine) {
        try {
            FileOwner.otherWriter(file).filter(why -> isMine).ifPresent(why -> {
                throw CommandProblem.notPossible("the settings " + file + " are not used, because " + why
                        + "; make the file yours alone: chown, chmod go-w");
            });
            return ConfigFile.read(file).root();
        } catch (IOException | UncheckedIOException unreadable) {
            throw new CommandProblem(ExitCode.FAILED, "the settings " + file + " cannot be read ("
                    + Objects.requireNonNullElse(unreadable.getCause(), unreadable)
                    + "); check their permissions");
        }
    }

    /**
     * What is in force.
     *
     * @param asked what the workspace says alone
     * @param theirs what the user says alone
     * @param both the first over the second, key by key
     */
    static Settings under(Shell shell, Settings asked, Settings theirs, Settings both) {
        Map<String, Agent> agents = new TreeMap<>();
        both.agents().forEach((name, agent) -> {
            Agent own = asked.agents().getOrDefault(name, asked.usual());
            Agent mine = theirs.agents().getOrDefault(name, theirs.usual());
            String instructions = Stream.of(theirs, asked)
                    .flatMap(said -> Optional.ofNullable(said.agents().get(name))
                            .map(Agent::instructions)
                            .stream())
                    .filter(text -> !text.isEmpty())
                    .collect(Collectors.joining("\n\n"));
            agents.put(name, new Agent(instructions, agent.maxRounds(), agent.patience(),
                    model(shell, agent.model(), own.model(), mine.model()),
                    own.policy().within(mine.policy()), agent.leftOut()));
        });
        List<String> groups = new ArrayList<>(both.groups());
        List<String> only = new ArrayList<>(both.onlyCommands());
        if (!asked.onlyCommands().isEmpty() && !theirs.onlyCommands().isEmpty()) {
            only.retainAll(theirs.onlyCommands());
            groups.removeIf(group -> only.isEmpty() && group.equals(Settings.COMMANDS));
        }
        return new Settings(agents, groups, only, asked.mcp(), asked.store(), asked);
    }

    private static ModelChoice model(Shell shell, ModelChoice both, ModelChoice own, ModelChoice mine) {
        if (!mine.hasAddress()) {
            return both;
        }
        if (own.hasAddress() && !own.equals(own.at(mine))) {
            shell.err()
                    .lineOnce("belay: the model server of your own settings counts, not that of belay.toml");
        }
        return both.at(mine);
    }
}

package dev.belay.cli.settings;

import dev.belay.cli.shell.AgentWorkspace;
import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.Shell;
import dev.belay.schema.Shown;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Whether a person trusts a workspace: its settings may start processes, use keys and choose a server only then, and a {@code .belay} that
 * came with it is used only then. Trust is a hash of the settings and the project's tools, kept outside the workspace, so that a change
 * asks again.
 *
 * @param shell where it is asked
 * @param workspace which
 */
public record Trust(Shell shell, AgentWorkspace workspace) {

    /** Refuses, with exit code 3 and what they ask for, unless the settings ask for nothing or were trusted before. */
    public void require(Settings settings) {
        if (asks(settings)) {
            tell(settings);
            require(settings, Optional.empty());
        }
    }

    /** Refuses, with exit code 3, unless the settings ask for nothing or a person trusts them, now or before. */
    public void require(Settings settings, Optional<String> answer) {
        if (!asks(settings)) {
            return;
        }
        if (answer.filter(said -> said.strip().equalsIgnoreCase("y") || said.strip().equalsIgnoreCase("yes"))
                .isPresent()) {
            give();
            return;
        }
        throw CommandProblem.notPossible("this workspace is not trusted; read its " + AgentWorkspace.SETTINGS
                + " and .belay/tools, then run 'belay trust' in it"
                + (own().isForeign() ? ", or remove its .belay" : "") + ". Nothing was started");
    }

    /** Tells what the settings ask for that a person must allow. */
    public void tell(Settings settings) {
        List<String> wishes = settings.wishes();
        if (!wishes.isEmpty()) {
            shell.err().line("The settings " + workspace.settings() + " ask to:");
            wishes.forEach(wish -> shell.err().line("  " + Shown.inLine(wish, 200)));
        }
        if (own().isForeign()) {
            shell.err()
                    .line("The directory " + workspace.own()
                            + " was not made by your commands: its database may let"
                            + " calls run that you never approved.");
        }
    }

    /** Whether a question has to be asked before {@link #require}. */
    public boolean asks(Settings settings) {
        return own().isForeign() || (!settings.wishes().isEmpty() && !isTrusted());
    }

    /** Whether it is trusted as it is now. */
    public boolean isTrusted() {
        return new TrustFile(shell).has(line()) && !own().isForeign();
    }

    /** Remembers that it is trusted as it is now. */
    public void give() {
        new TrustFile(shell).add(line());
        if (own().isForeign()) {
            own().claim();
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

    private OwnDirectory own() {
        return new OwnDirectory(shell, workspace);
    }

    private String line() {
        try {
            MessageDigest hash = MessageDigest.getInstance("SHA-256");
            if (Files.exists(workspace.settings())) {
                add(hash, workspace.settings());
            }
            Path tools = workspace.own().resolve("tools");
            if (Files.isDirectory(tools)) {
                try (Stream<Path> files = Files.walk(tools)) {
                    for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                        add(hash, file);
                    }
                }
            }
            return HexFormat.of().formatHex(hash.digest()) + " " + workspace.root().toRealPath();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        } catch (IOException e) {
            throw new CommandProblem(ExitCode.FAILED, "the workspace cannot be read (" + e.getMessage()
                    + "); check the permissions of " + workspace.root());
        }
    }

    private void add(MessageDigest hash, Path file) throws IOException {
        byte[] name = workspace.root().relativize(file).toString().getBytes(StandardCharsets.UTF_8);
        byte[] content = Files.readAllBytes(file);
        hash.update((name.length + " " + content.length + " ").getBytes(StandardCharsets.UTF_8));
        hash.update(name);
        hash.update(content);
    }
}

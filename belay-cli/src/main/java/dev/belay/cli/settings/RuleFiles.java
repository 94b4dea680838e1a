package dev.belay.cli.settings;

import dev.belay.cli.shell.AgentWorkspace;
import dev.belay.json.FramedHash;
import dev.belay.toolbox.command.ProjectTools;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The files of a workspace that decide what its agents may do and what is started: the settings, the files of {@code .belay/tools} if they
 * are loaded, and files of the workspace that the settings or those tools name.
 *
 * @param workspace which
 * @param settings of it
 */
record RuleFiles(AgentWorkspace workspace, Settings settings) {

    /** Those that are there, links followed. */
    Set<Path> all() throws IOException {
        Set<Path> files = new TreeSet<>();
        if (Files.exists(workspace.settings())) {
            files.add(workspace.settings().toRealPath());
        }
        Set<Path> named = settings.named(workspace);
        if (settings.groups().contains(Settings.PROJECT)) {
            Path tools = workspace.own().resolve("tools");
            named.addAll(ProjectTools.load(tools, workspace.root()).named());
            if (Files.isDirectory(tools, LinkOption.NOFOLLOW_LINKS)) {
                // no link is followed: the loader refuses what is behind one
                try (Stream<Path> loaded = Files.walk(tools)) {
                    for (Path file : loaded.toList()) {
                        if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                            files.add(file.toRealPath());
                        }
                    }
                }
            }
        }
        Path real = workspace.root().toRealPath();
        for (Path file : named) {
            boolean isInside = file.normalize().startsWith(workspace.root());
            if (Files.isRegularFile(file) && (isInside || file.toRealPath().startsWith(real))) {
                files.add(file.toRealPath());
            }
        }
        return files;
    }

    /** Their names, from the workspace on. */
    List<String> names() throws IOException {
        Path real = workspace.root().toRealPath();
        return all().stream()
                .map(file -> file.startsWith(real) ? real.relativize(file).toString() : file.toString())
                .toList();
    }

    /** A hash of their names and their bytes. */
    String hash() throws IOException {
        var hash = new FramedHash().add("belay-trust-1");
        for (Path file : all()) {
            hash.add(file.toString()).add(content(file));
        }
        return hash.hex();
    }

    private static String content(Path file) throws IOException {
        try (var in = new DigestInputStream(Files.newInputStream(file),
                MessageDigest.getInstance("SHA-256"))) {
            in.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(in.getMessageDigest().digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}

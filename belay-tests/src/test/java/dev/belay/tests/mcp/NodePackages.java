package dev.belay.tests.mcp;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Programs from npm, installed once below {@code target} without running their scripts, with a Node 22 of their own. */
final class NodePackages {

    private static final Path FOLDER = Path.of("target", "mcp-peers").toAbsolutePath();
    private static final List<String> PACKAGES = List.of("@modelcontextprotocol/conformance@0.2.0-alpha.12",
            "@modelcontextprotocol/server-everything@2026.8.31",
            "@modelcontextprotocol/server-filesystem@2026.8.31");

    private NodePackages() {}

    /** Where they are. */
    static Path folder() {
        return FOLDER;
    }

    /** The Node that runs them; fails where it cannot be installed. */
    static Path node() throws IOException, InterruptedException {
        String os = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("mac")
                ? "darwin"
                : "linux";
        String arch = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "x64";
        Path node = FOLDER.resolve("node_modules/node-" + os + "-" + arch + "/bin/node");
        if (!Files.exists(node)) {
            Files.createDirectories(FOLDER);
            Files.writeString(FOLDER.resolve("package.json"), "{\"private\":true}");
            List<String> install = new ArrayList<>(
                    List.of("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts",
                            "node-" + os + "-" + arch + "@22"));
            install.addAll(PACKAGES);
            install(FOLDER, install,
                    "install npm (Debian: apt-get install npm) and see that it reaches its registry");
        }
        return node;
    }

    /** Runs a command that installs something, within five minutes; what it prints is in {@code install.log}. */
    static void install(Path folder, List<String> command, String toDo) throws InterruptedException {
        String why;
        try {
            Process process = new ProcessBuilder(command).directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("install.log").toFile())
                    .start();
            boolean ended = process.waitFor(5, TimeUnit.MINUTES);
            if (ended && process.exitValue() == 0) {
                return;
            }
            process.destroyForcibly();
            why = ended
                    ? "ended with exit code " + process.exitValue() + ", see " + folder.resolve("install.log")
                    : "took more than five minutes";
        } catch (IOException noSuchProgram) {
            why = "cannot be started: " + noSuchProgram.getMessage();
        }
        throw new AssertionError("The peers of MCP are needed, and '"
                + String.join(" ", command.subList(0, 2)) + "' "
                + why + ". To run these tests, " + toDo + "; without them, run mvn verify without -Pdeep");
    }

    /** The start file of a package. */
    static String program(String name) {
        return FOLDER.resolve("node_modules/@modelcontextprotocol/" + name + "/dist/index.js").toString();
    }
}

package dev.belay.tests.mcp;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Programs from npm, installed once below {@code target} without running their scripts, with a Node 22 of their own. Tests that need them run
 * with {@code -Dbelay.peers=true} only, and say why if they do not.
 */
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

    /** Skips the test unless peers were asked for. */
    static void assumePeers() {
        assumeTrue(Boolean.getBoolean("belay.peers"),
                "needs programs from public registries; run it with belay-tests/mcp-peers, or -Dbelay.peers=true");
    }

    /** The Node that runs them; skips the test where there is none. */
    static Path node() throws IOException, InterruptedException {
        assumePeers();
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
            assumeTrue(runs(FOLDER, install), "npm could not install Node 22 and the packages in " + FOLDER);
        }
        return node;
    }

    /** Whether a command succeeds in a folder within five minutes; what it prints is in {@code install.log}. */
    static boolean runs(Path folder, List<String> command) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(command).directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("install.log").toFile())
                    .start();
            return process.waitFor(5, TimeUnit.MINUTES) && process.exitValue() == 0;
        } catch (IOException noSuchProgram) {
            return false;
        }
    }

    /** The start file of a package. */
    static String program(String name) {
        return FOLDER.resolve("node_modules/@modelcontextprotocol/" + name + "/dist/index.js").toString();
    }
}

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

    /** The Node that runs them; skips the test where there is none. */
    static Path node() throws IOException, InterruptedException {
        assumeTrue(Boolean.getBoolean("belay.peers"),
                "needs packages from npm; run it with belay-tests/mcp-peers, or -Dbelay.peers=true");
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
            assumeTrue(runs(install), "npm could not install Node 22 and the packages in " + FOLDER);
        }
        return node;
    }

    private static boolean runs(List<String> command) throws InterruptedException {
        try {
            Process npm = new ProcessBuilder(command).directory(FOLDER.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(FOLDER.resolve("npm.log").toFile())
                    .start();
            return npm.waitFor(5, TimeUnit.MINUTES) && npm.exitValue() == 0;
        } catch (IOException noNpm) {
            return false;
        }
    }

    /** The start file of a package. */
    static String program(String name) {
        return FOLDER.resolve("node_modules/@modelcontextprotocol/" + name + "/dist/index.js").toString();
    }
}

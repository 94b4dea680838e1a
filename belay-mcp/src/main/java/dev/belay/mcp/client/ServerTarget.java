package dev.belay.mcp.client;

import dev.belay.json.FramedHash;
import dev.belay.mcp.McpServer;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Hashes what the calls of a server reach: for a program its command, its directory, its variables, and the bytes of the program and of
 * the scripts that the command names; for HTTP the address and the headers. The hash is a part of the fingerprint of each tool, so that
 * approvals and waiting calls do not go over to another program or server. Not covered: what a program loads by itself, and the header
 * {@code Authorization}, whose tokens are renewed. Stateless.
 */
final class ServerTarget {

    /** Larger files are told apart by size and time. */
    private static final long LARGEST = 16 << 20;

    private static final Pattern SCRIPT = Pattern.compile("[.](py|js|mjs|cjs|ts|jar|sh|rb|pl|php)$");

    private ServerTarget() {}

    static String hash(McpServer server) {
        FramedHash hash = new FramedHash().add("belay-mcp-target-1");
        switch (server.way()) {
            case McpServer.Way.Program program -> add(hash, program);
            case McpServer.Way.Http http -> {
                hash.add("http").add(http.address().toString());
                Map<String, String> headers = new TreeMap<>();
                http.headers().forEach((name, value) -> headers.put(name.toLowerCase(Locale.ROOT), value));
                headers.remove("authorization");
                add(hash, headers);
            }
        }
        return hash.hex();
    }

    private static void add(FramedHash hash, McpServer.Way.Program program) {
        Path directory = (program.directory() == null ? Path.of("") : program.directory()).toAbsolutePath();
        hash.add("program").add(directory.toString()).add(program.command().size());
        for (String word : program.command()) {
            Path file = file(directory, word);
            hash.add(word).add(file == null || !isProgram(file) ? "" : content(file));
        }
        Path found = found(program.command().getFirst());
        hash.add(found == null ? "" : content(found));
        add(hash, new TreeMap<>(program.variables()));
    }

    private static void add(FramedHash hash, Map<String, String> sorted) {
        hash.add(sorted.size());
        sorted.forEach((name, value) -> hash.add(name).add(value));
    }

    /** A command names data too, which change while it runs. */
    private static boolean isProgram(Path file) {
        return SCRIPT.matcher(file.toString()).find() || Files.isExecutable(file);
    }

    private static @Nullable Path file(Path directory, String word) {
        try {
            Path file = directory.resolve(word);
            return Files.isRegularFile(file) ? file : null;
        } catch (InvalidPathException noPath) {
            return null;
        }
    }

    /** The program of a plain name: it is looked for in the path of this process. */
    private static @Nullable Path found(String word) {
        String path = word.contains("/") ? "" : System.getenv().getOrDefault("PATH", "");
        return Pattern.compile(Pattern.quote(File.pathSeparator))
                .splitAsStream(path)
                .filter(place -> !place.isEmpty())
                .map(place -> file(Path.of(place), word))
                .filter(file -> file != null && Files.isExecutable(file))
                .findFirst()
                .orElse(null);
    }

    private static String content(Path file) {
        try {
            if (Files.size(file) > LARGEST) {
                return Files.size(file) + " bytes of " + Files.getLastModifiedTime(file);
            }
            try (var in = new DigestInputStream(Files.newInputStream(file),
                    MessageDigest.getInstance("SHA-256"))) {
                in.transferTo(OutputStream.nullOutputStream());
                return HexFormat.of().formatHex(in.getMessageDigest().digest());
            }
        } catch (IOException e) {
            return "unreadable";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}

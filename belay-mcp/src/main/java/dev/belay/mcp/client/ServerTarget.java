package dev.belay.mcp.client;

import dev.belay.json.FramedHash;
import dev.belay.mcp.McpServer;
import dev.belay.tool.option.FileWords;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Hashes what the calls of a server reach: for a program its command, its directory, its variables, and the bytes of the program and of
 * the scripts that the command and the variables name, also in a part of a word; for HTTP the address and the headers. The hash is a part of the fingerprint of each tool, so that
 * approvals and waiting calls do not go over to another program or server. Not covered: what a program loads by itself, and the header
 * {@code Authorization}, whose tokens are renewed. Stateless.
 */
final class ServerTarget {

    /** Larger files are told apart by size and time. */
    private static final long LARGEST = 16 << 20;

    private static final Pattern SCRIPT = Pattern.compile("[.](py|js|mjs|cjs|ts|jar|sh|rb|pl|php)$");

    /** What a launcher appends to the name of a script. */
    private static final List<String> ENDINGS = List.of("", ".js", ".mjs", ".cjs", ".ts", ".py", "/index.js",
            "/__main__.py");

    private ServerTarget() {}

    static String hash(McpServer server) {
        FramedHash hash = new FramedHash().add("belay-mcp-target-2");
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
        program.command().forEach(hash::add);
        Path found = found(program.command().getFirst());
        hash.add(found == null ? "" : content(found));
        add(hash, new TreeMap<>(program.variables()));
        Map<String, String> scripts = new TreeMap<>();
        Stream.concat(FileWords.of(program.command()).stream(),
                FileWords.of(program.variables().values()).stream())
                .flatMap(word -> ENDINGS.stream().map(ending -> file(directory, word + ending)))
                .filter(file -> file != null && isProgram(file))
                .forEach(file -> scripts.computeIfAbsent(file.toString(), name -> content(file)));
        add(hash, scripts);
    }

    private static void add(FramedHash hash, Map<String, String> sorted) {
        hash.add(sorted.size());
        sorted.forEach((name, value) -> hash.add(name).add(value));
    }

    /** A command names data too, which change while it runs. */
    private static boolean isProgram(Path file) {
        return SCRIPT.matcher(file.toString()).find() || Files.isExecutable(file) || namesItsProgram(file);
    }

    /** Whether a file says itself, in its first characters, what runs it. */
    private static boolean namesItsProgram(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return in.read() == '#' && in.read() == '!';
        } catch (IOException unreadable) {
            return false;
        }
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

package dev.belay.toolbox.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Finds processes by a mark in their arguments, zombies apart. */
final class Marked {

    private static final AtomicLong COUNT = new AtomicLong();

    private Marked() {}

    /** A number of seconds to sleep that no other process sleeps. */
    static String mark() {
        return "7" + ProcessHandle.current().pid() + "." + (System.nanoTime() % 1_000_000)
                + COUNT.incrementAndGet();
    }

    static List<String> running(String mark) throws IOException {
        List<String> found = new ArrayList<>();
        try (var processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                try {
                    String command = new String(Files.readAllBytes(process.resolve("cmdline")),
                            StandardCharsets.UTF_8);
                    String stat = Files.readString(process.resolve("stat"), StandardCharsets.ISO_8859_1);
                    boolean zombie = stat.substring(stat.lastIndexOf(')') + 2).startsWith("Z");
                    if (command.contains(mark) && !zombie) {
                        found.add(command.replace('\0', ' '));
                    }
                } catch (IOException gone) {
                    // it ended while we looked
                }
            }
        }
        return found;
    }
}

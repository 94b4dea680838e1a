package dev.belay.toolbox.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Starts programs in a session and process group of their own, so that one signal reaches the whole group. Stateless. */
final class OwnSession {

    /** Words before a command: util-linux and busybox have the first, macOS has the second. Both become the command. */
    static final List<List<String>> STARTERS = List.of(
            List.of("/usr/bin/setsid"),
            List.of("/usr/bin/perl", "-MPOSIX=setsid", "-e", "setsid; exec {$ARGV[0]} @ARGV; exit 127"));

    private OwnSession() {}

    /** The words before a command; empty where no program of this kind exists. */
    static Optional<List<String>> starter() {
        return STARTERS.stream().filter(OwnSession::isHere).findFirst();
    }

    static boolean isHere(List<String> starter) {
        return Files.isExecutable(Path.of(starter.getFirst()));
    }
}

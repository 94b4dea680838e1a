package dev.belay.model.http.exchange;

import dev.belay.model.http.BaseUrl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Who listens on the ports of this machine, as Linux tells it: any user may open a port that a model server uses. Stateless.
 *
 * @param proc the directory {@code /proc}
 */
record PortOwners(Path proc) {

    private static final String LISTENS = "0A";
    private static final int LOCAL = 1;
    private static final int STATE = 3;
    private static final int USER = 7;
    /** 127.0.0.1 and any address, in either order of bytes; those of IPv6 end in the same way. */
    private static final Set<String> REACHED = Set.of("0100007F", "7F000001", "00000000");

    /** Why a server may belong to another user than that of this process or root; empty too where the system is not Linux. */
    Optional<String> stranger(BaseUrl url) {
        List<Path> tables = List.of(proc.resolve("net/tcp"), proc.resolve("net/tcp6"));
        if (tables.stream().noneMatch(Files::isReadable)) {
            return Optional.empty();
        }
        try {
            List<String> users = new ArrayList<>();
            for (Path table : tables) {
                if (Files.isReadable(table)) {
                    users.addAll(users(table, url.uri().getPort()));
                }
            }
            if (users.isEmpty()) {
                return Optional.of("no process of this machine is known to listen there");
            }
            String self = String.valueOf(Files.getAttribute(proc.resolve("self"), "unix:uid"));
            return users.stream()
                    .filter(user -> !user.equals("0") && !user.equals(self))
                    .findFirst()
                    .map(user -> "it belongs to the user with the number " + user);
        } catch (IOException | UnsupportedOperationException e) {
            return Optional.of("its user cannot be found out (" + e + ")");
        }
    }

    private static List<String> users(Path table, int port) throws IOException {
        String suffix = String.format(Locale.ROOT, ":%04X", port);
        return Files.readAllLines(table)
                .stream()
                .map(line -> line.strip().split("\\s+", -1))
                .filter(words -> words.length > USER && words[STATE].equals(LISTENS))
                .filter(words -> words[LOCAL].endsWith(suffix))
                .filter(words -> REACHED.stream().anyMatch(words[LOCAL].replace(suffix, "")::endsWith))
                .map(words -> words[USER])
                .toList();
    }
}

package dev.belay.cli.talk;

import dev.belay.cli.shell.Person;
import dev.belay.cli.shell.Shell;
import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.mcp.McpAnswer;
import dev.belay.mcp.McpPeople;
import dev.belay.mcp.McpQuestion;
import dev.belay.mcp.McpQuestions;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.operate.Page;
import dev.belay.runtime.operate.PendingWait;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.SessionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Questions of MCP servers in a session: they are listed by {@code belay pending}, and a person at the terminal is asked. {@link #answer(McpQuestion)}
 * is called on threads of servers, the rest on one thread.
 */
final class AskedByServers implements McpQuestions {

    /** A server of 2025-11-25 holds its call so long. */
    private static final Duration OPEN = Duration.ofMinutes(5);
    private static final int PAGE = 100;

    private final Shell shell;
    private final Person person;
    private final String session;
    private final CompletableFuture<McpPeople> people = new CompletableFuture<>();
    private final Set<String> asked = new HashSet<>();
    private @Nullable BelayClient client;

    AskedByServers(Shell shell, Person person, String session) {
        this.shell = shell;
        this.person = person;
        this.session = session;
    }

    /**
     * The runtime of the session; questions that came before wait for it.
     *
     * @param asks is run when a question waits
     */
    void through(Belay belay, BelayClient by, Runnable asks) {
        client = by;
        people.complete(new McpPeople(belay, OPEN, asks));
    }

    @Override
    public Optional<McpAnswer> answer(McpQuestion question) {
        return people.join().answer(question);
    }

    /** Questions of this session and of sessions below it. */
    private List<PendingWait> open() {
        List<PendingWait> found = new ArrayList<>();
        Set<ProcessId> held = people.join().open();
        String after = null;
        do {
            Page<PendingWait> page = client().pending(after, PAGE);
            page.items()
                    .stream()
                    .filter(wait -> wait.kind() == PendingWait.Kind.EVENT && wait.announcement() != null)
                    .filter(wait -> held.contains(wait.process())
                            || (wait.session() != null && isBelow(wait.session())))
                    .forEach(found::add);
            after = page.next();
        } while (after != null);
        return found;
    }

    private boolean isBelow(SessionId waiting) {
        return waiting.value().equals(session) || client().session(waiting.value())
                .head()
                .filter(head -> head.profile().above().contains(session))
                .isPresent();
    }

    private BelayClient client() {
        return Objects.requireNonNull(client, "through");
    }

    /** Asks what was not asked yet; false if a question found no answer. */
    boolean answer() throws InterruptedException {
        for (PendingWait wait : open()) {
            if (asked.add(wait.keyId()) && !asked(wait)) {
                return false;
            }
        }
        return true;
    }

    private boolean asked(PendingWait wait) throws InterruptedException {
        BooleanSupplier isOpen = () -> open().stream().anyMatch(one -> one.keyId().equals(wait.keyId()));
        shell.err().line("");
        shell.err().quote(String.valueOf(wait.announcement()));
        while (true) {
            String said = shell.canAsk()
                    ? person.ask("Your answer: the content as JSON, [y] yes without one, [n] no: ", isOpen)
                    : null;
            if (said == null) {
                boolean still = isOpen.getAsBoolean();
                if (still) {
                    shell.err().line("It waits: 'belay answer " + wait.keyId() + " --value JSON' answers.");
                }
                return !still;
            }
            Json answer = understood(said.strip());
            if (answer == null) {
                continue;
            }
            Delivery delivery = client().resolve(client().reissue(wait.keyId()).token(),
                    Resolution.ok(answer));
            if (!(delivery instanceof Delivery.Refused(var violations))) {
                return true;
            }
            shell.err().remark("That does not fit: " + violations.message());
        }
    }

    /** The answer that a person has typed; null to ask once more. */
    private @Nullable Json understood(String said) {
        switch (said.toLowerCase(Locale.ROOT)) {
            case "" -> {
                return null;
            }
            case "y", "yes" -> {
                return action("accept");
            }
            case "n", "no" -> {
                return action("decline");
            }
            default -> {
                try {
                    return Json.object(Map.of("action", Json.string("accept"), "content", Json.of(said)));
                } catch (JsonException e) {
                    shell.err().remark("That is no JSON: " + e.getMessage());
                    return null;
                }
            }
        }
    }

    private static Json action(String action) {
        return Json.object(Map.of("action", Json.string(action)));
    }
}

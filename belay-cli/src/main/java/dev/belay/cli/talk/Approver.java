package dev.belay.cli.talk;

import dev.belay.cli.settings.ApproveMode;
import dev.belay.cli.shell.Person;
import dev.belay.cli.shell.Shell;
import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.operate.Approvals;
import dev.belay.runtime.operate.OpenApproval;
import dev.belay.runtime.operate.Page;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.policy.ApprovalAnswer.Choice;
import dev.belay.schema.Shown;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Answers calls of a session that ask: by the mode of the command, else by a person. Confined to one thread. */
final class Approver {

    private static final int PAGE = 100;
    private static final Map<Choice, String> WORDS = words();

    private final Shell shell;
    private final Person person;
    private final ApproveMode mode;
    private final Approvals approvals;
    private final String session;

    Approver(Shell shell, Person person, ApproveMode mode, BelayClient client, String session) {
        this.shell = shell;
        this.person = person;
        this.mode = mode;
        this.approvals = client.approvals();
        this.session = session;
    }

    private static Map<Choice, String> words() {
        Map<Choice, String> words = new LinkedHashMap<>();
        words.put(Choice.ONCE, "[y] once");
        words.put(Choice.TURN, "[t] in this turn");
        words.put(Choice.SESSION, "[s] in this session");
        words.put(Choice.EDIT, "[e] edit");
        words.put(Choice.ANSWER, "[a] answer in its place");
        words.put(Choice.DENY, "[n] no");
        return words;
    }

    /** Calls of the session, and of sessions below it, that ask now. */
    List<OpenApproval> open() {
        List<OpenApproval> found = new ArrayList<>();
        String after = null;
        do {
            Page<OpenApproval> page = approvals.open(after, PAGE);
            page.items()
                    .stream()
                    .filter(open -> open.request().call().chain().contains(session))
                    .forEach(found::add);
            after = page.next();
        } while (after != null);
        return found;
    }

    /** Answers what is asked now; false if a question found no answer. */
    boolean answer() throws InterruptedException {
        for (OpenApproval open : open()) {
            Optional<ApprovalAnswer> said = mode.answer();
            if (said.isPresent()) {
                approvals.decide(open.keyId(), open.request().digest(), said.get());
            } else if (!asked(open)) {
                return false;
            }
        }
        return true;
    }

    private boolean asked(OpenApproval open) throws InterruptedException {
        BooleanSupplier isOpen = () -> approvals.find(open.keyId()).isPresent();
        shell.err().line("");
        shell.err().quote(open.request().shown());
        while (true) {
            String said = person.ask(question(open), isOpen);
            if (said == null) {
                return !isOpen.getAsBoolean();
            }
            ApprovalAnswer answer = understood(open, said.strip(), isOpen);
            if (answer == null) {
                continue;
            }
            VerbResult result = approvals.decide(open.keyId(), open.request().digest(), answer);
            if (result instanceof VerbResult.NotPossible(String reason)) {
                shell.err().remark("Not possible: " + reason);
                if (isOpen.getAsBoolean()) {
                    continue;
                }
            }
            return true;
        }
    }

    private static String question(OpenApproval open) {
        List<String> choices = WORDS.entrySet()
                .stream()
                .filter(choice -> open.request().allowed().contains(choice.getKey()))
                .map(Map.Entry::getValue)
                .toList();
        return "Allow it? " + String.join(", ", choices) + ", or words for the model: ";
    }

    /** The answer that a person has typed; null to ask once more. */
    private @Nullable ApprovalAnswer understood(OpenApproval open, String said, BooleanSupplier isOpen)
            throws InterruptedException {
        return switch (said.toLowerCase(Locale.ROOT)) {
            case "y", "yes" -> ApprovalAnswer.once();
            case "t" -> ApprovalAnswer.forTurn();
            case "s" -> ApprovalAnswer.forSession();
            case "n", "no" -> ApprovalAnswer.deny("");
            case "e" -> edited(person.edit("Arguments, as JSON: ",
                    Shown.name(open.request().call().arguments().compact()), isOpen));
            case "a" -> answered(person.ask("Result, as JSON or as text: ", isOpen));
            default -> said.length() > 1 ? ApprovalAnswer.deny(said) : null;
        };
    }

    private @Nullable ApprovalAnswer edited(@Nullable String text) {
        try {
            return text == null ? null : ApprovalAnswer.edit(Json.of(text));
        } catch (JsonException e) {
            shell.err().remark("That is no JSON: " + e.getMessage());
            return null;
        }
    }

    private static @Nullable ApprovalAnswer answered(@Nullable String text) {
        return text == null ? null : ApprovalAnswer.answer(value(text.strip()));
    }

    private static Json value(String text) {
        try {
            return Json.of(text);
        } catch (JsonException notJson) {
            return Json.string(text);
        }
    }
}

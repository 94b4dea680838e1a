package dev.belay.cli.talk;

import dev.belay.cli.screen.Style;
import dev.belay.cli.settings.ApproveMode;
import dev.belay.cli.shell.CommandProblem;
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
import dev.belay.runtime.policy.ApprovalRequest.Call;
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
        words.put(Choice.DENY, "[n] no, [v] show all");
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
        var screen = new AskedScreen(shell, open.request());
        screen.show();
        while (true) {
            String said = person.ask(question(screen), isOpen);
            if (said == null) {
                return !isOpen.getAsBoolean();
            }
            ApprovalAnswer answer = understood(open, screen, said.strip(), isOpen);
            if (answer == null) {
                continue;
            }
            VerbResult result = approvals.decide(open.keyId(), open.request().digest(), answer);
            if (result instanceof VerbResult.NotPossible(String reason)) {
                shell.err().remark("Not possible: " + reason, Style.BAD);
                if (isOpen.getAsBoolean()) {
                    continue;
                }
            }
            return true;
        }
    }

    private static String question(AskedScreen screen) {
        List<String> choices = WORDS.entrySet()
                .stream()
                .filter(choice -> screen.allowed().contains(choice.getKey()))
                .map(Map.Entry::getValue)
                .toList();
        return "Allow it? " + String.join(", ", choices) + ", or words for the model: ";
    }

    /** The answer that a person has typed; null to ask once more. */
    private @Nullable ApprovalAnswer understood(OpenApproval open, AskedScreen screen, String said,
            BooleanSupplier isOpen) throws InterruptedException {
        return switch (said.toLowerCase(Locale.ROOT)) {
            case "y", "yes" -> ApprovalAnswer.once();
            case "t" -> ifSeen(screen, ApprovalAnswer.forTurn());
            case "s" -> ifSeen(screen, ApprovalAnswer.forSession());
            case "n", "no" -> ApprovalAnswer.deny("");
            case "v" -> {
                screen.showAll();
                yield null;
            }
            case "e" -> edited(open.request().call(), isOpen);
            case "a" -> answered(person.ask("Result, as JSON or as text: ", isOpen));
            default -> said.length() > 1 ? ApprovalAnswer.deny(said) : null;
        };
    }

    /** What is folded may decide about further calls: they are approved by a person who has seen it. */
    private @Nullable ApprovalAnswer ifSeen(AskedScreen screen, ApprovalAnswer answer) {
        if (screen.isSeen()) {
            return answer;
        }
        shell.err().line("More than once is approved only after [v] has shown all of it.");
        return null;
    }

    /** Arguments that a person has changed, in an editor if there is one; null if there are none. */
    private @Nullable String changed(Json arguments, BooleanSupplier isOpen) throws InterruptedException {
        Optional<String> editor = EditedArguments.editor(shell);
        if (editor.isEmpty()) {
            return person.edit("Arguments, as JSON: ", Shown.name(arguments.compact()), isOpen);
        }
        try {
            return EditedArguments.edited(editor.get(), arguments);
        } catch (CommandProblem failed) {
            shell.err().remark("Nothing was sent: " + failed.getMessage(), Style.BAD);
            return null;
        }
    }

    /** Other arguments. A call of which something is prepared asks again with them; any other is shown here. */
    private @Nullable ApprovalAnswer edited(Call call, BooleanSupplier isOpen) throws InterruptedException {
        String text = changed(call.arguments(), isOpen);
        try {
            Json arguments = text == null ? null : Json.of(text);
            if (arguments == null || (call.payload() == null && !isMeant(arguments, isOpen))) {
                return null;
            }
            return ApprovalAnswer.edit(arguments);
        } catch (JsonException e) {
            shell.err().remark("Nothing was sent. That is no JSON: " + e.getMessage(), Style.BAD);
            return null;
        }
    }

    private boolean isMeant(Json arguments, BooleanSupplier isOpen) throws InterruptedException {
        shell.err().quote(EditedArguments.pretty(arguments));
        String said = person.ask("Run it with these arguments? [y/n] ", isOpen);
        return said != null && List.of("y", "yes").contains(said.strip().toLowerCase(Locale.ROOT));
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

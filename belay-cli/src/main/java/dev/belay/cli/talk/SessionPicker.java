package dev.belay.cli.talk;

import dev.belay.cli.screen.Style;
import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.Person;
import dev.belay.cli.shell.Shell;
import dev.belay.cli.shell.Times;
import dev.belay.cli.verb.SessionTitle;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.store.SessionHead;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Lets a person choose one of the sessions that were used last, by what was said in them. Confined to one thread. */
final class SessionPicker {

    private static final int MOST = 15;

    private final Shell shell;
    private final Person person;

    /** A session on the list. */
    private record Choice(SessionHead head, String title, String last) {}

    SessionPicker(Shell shell, Person person) {
        this.shell = shell;
        this.person = person;
    }

    /** The session that is chosen; the only one if there is no other. */
    SessionHead pick(BelayClient client, List<SessionHead> heads) throws InterruptedException {
        List<Choice> choices = new ArrayList<>();
        heads.stream()
                .sorted(Comparator.comparing(SessionHead::changedAt).reversed())
                .limit(MOST)
                .forEach(head -> {
                    Session session = client.session(head.id().value());
                    choices.add(new Choice(head, SessionTitle.of(session), SessionTitle.last(session)));
                });
        if (choices.size() == 1) {
            return choices.getFirst().head();
        }
        list(choices);
        while (true) {
            String said = person.ask("Which session? A number or words of it; Enter takes the first: ",
                    () -> true);
            if (said == null) {
                throw CommandProblem.notPossible("no session was chosen; 'belay sessions ls' lists them");
            }
            List<Choice> found = found(choices, said.strip());
            if (found.size() == 1) {
                return found.getFirst().head();
            }
            shell.err()
                    .line(found.isEmpty()
                            ? "There is no such session."
                            : "More than one session has these words.");
        }
    }

    private void list(List<Choice> choices) {
        Instant now = Instant.now();
        for (int i = 0; i < choices.size(); i++) {
            Choice choice = choices.get(i);
            String number = String.format(Locale.ROOT, "%2d  %4s  ", i + 1,
                    Times.age(choice.head().changedAt(), now));
            shell.err()
                    .remark(number.length(),
                            number + (choice.title().isEmpty() ? choice.head().id() : choice.title())
                                    + (choice.last().isEmpty() ? "" : " … " + choice.last())
                                    + (choice.head().active() == null ? "" : "  (not ended)"),
                            Style.DIM);
        }
    }

    private static List<Choice> found(List<Choice> choices, String said) {
        if (said.isEmpty()) {
            return choices.subList(0, 1);
        }
        if (said.matches("\\d{1,2}")) {
            int number = Integer.parseInt(said);
            return number >= 1 && number <= choices.size() ? choices.subList(number - 1, number) : List.of();
        }
        String wanted = said.toLowerCase(Locale.ROOT);
        return choices.stream()
                .filter(one -> (one.head().id() + " " + one.title() + " " + one.last())
                        .toLowerCase(Locale.ROOT)
                        .contains(wanted))
                .toList();
    }
}

package dev.belay.cli.operate;

import dev.belay.BelayException;
import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.verb.StoreVerb;
import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.operate.OpenApproval;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.schema.Shown;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commands that answer calls which ask a person. */
final class ApprovalVerbs {

    /** So much of a digest is enough to tell that the right request was read. */
    private static final int SHORTEST_DIGEST = 12;
    private static final int SHOWN = 120;

    private ApprovalVerbs() {}

    /** A command that answers one request. */
    abstract static class Deciding extends WaitVerbs.Answering {

        @Parameters(index = "0", paramLabel = "KEY-ID", description = "An id of 'belay pending'.")
        private String keyId = "";

        /** For subclasses. */
        Deciding() {}

        final String keyId() {
            return keyId;
        }

        /** What is answered. */
        abstract ApprovalAnswer answer();

        /** The digest of what the person has seen, or null if the request is shown now; empty if it does not matter. */
        abstract @Nullable String seen();

        @Override
        protected int with(BelayClient client) throws InterruptedException {
            ApprovalAnswer answer = answer();
            OpenApproval open = client.approvals().find(keyId).orElse(null);
            if (open == null) {
                return tell(client.approvals().decide(keyId, Objects.requireNonNullElse(seen(), ""), answer),
                        done(answer));
            }
            return tell(client.approvals().decide(keyId, digest(open), answer), done(answer));
        }

        private String done(ApprovalAnswer answer) {
            return answer.inWords() + ": " + keyId;
        }

        /** The digest that the answer names: that of the request only if a person has seen it. */
        private String digest(OpenApproval open) throws InterruptedException {
            String whole = open.request().digest();
            String seen = seen();
            if (seen == null) {
                if (!shell().canAsk()) {
                    throw CommandProblem.notPossible("say which request you have read: --digest "
                            + whole.substring(0, SHORTEST_DIGEST) + "… ('belay pending " + keyId
                            + "' prints it), or answer on a terminal");
                }
                shell().err().quote(open.request().shown());
                String said = shell().person(() -> false).ask("Answer it so? [y/n] ", () -> true);
                if (said == null || !List.of("y", "yes").contains(said.strip().toLowerCase(Locale.ROOT))) {
                    throw CommandProblem.notPossible("not answered; the call goes on waiting");
                }
                return whole;
            }
            return seen.isEmpty() || (seen.length() >= SHORTEST_DIGEST && whole.startsWith(seen))
                    ? whole
                    : seen;
        }
    }

    /** A command whose request must have been read. */
    abstract static class Read extends Deciding {

        @Option(names = "--digest", paramLabel = "DIGEST", description = {
            "The digest of the request that you have read, or its first 12 characters or more.",
            "Without it the request is shown and you are asked, which needs a terminal."})
        private @Nullable String digest;

        /** For subclasses. */
        Read() {}

        @Override
        final @Nullable String seen() {
            return digest == null || digest.isBlank() ? null : digest;
        }
    }

    /** For how long an approval holds, or with what; one of them. */
    static final class Scope {

        @Option(names = "--turn", description = "This and further calls about which only the rules ask that are shown, in this turn.")
        private boolean turn;

        @Option(names = "--for-session", description = "This and further calls about which only the rules ask that are shown, in this session.")
        @SuppressWarnings("UnusedVariable") // one of the group is set, so that this is the one if no other is
        private boolean session;

        @Option(names = "--edit", paramLabel = "JSON", description = "With these arguments, all of them.")
        private @Nullable String arguments;
    }

    @Command(name = "approve", header = "Let a call run that asks, once.", description = {"",
        "'belay pending KEY-ID' prints what is asked. The first answer counts. No turn runs here: if no process has the"
                + " session, 'belay resume SESSION' goes on with it."})
    static final class Approve extends Read {

        @ArgGroup
        private @Nullable Scope scope;

        @Override
        ApprovalAnswer answer() {
            if (scope == null) {
                return ApprovalAnswer.once();
            }
            if (scope.arguments != null) {
                return ApprovalAnswer.edit(json("--edit", scope.arguments));
            }
            return scope.turn ? ApprovalAnswer.forTurn() : ApprovalAnswer.forSession();
        }
    }

    @Command(name = "deny", header = "Let a call not run that asks; the model reads your words.")
    static final class Deny extends Deciding {

        @Parameters(index = "1..*", arity = "0..*", paramLabel = "WORDS", description = "For the model.")
        private List<String> words = List.of();

        @Override
        ApprovalAnswer answer() {
            return ApprovalAnswer.deny(String.join(" ", words));
        }

        @Override
        String seen() {
            return "";
        }
    }

    @Command(name = "take-back", header = "Take an approval back whose call has not begun; the model reads your words.", description = {
        "",
        "The call does not run. What was approved for the turn or the session with it is revoked."})
    static final class TakeBack extends StoreVerb {

        @Parameters(index = "0", paramLabel = "KEY-ID", description = "The id of the request that was approved.")
        private String keyId = "";

        @Parameters(index = "1..*", arity = "0..*", paramLabel = "WORDS", description = "For the model.")
        private List<String> words = List.of();

        @Override
        protected int with(BelayClient client) {
            return tell(client.approvals().takeBack(keyId, String.join(" ", words)), "taken back: " + keyId);
        }
    }

    /** What is answered; one of them. */
    static final class Value {

        @Option(names = "--value", paramLabel = "JSON", description = "A value, as JSON.")
        private @Nullable String value;

        @Option(names = "--text", paramLabel = "TEXT", description = "A text.")
        private @Nullable String text;
    }

    @Command(name = "answer", header = "Answer in the place of a tool whose call asks, or a question of an MCP server.", description = {
        "",
        "The value is the result of the call; its body does not run. A value that does not fit the tool's output schema is"
                + " refused, and the call goes on waiting.",
        "",
        "'belay pending KEY-ID' prints a question of a server and the form of its answer."})
    static final class Answer extends Read {

        @ArgGroup(multiplicity = "1")
        private Value value = new Value();

        @Override
        ApprovalAnswer answer() {
            return ApprovalAnswer.answer(value());
        }

        private Json value() {
            return value.value != null
                    ? json("--value", value.value)
                    : Json.string(value.text == null ? "" : value.text);
        }

        @Override
        protected int with(BelayClient client) throws InterruptedException {
            if (client.approvals().find(keyId()).isEmpty()) {
                try {
                    return told(client.resolve(client.reissue(keyId()).token(), Resolution.ok(value())));
                } catch (BelayException none) {
                    if (!none.code().equals("unknown_wait")) {
                        throw none;
                    }
                }
            }
            return super.with(client);
        }
    }

    private static Json json(String option, String text) {
        try {
            return Json.of(text);
        } catch (JsonException e) {
            throw CommandProblem.usage(option + " takes JSON: " + e.getMessage() + ", found "
                    + Shown.inLine(text, SHOWN));
        }
    }
}

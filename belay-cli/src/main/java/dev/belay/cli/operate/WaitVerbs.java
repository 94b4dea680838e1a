package dev.belay.cli.operate;

import dev.belay.BelayException;
import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.TextTable;
import dev.belay.cli.shell.Times;
import dev.belay.cli.verb.StoreVerb;
import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.operate.OpenApproval;
import dev.belay.runtime.operate.PendingWait;
import dev.belay.schema.Shown;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commands about what waits for an answer. */
final class WaitVerbs {

    private static final int ARGUMENTS = 120;
    private static final int PAGE = 500;

    private WaitVerbs() {}

    @Command(name = "pending", header = "List what waits for an answer from outside, the longest first.", description = {
        "",
        "KEY ID is public. A call that asks (kind approval) is answered by 'belay approve', 'deny' or 'answer'; others by"
                + " 'belay resolve KEY-ID'. 'belay reissue KEY-ID' gives the whole key again.",
        "",
        "With a KEY-ID: everything that a call asks, and the digest that an answer names."})
    static final class ListPending extends StoreVerb {

        @Parameters(arity = "0..1", paramLabel = "KEY-ID", description = "Only this one, with all of it.")
        private @Nullable String keyId;

        @Option(names = "--limit", paramLabel = "N", defaultValue = "100", description = "At most so many. Default: ${DEFAULT-VALUE}.")
        private int limit;

        @Override
        protected int with(BelayClient client) {
            return keyId == null ? list(client) : show(client, keyId);
        }

        private int show(BelayClient client, String one) {
            OpenApproval open = client.approvals().find(one).orElse(null);
            if (open == null) {
                return showWait(client, one);
            }
            if (isJson()) {
                print(out -> out.name("key_id")
                        .value(open.keyId())
                        .name("expires")
                        .value(open.expires().toString())
                        .name("request")
                        .value(open.request().toJson())
                        .name("arguments")
                        .value(open.request().call().arguments()));
            } else {
                shell().out().quote(open.request().shown());
                shell().out().line("expires: " + Times.at(open.expires()));
                shell().out().line("digest: " + open.request().digest());
            }
            return ExitCode.DONE;
        }

        /** Something else than an approval: what is said about it. */
        private int showWait(BelayClient client, String one) {
            PendingWait wait = Pages.all(after -> client.pending(after, PAGE), Integer.MAX_VALUE)
                    .stream()
                    .filter(open -> open.keyId().equals(one))
                    .findFirst()
                    .orElseThrow(() -> CommandProblem.notFound("nothing waits under the key id \""
                            + Shown.inLine(one, ARGUMENTS) + "\"; 'belay pending' lists what waits"));
            if (isJson()) {
                json(wait);
                return ExitCode.DONE;
            }
            if (wait.tool() != null) {
                shell().out().remark("tool: " + wait.tool());
            }
            if (wait.session() != null) {
                shell().out().remark("session: " + wait.session());
            }
            if (wait.arguments() != null) {
                shell().out().line("arguments:");
                shell().out().quote(wait.arguments().compact());
            }
            if (wait.announcement() != null) {
                shell().out().quote(wait.announcement());
            }
            if (wait.deadline() != null) {
                shell().out().line("expires: " + Times.at(wait.deadline()));
            }
            return ExitCode.DONE;
        }

        /** What the tool has told people; else its arguments. */
        private static String about(PendingWait wait) {
            return wait.announcement() != null
                    ? Shown.inLine(wait.announcement(), ARGUMENTS)
                    : wait.arguments() == null ? "" : Shown.inLine(wait.arguments().compact(), ARGUMENTS);
        }

        private int list(BelayClient client) {
            var table = new TextTable("KEY ID", "KIND", "SESSION", "TOOL", "SINCE", "UNTIL", "ABOUT");
            Instant now = Instant.now();
            for (PendingWait wait : Pages.all(after -> client.pending(after, Math.max(1, limit)),
                    Math.max(1, limit))) {
                if (isJson()) {
                    json(wait);
                } else {
                    table.row(wait.keyId(), SessionForms.word(wait.kind()),
                            wait.session() == null ? "" : wait.session(),
                            wait.tool() == null ? "" : wait.tool(), Times.age(wait.since(), now),
                            wait.deadline() == null ? "" : Times.at(wait.deadline()), about(wait));
                }
            }
            if (!isJson()) {
                table.print(shell(), "nothing waits for an answer");
            }
            return ExitCode.DONE;
        }

        private void json(PendingWait wait) {
            print(out -> {
                out.name("key_id").value(wait.keyId()).name("kind").value(SessionForms.word(wait.kind()));
                if (wait.session() != null) {
                    out.name("session").value(wait.session().value());
                }
                if (wait.turn() != null) {
                    out.name("turn").value(wait.turn());
                }
                if (wait.tool() != null) {
                    out.name("tool").value(wait.tool());
                }
                if (wait.arguments() != null) {
                    out.name("arguments").value(wait.arguments());
                }
                out.name("since").value(wait.since().toString());
                if (wait.deadline() != null) {
                    out.name("until").value(wait.deadline().toString());
                }
                if (wait.announcement() != null) {
                    out.name("announcement").value(wait.announcement());
                }
            });
        }
    }

    /** How a wait is answered; one of them. */
    static final class Answer {

        @Option(names = "--value", paramLabel = "JSON", description = "With a value, as JSON.")
        private @Nullable String value;

        @Option(names = "--text", paramLabel = "TEXT", description = "With a text.")
        private @Nullable String text;

        @Option(names = "--fail", paramLabel = "TEXT", description = "With an error that the model reads.")
        private @Nullable String failure;

        @Option(names = "--cancel", paramLabel = "REASON", description = "By cancelling it.")
        private @Nullable String cancelled;

        Resolution resolution() {
            if (value != null) {
                try {
                    return Resolution.ok(Json.of(value));
                } catch (JsonException e) {
                    throw CommandProblem.usage("--value is no JSON: " + e.getMessage()
                            + ". For a text write --text, or put it into quotes: --value '\"yes\"'");
                }
            }
            if (text != null) {
                return Resolution.ok(Json.string(text));
            }
            return failure != null
                    ? Resolution.failed(failure)
                    : new Resolution.Cancelled(cancelled == null ? "" : cancelled);
        }
    }

    /** A command that answers what waits. */
    abstract static class Answering extends StoreVerb {

        /** For subclasses. */
        Answering() {}

        /** Says what came of an answer; the exit code. */
        final int told(Delivery delivery) {
            String word = switch (delivery) {
                case Delivery.Accepted accepted -> "accepted";
                case Delivery.Same same -> "same";
                case Delivery.Lost lost -> "lost";
                case Delivery.Refused refused -> "refused";
                case Delivery.Unknown unknown -> "unknown";
            };
            String sentence = switch (delivery) {
                case Delivery.Accepted accepted -> "answered";
                case Delivery.Same same -> "answered (it was so before)";
                case Delivery.Lost(Resolution winner) ->
                    "another answer came first: " + Shown.inLine(winner.toString(), ARGUMENTS);
                case Delivery.Refused(var violations) ->
                    "the value does not fit what the tool promises, and the call goes on waiting: "
                            + violations.message();
                case Delivery.Unknown unknown -> "no open wait has this key";
            };
            boolean done = delivery instanceof Delivery.Accepted || delivery instanceof Delivery.Same;
            if (isJson()) {
                print(out -> out.name("result").value(word).name("detail").value(sentence));
            } else if (done) {
                shell().out().remark(sentence);
            } else {
                shell().err().remark("belay: " + sentence);
            }
            return done
                    ? ExitCode.DONE
                    : delivery instanceof Delivery.Unknown ? ExitCode.NOT_FOUND : ExitCode.NOT_POSSIBLE;
        }
    }

    @Command(name = "resolve", header = "Answer what waits, by its whole key or by its key id.", description = {
        "",
        "The first answer wins. A value that does not fit the tool's output schema is refused, and the call goes on"
                + " waiting. A key id is turned into the key by a reissue, which stands in the audit log."})
    static final class Resolve extends Answering {

        @Parameters(paramLabel = "KEY", description = "The whole key, or an id of 'belay pending'.")
        private String key = "";

        @ArgGroup(multiplicity = "1", heading = "How it is answered:%n")
        private Answer answer = new Answer();

        @Override
        protected int with(BelayClient client) {
            if (key.isBlank()) {
                throw CommandProblem.usage("the key is empty; 'belay pending' lists key ids");
            }
            Resolution resolution = answer.resolution();
            Delivery delivery = client.resolve(key, resolution);
            if (delivery instanceof Delivery.Unknown) {
                delivery = client.resolve(token(client), resolution);
            }
            return told(delivery);
        }

        private String token(BelayClient client) {
            try {
                return client.reissue(key).token();
            } catch (BelayException unknown) {
                if (unknown.code().equals("unknown_wait")) {
                    throw CommandProblem.notFound("no open wait has this key or key id: "
                            + Shown.inLine(key, ARGUMENTS)
                            + ". It was answered before, or is wrong; 'belay pending' lists what waits");
                }
                throw unknown;
            }
        }
    }

    @Command(name = "reissue", header = "Give the whole key of a wait again, the same as before.", description = {
        "",
        "The holder of the key can answer. The reissue stands in the audit log."})
    static final class Reissue extends StoreVerb {

        @Parameters(paramLabel = "KEY-ID", description = "An id of 'belay pending'.")
        private String keyId = "";

        @Override
        protected int with(BelayClient client) {
            shell().out().line(client.reissue(keyId).token());
            return ExitCode.DONE;
        }
    }
}

package dev.belay.tests.policy;

import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.lastReplies;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.operate.OpenApproval;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.store.Actor;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.tests.kill.ParentWatch;
import dev.belay.tests.operate.OperatorBench;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;

/** A process that refunds, given port 0, or the process of a person who decides and has no tools, given port 1. */
public final class ApprovalProcess {

    static final int WORKS = 0;
    static final int DECIDES = 1;

    private ApprovalProcess() {}

    public static void main(String[] args) throws Exception {
        ParentWatch.begin();
        Path file = Path.of(args[0]);
        if (Integer.parseInt(args[1]) == DECIDES) {
            decide(file);
        } else {
            work(file);
        }
    }

    private static void work(Path file) throws Exception {
        Path refunds = file.resolveSibling("refunds");
        try (var bench = new ApprovalBench("memory", file.resolveSibling("records"))) {
            bench.body = (arguments, context) -> {
                Files.writeString(refunds, arguments.compact() + "\n", StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND);
                return "refunded " + arguments.get("amount").orElseThrow();
            };
            Belay belay = bench.tools(Belay.builder()
                    .model(model(request -> request.messages()
                            .stream()
                            .anyMatch(Message.ToolMessage.class::isInstance)
                                    ? text("done: " + lastReplies(request))
                                    : calls(List.of(ApprovalBench.call("a", "{\"amount\":250}")))))
                    .policy(ApprovalBench.ASKING)
                    .store(JdbcStore.sqlite(file)))
                    .build();
            System.out.println("ready");
            Thread.currentThread().join();
            belay.close();
        }
    }

    /** Obeys {@code submit SESSION}, {@code asked SESSION}, {@code await SESSION} and {@code once | edit | deny SESSION}. */
    private static void decide(Path file) throws Exception {
        try (BelayClient client = Belay.client(JdbcStore.existing(file)).as(new Actor("anna", "phone"));
                var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            System.out.println("ready");
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split(" ", 2);
                String session = words[1];
                System.out.println(switch (words[0]) {
                    case "submit" -> client.session(session).turn("Go.").id("in").submit().inputId();
                    case "asked" -> {
                        OperatorBench.until(() -> open(client, session).isPresent());
                        yield open(client, session).orElseThrow().request().preview();
                    }
                    case "await" -> client.session(session).input("in").orElseThrow().awaitCommit().text();
                    default -> {
                        OpenApproval open = open(client, session).orElseThrow();
                        yield client.approvals()
                                .decide(open.keyId(), open.request().digest(), switch (words[0]) {
                                    case "once" -> ApprovalAnswer.once();
                                    case "edit" -> ApprovalAnswer.edit(Json.of("{\"amount\":90}"));
                                    default -> ApprovalAnswer.deny("not today");
                                });
                    }
                });
            }
        }
    }

    private static Optional<OpenApproval> open(BelayClient client, String session) {
        return client.approvals()
                .open(null, 99)
                .items()
                .stream()
                .filter(one -> one.request().call().chain().getLast().equals(session))
                .findFirst();
    }
}

package dev.belay.tests.operate;

import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.lastReplies;
import static dev.belay.tests.session.SessionBench.text;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.Message.UserMessage;
import dev.belay.model.Model;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.tests.kill.ParentWatch;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.context.Reconciliation;
import dev.belay.tool.option.OnDoubt;
import dev.belay.tool.option.Timeouts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;

/**
 * A program that pays and then waits, whatever interrupts it. One that is told to ponder prints {@code asked} when a reconciler is asked, and
 * gives no answer. {@code TEXT} is an input with that id; the body prints {@code paying KEY}.
 * {@code release} lets bodies end, {@code close} closes the runtime and leaves the process and its bodies running.
 */
final class PaymentWorker {

    /** The argument of a worker whose reconcilers ponder. */
    private static final String PONDER = "1";

    private PaymentWorker() {}

    public static void main(String[] args) throws Exception {
        ParentWatch.begin();
        Path file = Path.of(args[0]);
        var released = new CountDownLatch(1);
        Belay belay = Belay.builder()
                .model(MODEL)
                .store(JdbcStore.sqlite(file))
                .start(false)
                .tools(tools(Duration.ofMillis(50), context -> {
                    book(file, context);
                    System.out.println("paying " + context.completionKey().token());
                    awaitWhatever(released);
                }, () -> {
                    if (args[1].equals(PONDER)) {
                        System.out.println("asked");
                        awaitWhatever(released);
                    }
                }))
                .build();
        System.out.println("ready");
        belay.start();
        var commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            switch (line) {
                case "release" -> released.countDown();
                case "close" -> {
                    belay.close(Duration.ZERO);
                    System.out.println("closed");
                }
                default -> belay.session("s").turn(line).id(line).submit();
            }
        }
    }

    /** What a body does before it answers. */
    interface Paying {

        void pay(ToolContext context) throws Exception;
    }

    /** Makes the call that the user names; told something else, says what it has heard of late results and settlements. */
    static final Model MODEL = SessionBench.model(request -> {
        if (!(lastBesideNotes(request.messages()) instanceof UserMessage)) {
            return text("done: " + lastReplies(request));
        }
        String asked = said(request.messages());
        return asked.startsWith("pay")
                ? calls(List.of(new CallPart("c" + request.messages().size(), asked, "{\"to\":\"ann\"}")))
                : text("heard: " + request.messages()
                        .stream()
                        .filter(UserMessage.class::isInstance)
                        .map(message -> ((UserMessage) message).text())
                        .filter(said -> said.startsWith("Note "))
                        .collect(Collectors.joining(" | ")));
    });

    private static Message lastBesideNotes(List<Message> messages) {
        return messages.reversed()
                .stream()
                .filter(message -> !(message instanceof UserMessage note && note.text().startsWith("Note ")))
                .findFirst()
                .orElseThrow();
    }

    private static String said(List<Message> messages) {
        return messages.reversed()
                .stream()
                .filter(UserMessage.class::isInstance)
                .map(message -> ((UserMessage) message).text())
                .filter(said -> !said.startsWith("Note "))
                .findFirst()
                .orElseThrow();
    }

    private static ToolDefinition tool(String name) {
        return ToolDefinition
                .raw(name, "Pays.", Json.of("{\"type\":\"object\"}"), Json.of("{\"type\":\"string\"}"))
                .effect(ToolEffect.ONCE);
    }

    static StaticToolProvider tools(Duration time, Paying paying) {
        return tools(time, paying, () -> {});
    }

    /**
     * {@code pay}; {@code pay-checked}, whose reconciler says that it did not happen; {@code pay-soon}, which has
     * little time; {@code pay-held}, which is held if it has not enough; {@code pay-unknown}, which is held because its reconciler does not
     * know; {@code pay-behind}, which has a process call {@code pay}.
     *
     * @param time what the two with little time have
     * @param asked runs before a reconciler answers
     */
    private static StaticToolProvider tools(Duration time, Paying paying, Runnable asked) {
        ToolDefinition checked = tool("pay-checked").reconciler(recorded -> {
            asked.run();
            return Reconciliation.didNotHappen("the bank has no such payment");
        });
        ToolDefinition unknown = tool("pay-unknown").onDoubt(OnDoubt.HOLD).reconciler(recorded -> {
            asked.run();
            return Reconciliation.unknown();
        });
        ToolDefinition soon = tool("pay-soon").timeouts(new Timeouts(time, null));
        ToolDefinition held = tool("pay-held").onDoubt(OnDoubt.HOLD).timeouts(new Timeouts(time, null));
        var tools = StaticToolProvider.builder();
        for (ToolDefinition tool : List.of(tool("pay"), checked, soon, held, unknown)) {
            tools.raw(tool, (arguments, context) -> {
                paying.pay(context);
                return "R-1";
            });
        }
        tools.raw(tool("pay-behind").effect(ToolEffect.IDEMPOTENT),
                (arguments, context) -> ((SessionToolContext) context).processes()
                        .start("pay", ProcessStart.tool("pay", arguments))
                        .awaitEnd()
                        .summary());
        return tools.build();
    }

    /** Writes a payment into the book of the bank. */
    static void book(Path file, ToolContext context) throws IOException {
        Files.writeString(book(file), context.idempotencyKey().value() + "\n", StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    static Path book(Path file) {
        return file.resolveSibling("bank");
    }

    private static void awaitWhatever(CountDownLatch released) {
        boolean waits = true;
        while (waits) {
            try {
                released.await();
                waits = false;
            } catch (InterruptedException e) {
                // a client of a bank that never looks
            }
        }
    }
}

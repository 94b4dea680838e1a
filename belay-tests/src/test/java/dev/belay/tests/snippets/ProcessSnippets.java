package dev.belay.tests.snippets;

import dev.belay.json.Json;
import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.process.DurableProcess;
import dev.belay.runtime.process.ProcessEnd;
import dev.belay.runtime.process.ProcessInfo;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.process.Recovery;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.runtime.store.ProcessEvent;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolEffect;
import java.nio.file.Path;

/** The code of {@code docs/processes.md}. */
final class ProcessSnippets {

    private ProcessSnippets() {}

    // region body
    static Belay open(Model model, Path file) {
        return Belay.builder()
                .model(model)
                .store(JdbcStore.sqlite(file))
                .process("nightly-report", (context, input) -> {
                    Json figures = context.durable()
                            .run("figures", input, ToolEffect.READ, month -> Json.of("[1, 2, 3]")); // recorded, so computed once
                    context.emit("page", figures); // added once, however often the body is entered
                    Json approval = context.awaitSignal("approve"); // may take days, and holds no thread
                    return Json.string("sent to " + approval.asString());
                })
                .build();
    }
    // endregion

    // region handle
    static ProcessEnd report(Belay belay) throws InterruptedException {
        DurableProcess report = belay.processes()
                .start(ProcessStart.body("nightly-report", Json.of("{\"month\": 7}"))
                        .id("report-7") // a second start attaches to the same process
                        .grantTo("order-42")); // that session may handle it, and gets its end
        System.out.println(report.status()); // RUNNING, then WAITING
        report.signal("approve", Json.string("the board")); // kept if the body does not wait yet
        return report.awaitEnd(); // Completed, Failed, Cancelled or Abandoned; await() also tells of a rest
    }
    // endregion

    // region events
    static long follow(Belay belay, String id, long cursor) {
        long last = cursor;
        for (ProcessEvent event : belay.processes().get(id).events(cursor, 100)) {
            System.out.println(event.type() + " " + event.payload());
            last = event.place();
        }
        return last; // the next cursor
    }
    // endregion

    // region kinds
    static void kinds(Belay belay) {
        belay.processes()
                .start(ProcessStart.tool("refund", Json.of("{\"order\": 42}")).recovery(Recovery.NEVER));
        belay.processes().start(ProcessStart.turn("order-42", "Summarize this order.").id("summary-42"));
        belay.processes().start(ProcessStart.external("print", Json.of("{\"pages\": 3}")).id("print-7"));
    }

    static void printed(Belay belay) { // in the program that prints, or in its webhook
        DurableProcess print = belay.processes().get("print-7");
        print.tell("page-1", "printed", Json.number(1)); // a second tell with this key adds nothing
        print.complete(Json.string("3 pages"));
    }
    // endregion

    // region tool
    static class Reports {

        /**
         * Starts the report of a month and says when it is done.
         *
         * @param month which month
         */
        @Tool(effect = ToolEffect.IDEMPOTENT, resumable = true)
        String report(int month, SessionToolContext context) throws InterruptedException {
            DurableProcess report = context.processes()
                    .start("report", ProcessStart.body("nightly-report", Json.number(month)));
            return report.awaitEnd().summary(); // a step: the turn parks until the report has ended
        }

        /**
         * Approves a report that this conversation may handle.
         *
         * @param id the report
         */
        @Tool(effect = ToolEffect.IDEMPOTENT)
        String approve(String id, SessionToolContext context) {
            context.processes().get(id).signal("approve", Json.string("the user"), "approval"); // else process_not_granted
            return "approved";
        }
    }
    // endregion

    // region operate
    static void operate(Belay belay) {
        for (ProcessInfo info : belay.processes().list(0, 100)) {
            System.out.println(info.id() + " " + info.work().name() + " " + info.status());
        }
        for (ProcessInfo stuck : belay.processes().stuck()) {
            System.out.println(stuck.id() + ": " + stuck.stuckBecause());
            belay.processes().retry(stuck.id()); // or abandon(stuck.id(), "it cannot be repaired")
        }
    }
    // endregion
}

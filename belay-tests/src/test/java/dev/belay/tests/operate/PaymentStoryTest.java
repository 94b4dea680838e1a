package dev.belay.tests.operate;

import static dev.belay.tests.operate.OperatorBench.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.journal.Doubt;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.tests.kill.WorkerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The story of a payment in doubt, with processes: one pays and is killed or stopped, another goes on, a client settles. */
@Timeout(120)
class PaymentStoryTest {

    @TempDir
    private Path folder;
    private Path file = Path.of(".");

    @BeforeEach
    void names() {
        file = folder.resolve("belay.db");
    }

    private WorkerProcess worker() throws IOException {
        return new WorkerProcess(PaymentWorker.class, file, 0);
    }

    /** A program that goes on where the worker was. */
    private Belay next() {
        return Belay.builder()
                .model(PaymentWorker.MODEL)
                .store(JdbcStore.sqlite(file))
                .tools(PaymentWorker.tools(Duration.ofMinutes(1),
                        context -> PaymentWorker.book(file, context)))
                .build();
    }

    private BelayClient client() {
        return Belay.client(JdbcStore.existing(file));
    }

    /** Pays in a process that is killed while it does; the key of the call. */
    private String killedWhileItPays() throws IOException {
        try (WorkerProcess worker = worker()) {
            worker.tell("pay");
            String token = paying(worker);
            worker.kill();
            return token;
        }
    }

    private static String paying(WorkerProcess worker) throws IOException {
        return worker.hear().substring("paying ".length());
    }

    private static String say(Belay belay, String what) throws InterruptedException {
        return belay.session("s").turn(what).run().ended().text();
    }

    private List<String> payments() throws IOException {
        return Files.readAllLines(PaymentWorker.book(file));
    }

    /** The model was told, has tried again, and was refused. */
    private Doubt refused(Belay belay) throws Exception {
        assertThat(belay.session("s").input("pay").orElseThrow().awaitCommit().text())
                .contains("Error (in_doubt)");
        Doubt doubt = belay.doubts().open(0, 9).getFirst();
        assertThat(say(belay, "pay")).contains("Error (doubt_unsettled)").contains(doubt.id());
        assertThat(payments()).containsExactly(doubt.about().call().idempotencyKey());
        return doubt;
    }

    @Test
    void paymentThatHappenedIsToldOnceAndMayBeMadeAgain() throws Exception {
        killedWhileItPays();
        try (Belay belay = next(); BelayClient client = client()) {
            Doubt doubt = refused(belay);
            assertThat(client.as(new Actor("anna", "console"))
                    .doubts()
                    .happened(doubt.id(), Json.string("R-7"), "found at the bank"))
                    .isEqualTo(VerbResult.DONE);
            assertThat(say(belay, "And?")).containsOnlyOnce("has ended after all: R-7");
            assertThat(say(belay, "So?")).containsOnlyOnce("R-7");
            assertThat(say(belay, "pay")).isEqualTo("done: R-1");
            assertThat(payments()).hasSize(2);
            assertThat(client.audit(0, 9)).singleElement()
                    .satisfies(
                            entry -> assertThat(entry.note().by()).isEqualTo(new Actor("anna", "console")));
        }
    }

    @Test
    void paymentThatDidNotHappenMayBeMadeAgain() throws Exception {
        killedWhileItPays();
        try (Belay belay = next(); BelayClient client = client()) {
            Doubt doubt = refused(belay);
            assertThat(client.doubts().didNotHappen(doubt.id(), "the bank has none"))
                    .isEqualTo(VerbResult.DONE);
            assertThat(say(belay, "pay")).isEqualTo("done: R-1");
            assertThat(payments()).hasSize(2).doesNotHaveDuplicates();
            assertThat(say(belay, "And?")).contains("the bank has none");
        }
    }

    @Test
    void webhookThatComesAfterTheCommitSettlesThePayment() throws Exception {
        String token = killedWhileItPays();
        try (Belay belay = next(); BelayClient client = client()) {
            refused(belay);
            assertThat(client.resolve(token, Resolution.ok(Json.string("R-9"))))
                    .isEqualTo(new Delivery.Accepted());
            assertThat(client.doubts().open(0, 9)).isEmpty();
            assertThat(say(belay, "And?")).contains("has ended after all: R-9");
            assertThat(say(belay, "pay")).isEqualTo("done: R-1");
        }
    }

    @Test
    void paymentThatEndsLateSettlesItself() throws Exception {
        try (WorkerProcess worker = worker(); BelayClient client = client()) {
            worker.tell("pay-soon");
            paying(worker);
            assertThat(client.session("s").input("pay-soon").orElseThrow().awaitCommit().text())
                    .contains("Error (tool_timeout)");
            assertThat(client.doubts().open(0, 9)).hasSize(1);
            assertThat(client.session("s").turn("pay-soon").run().ended().text())
                    .contains("Error (doubt_unsettled)");
            worker.tell("release");
            until(() -> client.doubts().open(0, 9).isEmpty());
            assertThat(client.session("s").turn("And?").run().ended().text())
                    .containsOnlyOnce("has ended after all: R-1");
            assertThat(payments()).hasSize(1);
        }
    }

    /** The runtime of the first process is closed, and its body still runs there. */
    @Test
    void paymentThatAReconcilerDeniesIsNotMadeTwiceWhileItsFirstBodyRuns() throws Exception {
        try (WorkerProcess worker = worker()) {
            worker.tell("pay-checked");
            paying(worker);
            worker.tell("close");
            assertThat(worker.hear()).isEqualTo("closed");
            try (Belay belay = next()) {
                assertThat(belay.session("s").input("pay-checked").orElseThrow().awaitCommit().text())
                        .contains("Error (did_not_happen)")
                        .contains("the bank has no such payment");
                assertThat(belay.doubts().open(0, 9)).isEmpty();
                assertThat(payments()).hasSize(1);
            }
        }
    }

    /** A payment that is held because it ran out of time; its body ignores that. */
    private String held(WorkerProcess worker, BelayClient client) throws IOException {
        worker.tell("pay-held");
        paying(worker);
        until(() -> !client.pending(null, 9).items().isEmpty());
        return client.doubts().open(0, 9).getFirst().id();
    }

    @Test
    void heldPaymentIsMadeOnceMoreIfTheProcessOfItsBodyIsDead() throws Exception {
        try (WorkerProcess worker = worker(); BelayClient client = client()) {
            String id = held(worker, client);
            worker.kill();
            assertThat(client.doubts().didNotHappen(id, "the bank has none")).isEqualTo(VerbResult.DONE);
            try (Belay belay = next()) {
                assertThat(belay.session("s").input("pay-held").orElseThrow().awaitCommit().text())
                        .isEqualTo("done: R-1");
                assertThat(payments()).hasSize(2);
            }
        }
    }

    @Test
    void heldPaymentIsNotMadeOnceMoreWhileTheProcessOfItsBodyLives() throws Exception {
        try (WorkerProcess worker = worker(); BelayClient client = client()) {
            String id = held(worker, client);
            assertThat(client.doubts().didNotHappen(id, "the bank has none")).isEqualTo(VerbResult.DONE);
            assertThat(client.session("s").input("pay-held").orElseThrow().awaitCommit().text())
                    .contains("Error (tool_timeout)")
                    .contains("the bank has none");
            assertThat(payments()).hasSize(1);
        }
    }

    @Test
    void paymentThatAReconcilerDeniesIsMadeOnceMoreIfItsProcessIsDead() throws Exception {
        try (WorkerProcess worker = worker()) {
            worker.tell("pay-checked");
            paying(worker);
            worker.kill();
        }
        try (Belay belay = next()) {
            assertThat(belay.session("s").input("pay-checked").orElseThrow().awaitCommit().text())
                    .isEqualTo("done: R-1");
            assertThat(payments()).hasSize(2);
            assertThat(payments().stream().distinct()).as("under the same key").hasSize(1);
        }
    }

    /** Pays in a process that is killed, and lets others be killed while they ask how that has ended. */
    private void killedOverAndOver(String pay) throws IOException {
        try (WorkerProcess worker = worker()) {
            worker.tell(pay);
            paying(worker);
            worker.kill();
        }
        for (int n = 0; n < 2; n++) {
            try (WorkerProcess worker = new WorkerProcess(PaymentWorker.class, file, 1)) {
                assertThat(worker.hear()).isEqualTo("asked");
                worker.kill();
            }
        }
        assertThat(payments()).hasSize(1);
    }

    @Test
    void paymentThatAReconcilerDeniesIsMadeOnceMoreAfterManyDeaths() throws Exception {
        killedOverAndOver("pay-checked");
        try (Belay belay = next()) {
            assertThat(belay.session("s").input("pay-checked").orElseThrow().awaitCommit().text())
                    .isEqualTo("done: R-1");
            assertThat(payments()).hasSize(2);
            assertThat(payments().stream().distinct()).as("under the same key").hasSize(1);
        }
    }

    @Test
    void paymentThatAPersonDeniesIsMadeOnceMoreAfterManyDeaths() throws Exception {
        killedOverAndOver("pay-unknown");
        try (Belay belay = next(); BelayClient client = client()) {
            until(() -> !client.doubts().open(0, 9).isEmpty());
            Doubt doubt = client.doubts().open(0, 9).getFirst();
            assertThat(doubt.about().isOver()).isTrue();
            assertThat(client.doubts().didNotHappen(doubt.id(), "the bank has none"))
                    .isEqualTo(VerbResult.DONE);
            assertThat(belay.session("s").input("pay-unknown").orElseThrow().awaitCommit().text())
                    .isEqualTo("done: R-1");
            assertThat(payments()).hasSize(2);
        }
    }

    @Test
    void paymentThatAProcessOfItsSessionMadeIsNotMadeAgain() throws Exception {
        try (WorkerProcess worker = worker()) {
            worker.tell("pay-behind");
            paying(worker);
            worker.kill();
        }
        try (Belay belay = next()) {
            assertThat(belay.session("s").input("pay-behind").orElseThrow().awaitCommit().text())
                    .contains("Error (in_doubt)");
            Doubt doubt = belay.doubts().open(0, 9).getFirst();
            for (String again : List.of("pay", "pay-behind")) {
                assertThat(say(belay, again)).contains("Error (doubt_unsettled)").contains(doubt.id());
            }
            assertThat(payments()).containsExactly(doubt.about().call().idempotencyKey());
            assertThat(belay.doubts().didNotHappen(doubt.id(), "the bank has none"))
                    .isEqualTo(VerbResult.DONE);
            assertThat(say(belay, "pay")).isEqualTo("done: R-1");
        }
    }
}

package dev.belay.runtime.store.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.operate.WaitsFor;
import dev.belay.runtime.process.ProcessInfo;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.ProcessScope;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.journal.Pause.Target;
import dev.belay.runtime.store.rows.Commits;
import dev.belay.runtime.store.rows.ForwardingCommits;
import dev.belay.runtime.store.rows.Look;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.Unit;
import dev.belay.tests.Intercepted;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Contract V.8: a page of each list shows one moment. That one read does so on every store is the promise of {@code RowsContract}. */
class OneMomentTest {

    private final SharedMemory memory = new SharedMemory();
    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicInteger rows = new AtomicInteger();
    private @Nullable Runnable afterRead;
    private final StoreDriver other = new StoreDriver(memory.open());
    private final BelayClient writer = Belay.client(memory.open());
    private final BelayClient client = Belay.client(
            Store.existing(new Interrupted(new MemoryCommits(memory, "reader", JournalProbe.NONE)),
                    new Random(7), false, List.of()));

    /** Lets another owner write after a read. */
    private final class Interrupted extends ForwardingCommits {

        Interrupted(Commits commits) {
            super(commits);
        }

        @Override
        public <T extends @Nullable Object> T read(Operation<T> read) {
            Look counting = Intercepted.of(Look.class, memory.look(), (method, real) -> {
                Object answer = real.call();
                rows.addAndGet(answer instanceof List<?> list ? list.size() : 1);
                return answer;
            });
            T answer = super.read(
                    Operation.reading(read.first(), unit -> read.decide().apply(new Unit(counting))));
            reads.incrementAndGet();
            Runnable write = afterRead;
            afterRead = null;
            if (write != null) {
                write.run();
            }
            return answer;
        }
    }

    @BeforeEach
    void begin() {
        writer.session("s").turn("go").submit();
        for (String id : List.of("p", "q")) {
            writer.processes().start(ProcessStart.tool("pay", Json.EMPTY_OBJECT).id(id).grantTo("s"));
        }
    }

    @AfterEach
    void close() {
        client.close();
        writer.close();
        other.close();
    }

    /** What a list says if another owner writes between its reads, if it has several. */
    private <T> T meanwhile(Runnable write, Supplier<T> list) {
        afterRead = write;
        T page = list.get();
        assertThat(afterRead).as("was written").isNull();
        return page;
    }

    private void stick(String process) {
        assertThat(other
                .stop(ProcessScope.id(new ProcessId(process)), "it does not go on", Instant.EPOCH)).isTrue();
    }

    @Test
    void sessionsAndTheirPauses() {
        var before = client.sessions(null, 9);
        assertThat(before.items()).singleElement()
                .satisfies(entry -> assertThat(entry.waits()).extracting(WaitsFor::what)
                        .isEqualTo(WaitsFor.For.PROCESS));
        assertThat(meanwhile(() -> writer.pause(Target.session("s"), "wait"),
                () -> client.sessions(null, 9))).isEqualTo(before);
        assertThat(client.sessions(null, 9)).isNotEqualTo(before);
    }

    @Test
    void processesAndTheirPauses() {
        List<ProcessInfo> before = client.processes().list(0, 9);
        assertThat(before).hasSize(2);
        assertThat(meanwhile(() -> writer.pause(Target.EVERYTHING, "wait"),
                () -> client.processes().list(0, 9))).isEqualTo(before);
        assertThat(client.processes().list(0, 9)).isNotEqualTo(before);
    }

    @Test
    void processesThatAreStuck() {
        stick("p");
        stick("q");
        var before = client.processes().stuck(null, 9);
        assertThat(before.items()).extracting(info -> info.id().value()).containsExactly("p", "q");
        assertThat(meanwhile(() -> writer.processes().retry(new ProcessId("q")),
                () -> client.processes().stuck(null, 9))).isEqualTo(before);
        assertThat(client.processes().stuck(null, 9).items()).hasSize(1);
    }

    @Test
    void pagesOfStuckProcessesFollowEachOther() {
        stick("p");
        stick("q");
        var first = client.processes().stuck(null, 1);
        assertThat(first.items()).extracting(info -> info.id().value()).containsExactly("p");
        var second = client.processes().stuck(first.next(), 1);
        assertThat(second.items()).extracting(info -> info.id().value()).containsExactly("q");
        assertThat(client.processes().stuck(second.next(), 1).items()).isEmpty();
    }

    /** Its names are read before: a page that was overtaken is read again. */
    @Test
    void processesOfASession() {
        List<ProcessInfo> after = meanwhile(() -> {
            writer.processes()
                    .start(ProcessStart.tool("pay", Json.EMPTY_OBJECT).id("r").grantTo("s"));
            stick("p");
        }, () -> client.processes().list("s", 0, 9));
        assertThat(after).isEqualTo(client.processes().list("s", 0, 9)).hasSize(3);
    }

    @Test
    void everyOtherListIsOneRead() {
        List<Supplier<?>> lists = List.of(() -> client.pending(null, 9), () -> client.doubts().open(0, 9),
                () -> client.approvals().open(null, 9), () -> client.stuck(null, 9),
                () -> client.openTurns(null, 9), () -> client.audit(0, 9), () -> client.pauses());
        for (int i = 0; i < lists.size(); i++) {
            reads.set(0);
            var unused = lists.get(i).get();
            assertThat(reads).as("list " + i).hasValue(1);
        }
    }

    /** An index finds the rows of each; that none scans its table is shown by {@code QueryPlansTest}. */
    @Test
    void aPageLoadsAsManyRowsHoweverManyThereAre() {
        List<Supplier<?>> lists = List.of(() -> client.sessions(null, 2), () -> client.processes().list(0, 2),
                () -> client.processes().stuck(null, 2), () -> client.audit(0, 2));
        more(3);
        List<Integer> before = lists.stream().map(this::loadedBy).toList();
        assertThat(before).doesNotContain(0);
        more(30);
        assertThat(lists.stream().map(this::loadedBy).toList()).isEqualTo(before);
    }

    private void more(int count) {
        for (int i = 0; i < count; i++) {
            String id = "n" + count + "-" + i;
            writer.session(id).turn("go").submit();
            writer.session(id).close();
            writer.processes().start(ProcessStart.tool("pay", Json.EMPTY_OBJECT).id(id).grantTo(id));
            stick(id);
        }
    }

    private int loadedBy(Supplier<?> list) {
        rows.set(0);
        var unused = list.get();
        return rows.get();
    }
}

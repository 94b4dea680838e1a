package dev.belay.laws.journal;

import static dev.belay.laws.journal.JournalBench.LIMIT;
import static dev.belay.laws.journal.JournalBench.RESULT;
import static dev.belay.laws.journal.JournalBench.at;
import static dev.belay.laws.journal.JournalBench.completed;
import static dev.belay.laws.journal.JournalBench.effect;
import static dev.belay.laws.journal.JournalBench.present;
import static dev.belay.laws.journal.JournalBench.start;
import static dev.belay.laws.journal.JournalBench.together;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.KeptBytes;
import dev.belay.testkit.Together;
import dev.belay.testkit.Trap;
import dev.belay.tool.context.Attachments.Reference;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Attachments are stored once, by content, as long as a scope refers to them, and only such a scope can read them (M.3, T.4). */
interface AttachmentPromises extends JournalPromises {

    /** Three bytes. */
    KeptBytes ABC = KeptBytes.of(new byte[]{'a', 'b', 'c'}, "text/plain");
    /** Their SHA-256, as the standard gives it. */
    String ABC_HASH = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    /** More bytes than fit into a commit with other writes. */
    KeptBytes LARGE = KeptBytes.of("x".repeat(70_000).getBytes(StandardCharsets.UTF_8), "text/plain");
    /** Their SHA-256, as {@code sha256sum} gives it. */
    String LARGE_HASH = "bca09f4a757d5571c7d9f3341d4301f3c391c090826acc1a3013c6bcb7c01722";

    private static byte[] random(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    private static void keep(StoreDriver journal, Claim claim, String keeper, KeptBytes bytes, int second) {
        assertThat(journal.keep(claim, keeper, bytes, at(second))).isTrue();
    }

    /** Ends a scope and deletes its records. */
    private static int forget(StoreDriver journal, Claim claim) {
        assertThat(journal.end(claim, RESULT, at(50))).isTrue();
        return journal.collectEffects(at(99));
    }

    @Test
    default void bytesAreNamedByTheirHash() {
        StoreDriver journal = bench().open();
        keep(journal, start(journal, "s"), "s", ABC, 1);
        keep(journal, start(journal, "t"), "t", LARGE, 1);

        assertThat(journal.kept("s", new Reference(ABC_HASH, "text/plain", 3)))
                .hasValueSatisfying(bytes -> assertThat(bytes).containsExactly('a', 'b', 'c'));
        assertThat(journal.kept("t", new Reference(LARGE_HASH, "text/plain", 70_000))).isPresent();
    }

    @Test
    default void bytesOfAnySizeAreReadInFullBySomebodyElse() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        for (int size : new int[]{1, 64 << 10, (64 << 10) + 1, 3 << 20, 64 << 20}) {
            byte[] bytes = random(size);
            KeptBytes kept = KeptBytes.of(bytes, "application/octet-stream");
            keep(journal, claim, "s", kept, 1);
            byte[] found = bench().open().kept("s", kept.reference()).orElseThrow();
            assertThat(Arrays.equals(found, bytes)).as("all %s of them", size).isTrue();
        }
    }

    @Test
    default void onlyTheExactReferenceIsAnswered() {
        StoreDriver journal = bench().open();
        keep(journal, start(journal, "s"), "s", ABC, 1);
        start(journal, "t");

        assertThat(journal.kept("t", ABC.reference())).as("another keeper").isEmpty();
        assertThat(journal.kept("", ABC.reference())).as("no keeper").isEmpty();
        assertThat(journal.kept("s/", ABC.reference())).as("a longer name").isEmpty();
        assertThat(journal.kept("s", new Reference(ABC_HASH, "text/html", 3))).as("another type").isEmpty();
        assertThat(journal.kept("s", new Reference(ABC_HASH, "text/plain", 4))).as("another size").isEmpty();
        assertThat(journal.kept("s", new Reference(LARGE_HASH, "text/plain", 3))).as("another hash")
                .isEmpty();
    }

    @Test
    default void changingAnArrayChangesNothing() {
        StoreDriver journal = bench().open();
        byte[] given = {1, 2, 3};
        KeptBytes kept = KeptBytes.of(given, "a/b");
        given[0] = 9;
        keep(journal, start(journal, "s"), "s", kept, 1);
        given[1] = 9;
        journal.kept("s", kept.reference()).orElseThrow()[2] = 9;

        assertThat(journal.kept("s", kept.reference()).orElseThrow()).containsExactly(1, 2, 3);
    }

    @Test
    default void sameBytesAgainAreNoWrite() {
        var trap = new Trap();
        StoreDriver journal = bench().open(trap);
        Claim claim = start(journal, "s");
        keep(journal, claim, "s", ABC, 1);
        trap.listen();
        keep(journal, claim, "s", ABC, 2);
        assertThat(trap.heard()).isEmpty();

        journal.giveBack(claim, at(3));
        assertThat(journal.keep(claim, "s", ABC, at(4))).as("kept, whoever asks").isTrue();
    }

    @Test
    default void bytesAreStoredOnceForAllWhoKeepThem() {
        StoreDriver journal = bench().open();
        Claim one = start(journal, "s");
        Claim other = start(journal, "t");
        keep(journal, one, "s", ABC, 1);
        keep(journal, one, "s", KeptBytes.of(ABC.bytes(), "text/html"), 1);
        keep(journal, other, "t", ABC, 1);
        assertThat(forget(journal, one)).as("two references").isEqualTo(2);
        assertThat(journal.collectOutputs(at(99))).as("one still keeps them").isZero();
        assertThat(journal.kept("t", ABC.reference())).isPresent();

        assertThat(forget(journal, other)).isEqualTo(1);
        assertThat(journal.collectOutputs(at(99))).as("they are there once").isEqualTo(1);
        assertThat(journal.collectOutputs(at(99))).isZero();
    }

    @Test
    default void whatAScopeKeepsGoesWithItsRecordsAndNotBefore() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        keep(journal, claim, "s", LARGE, 1);
        assertThat(journal.collectOutputs(at(99))).isZero();
        journal.write(claim, completed("a", RESULT));
        journal.end(claim, RESULT, at(50));
        assertThat(journal.collectEffects(at(50))).as("too young").isZero();
        assertThat(journal.collectOutputs(at(99))).isZero();
        assertThat(journal.kept("s", LARGE.reference())).isPresent();

        assertThat(journal.collectEffects(at(51))).as("a record and a reference").isEqualTo(2);
        assertThat(journal.kept("s", LARGE.reference())).isEmpty();
        assertThat(journal.collectOutputs(at(99))).isEqualTo(1);
        assertThat(journal.collectEffects(at(99))).as("nothing is left").isZero();
    }

    @Test
    default void whatScopesKeepTogetherOutlivesTheRecordsOfEach() {
        StoreDriver journal = bench().open();
        Claim one = start(journal, "group/1");
        Claim other = start(journal, "group/2");
        keep(journal, one, "group/", ABC, 1);
        forget(journal, one);
        forget(journal, other);
        assertThat(journal.collectOutputs(at(99))).isZero();

        assertThat(bench().open().kept("group/", ABC.reference())).isPresent();
    }

    @Test
    default void attachmentAndResultOfTheSameContentDoNotHarmEachOther() {
        StoreDriver journal = bench().open();
        Json result = Json.string("r".repeat(70_000));
        KeptBytes same = KeptBytes.of(result.text().getBytes(StandardCharsets.UTF_8), "application/json");
        Claim record = start(journal, "s");
        journal.write(record, completed("a", result));
        Claim keeper = start(journal, "t");
        keep(journal, keeper, "t", same, 1);
        assertThat(effect(journal, "s", "a").result()).isEqualTo(result);
        forget(journal, keeper);
        journal.collectOutputs(at(99));
        assertThat(effect(journal, "s", "a").result()).as("the record still refers to it").isEqualTo(result);

        keep(journal, start(journal, "u"), "u", same, 1);
        forget(journal, record);
        assertThat(journal.collectOutputs(at(99))).isZero();
        assertThat(journal.kept("u", same.reference())).hasValueSatisfying(
                bytes -> assertThat(new String(bytes, StandardCharsets.UTF_8)).isEqualTo(result.text()));
    }

    @Test
    default void youngBytesStay() {
        StoreDriver journal = bench().open();
        Claim one = start(journal, "s");
        Claim other = start(journal, "t");
        keep(journal, one, "s", ABC, 10);
        keep(journal, other, "t", ABC, 20);
        forget(journal, one);
        forget(journal, other);

        assertThat(journal.collectOutputs(at(15))).as("kept again at 20").isZero();
        assertThat(journal.collectOutputs(at(20))).isZero();
        assertThat(journal.collectOutputs(at(21))).isEqualTo(1);
    }

    @Test
    default void fencedClaimKeepsNothing() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        journal.giveBack(claim, at(1));
        for (KeptBytes bytes : List.of(ABC, LARGE)) {
            assertThat(journal.keep(claim, "s", bytes, at(2))).isFalse();
            assertThat(journal.kept("s", bytes.reference())).isEmpty();
        }
        journal.collectOutputs(at(99));
        assertThat(journal.collectOutputs(at(99))).isZero();
    }

    @Test
    default void keepingIsNoProgressOfTheScope() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        keep(journal, claim, "s", ABC, 1);

        assertThat(present(journal.reenter(claim, LIMIT, at(2)).orElse(null)).entries()).isEqualTo(2);
    }

    @Test
    default void manyMayKeepAtOnce() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        List<Callable<Boolean>> threads = new ArrayList<>();
        for (int thread = 0; thread < 8; thread++) {
            int own = thread;
            threads.add(() -> {
                for (int i = 0; i < bench().rounds(); i++) {
                    keep(journal, claim, "s", KeptBytes.of(new byte[]{1, (byte) i}, "a/b"), 1);
                    keep(journal, claim, "s", KeptBytes.of(new byte[]{2, (byte) own, (byte) i}, "a/b"), 1);
                }
                return true;
            });
        }
        Together.run(threads);
        assertThat(forget(journal, claim)).isEqualTo(9 * bench().rounds());
        assertThat(journal.collectOutputs(at(99))).isEqualTo(9 * bench().rounds());
    }

    @Test
    default void collectorCannotRaceAKeeper() {
        StoreDriver journal = bench().open();
        StoreDriver collector = bench().open();
        var done = new AtomicBoolean();
        together(() -> {
            try {
                for (int i = 0; i < bench().rounds(); i++) {
                    KeptBytes bytes = i % 2 == 0 ? LARGE : ABC;
                    Claim claim = start(journal, "s" + i);
                    keep(journal, claim, "s" + i, bytes, 1);
                    assertThat(journal.kept("s" + i, bytes.reference())).isPresent();
                    forget(journal, claim);
                }
            } finally {
                done.set(true);
            }
            return true;
        }, () -> {
            while (!done.get()) {
                collector.collectOutputs(at(99));
            }
            return true;
        });
        collector.collectOutputs(at(99));
        assertThat(collector.collectOutputs(at(99))).isZero();
    }
}

package dev.belay.laws.journal;

import static dev.belay.laws.journal.JournalBench.RESULT;
import static dev.belay.laws.journal.JournalBench.at;
import static dev.belay.laws.journal.JournalBench.completed;
import static dev.belay.laws.journal.JournalBench.effect;
import static dev.belay.laws.journal.JournalBench.id;
import static dev.belay.laws.journal.JournalBench.row;
import static dev.belay.laws.journal.JournalBench.start;
import static dev.belay.laws.journal.JournalBench.together;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.EffectRow.Status;
import dev.belay.runtime.store.journal.EffectWrite;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Large results are stored once, by content, as long as a record refers to them (M.3). */
interface OutputPromises extends JournalPromises {

    /** A longer text is not stored in its record. */
    int INLINE = 64 << 10;

    private static Json text(String unit, int length) {
        return Json.string(unit.repeat(length / unit.length()) + unit.substring(0, length % unit.length()));
    }

    private static Json large(int number) {
        return text(number + "-", INLINE);
    }

    /** A record that the next one for the same key replaces. */
    private static EffectWrite underWay(String key, Json result, int second) {
        return new EffectWrite(row(key, Status.STARTED, result), null, null, List.of(), at(second));
    }

    @Test
    default void resultOfAnySizeIsReadInFull() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        // two quotes and the text
        for (int size : new int[]{INLINE - 3, INLINE - 2, INLINE - 1, 3 << 20}) {
            Json result = text("x", size);
            assertThat(journal.write(claim, completed("x" + size, result)).refusal()).isNull();
            assertThat(effect(bench().open(), "s", "x" + size).result()).isEqualTo(result);
        }
        Json wide = Json.string("\uD83D\uDE00ä".repeat(20_000));
        journal.write(claim, completed("wide", wide));
        assertThat(effect(bench().open(), "s", "wide").result()).isEqualTo(wide);
    }

    @Test
    default void largeResultKeepsItsExactText() {
        StoreDriver journal = bench().open();
        Json spaced = Json.of("{ \"b\" : 1.0, \"a\" : \"" + "y".repeat(INLINE) + "\" }");
        journal.write(start(journal, "s"), completed("a", spaced));

        assertThat(effect(journal, "s", "a").result()).hasToString(spaced.text());
    }

    @Test
    default void onlyTextOverTheLimitIsKeptApart() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        journal.write(claim, underWay("a", text("x", INLINE - 2), 1));
        journal.write(claim, underWay("a", RESULT, 2));
        assertThat(journal.collectOutputs(at(99))).as("65,536 bytes stand in the record").isZero();

        journal.write(claim, underWay("a", text("x", INLINE - 1), 3));
        journal.write(claim, underWay("a", RESULT, 4));
        assertThat(journal.collectOutputs(at(99))).as("65,537 bytes do not").isEqualTo(1);
    }

    @Test
    default void bytesCountRatherThanCharacters() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        journal.write(claim, underWay("a", text("ä", INLINE / 2 - 1), 3));
        journal.write(claim, underWay("a", RESULT, 4));
        assertThat(journal.collectOutputs(at(99))).isZero();

        journal.write(claim, underWay("a", text("ä", INLINE / 2), 3));
        journal.write(claim, underWay("a", RESULT, 4));
        assertThat(journal.collectOutputs(at(99))).isEqualTo(1);
    }

    @Test
    default void equalResultsAreKeptOnce() {
        StoreDriver journal = bench().open();
        Claim one = start(journal, "s");
        Claim other = start(journal, "t");
        journal.write(one, underWay("a", large(1), 1));
        journal.write(one, underWay("b", large(1), 1));
        journal.write(other, underWay("a", large(1), 1));
        journal.write(one, underWay("a", RESULT, 2));
        journal.write(one, underWay("b", RESULT, 2));
        assertThat(journal.collectOutputs(at(99))).as("one record still refers to it").isZero();
        assertThat(effect(journal, "t", "a").result()).isEqualTo(large(1));

        journal.write(other, underWay("a", RESULT, 2));
        assertThat(journal.collectOutputs(at(99))).isEqualTo(1);
        assertThat(journal.collectOutputs(at(99))).isZero();
    }

    @Test
    default void rewritingARecordWithTheSameResultKeepsIt() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        journal.write(claim, underWay("a", large(1), 1));
        journal.write(claim, underWay("a", large(1), 2));

        assertThat(journal.collectOutputs(at(99))).isZero();
        assertThat(effect(journal, "s", "a").result()).isEqualTo(large(1));
    }

    @Test
    default void youngResultsStay() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        journal.write(claim, underWay("a", large(1), 10));
        journal.write(claim, underWay("a", RESULT, 11));

        assertThat(journal.collectOutputs(at(10))).isZero();
        assertThat(journal.collectOutputs(at(11))).isEqualTo(1);
    }

    @Test
    default void writingTheSameContentAgainRefreshesIt() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        journal.write(claim, underWay("a", large(1), 10));
        journal.write(claim, underWay("b", large(1), 20));
        journal.write(claim, underWay("a", RESULT, 21));
        journal.write(claim, underWay("b", RESULT, 21));

        assertThat(journal.collectOutputs(at(15))).isZero();
        assertThat(journal.collectOutputs(at(21))).isEqualTo(1);
    }

    @Test
    default void refusedWriteRefersToNothing() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        journal.giveBack(claim, at(1));
        journal.write(claim, underWay("a", large(1), 1));
        journal.collectOutputs(at(99));

        assertThat(journal.collectOutputs(at(99))).isZero();
        assertThat(journal.effects(id("s"))).isEmpty();
    }

    @Test
    default void collectedRecordsFreeTheirResults() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        journal.write(claim, underWay("a", large(1), 1));
        journal.end(claim, RESULT, at(2));
        assertThat(journal.collectOutputs(at(99))).isZero();

        assertThat(journal.collectEffects(at(99))).isEqualTo(1);
        assertThat(journal.collectOutputs(at(99))).isEqualTo(1);
    }

    @Test
    default void collectingNothingIsNoWrite() {
        List<String> heard = new CopyOnWriteArrayList<>();
        StoreDriver journal = bench().open((moment, write) -> heard.add(write));
        Claim claim = start(journal, "s");
        journal.write(claim, completed("a", large(1)));
        heard.clear();

        assertThat(journal.collectEffects(at(99))).isZero();
        assertThat(journal.collectOutputs(at(99))).isZero();
        assertThat(heard).isEmpty();
    }

    @Test
    default void sixtyFourMebibytesAreTaken() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        Json largest = text("x", (64 << 20) - 2);
        assertThat(journal.write(claim, completed("a", largest)).refusal()).isNull();
        Json found = JournalBench.present(effect(journal, "s", "a").result());
        assertThat(found.text().equals(largest.text())).as("all of it").isTrue();
    }

    @Test
    default void moreThanSixtyFourMebibytesAreRefused() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        for (Json tooLarge : List.of(text("x", (64 << 20) - 1), text("ä", 32 << 20))) {
            assertThatThrownBy(() -> journal.write(claim, completed("a", tooLarge)))
                    .isInstanceOfSatisfying(BelayException.class,
                            e -> assertThat(e.code()).isEqualTo("resource_limit"))
                    .hasMessageContaining("67108864");
        }
        assertThat(journal.effects(id("s"))).isEmpty();
        assertThat(journal.write(claim, completed("a", RESULT)).refusal()).as("the journal goes on").isNull();
    }

    @Test
    default void collectorCannotRaceAWriter() {
        StoreDriver writer = bench().open();
        StoreDriver collector = bench().open();
        Claim claim = start(writer, "s");
        var done = new AtomicBoolean();
        together(() -> {
            try {
                for (int i = 0; i < bench().rounds(); i++) {
                    Json result = large(i % 3);
                    assertThat(writer.write(claim, underWay("a", result, 1)).refusal()).isNull();
                    assertThat(effect(writer, "s", "a").result()).isEqualTo(result);
                    assertThat(writer.write(claim, underWay("a", RESULT, 1)).refusal()).isNull();
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

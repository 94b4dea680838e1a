package dev.belay.laws.journal;

import static dev.belay.laws.journal.JournalBench.RESULT;
import static dev.belay.laws.journal.JournalBench.at;
import static dev.belay.laws.journal.JournalBench.completion;
import static dev.belay.laws.journal.JournalBench.event;
import static dev.belay.laws.journal.JournalBench.id;
import static dev.belay.laws.journal.JournalBench.named;
import static dev.belay.laws.journal.JournalBench.park;
import static dev.belay.laws.journal.JournalBench.start;
import static dev.belay.laws.journal.JournalBench.takeOne;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.EffectRow.Status;
import dev.belay.runtime.store.journal.EffectWrite;
import dev.belay.runtime.store.journal.Parking;
import dev.belay.runtime.store.journal.Written;
import dev.belay.runtime.store.journal.Written.Refusal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** No write with a lost claim changes anything (L.6). */
interface FencePromises extends JournalPromises {

    @Test
    default void overtakenClaimWritesNothing() {
        StoreDriver one = bench().open();
        Claim old = start(one, "s");
        park(one, old, event("e"));
        one.resolve(id("s"), old.incarnation(), named("e"), JournalBench.ok(1), false, at(1));
        takeOne(one);

        writesNothing(one, one, old);
    }

    @Test
    default void claimOfADeadOwnerIsTakenOver() {
        StoreDriver dead = bench().open();
        Claim old = start(dead, "s");
        dead.close();
        StoreDriver journal = bench().open();
        takeOne(journal);

        writesNothing(journal, journal, old);
    }

    @Test
    default void claimOfAnotherOwnerWritesNothing() {
        StoreDriver one = bench().open();
        StoreDriver other = bench().open();
        writesNothing(other, one, start(one, "s"));
    }

    @Test
    default void claimOfALaterFenceWritesNothing() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        writesNothing(journal, journal, new Claim(claim.scope(), claim.input(), claim.fence() + 1,
                claim.incarnation(), claim.secret(), claim.entries(), null));
    }

    @Test
    default void claimOfAReadyScopeWritesNothing() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        journal.giveBack(claim, at(1));
        writesNothing(journal, journal, claim);
    }

    @Test
    default void claimOfAParkedScopeWritesNothing() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        park(journal, claim, completion("w"));
        writesNothing(journal, journal, claim);
    }

    @Test
    default void claimOfAStuckScopeWritesNothing() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        journal.stick(claim, "why not", at(1));
        writesNothing(journal, journal, claim);
    }

    @Test
    default void claimOfAnEndedScopeWritesNothing() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        journal.end(claim, RESULT, at(1));
        writesNothing(journal, journal, claim);
    }

    @Test
    default void claimOfNoScopeWritesNothing() {
        StoreDriver journal = bench().open();
        Claim claim = start(journal, "s");
        writesNothing(journal, journal, new Claim(id("nobody"), claim.input(), claim.fence(),
                claim.incarnation(), claim.secret(), claim.entries(), null));
    }

    /** Tries every write that carries a claim; the reader must see no difference. */
    private void writesNothing(StoreDriver journal, StoreDriver reader, Claim claim) {
        String before = picture(reader, claim);
        writes(claim).forEach((name, write) -> {
            Object answer = write.apply(journal);
            assertThat(answer).as(name)
                    .isIn(new Written(Refusal.FENCED, 0), Optional.empty(), false,
                            new Parking.Fenced(), "void");
            assertThat(picture(reader, claim)).as(name).isEqualTo(before);
        });
        Claim fresh = start(journal, "afterwards");
        assertThat(journal.take(fresh, "r", "k", at(9)).refusal()).as("the resource was not taken").isNull();
    }

    private static Map<String, Function<StoreDriver, Object>> writes(Claim claim) {
        var record = new EffectWrite(JournalBench.row("k", Status.STARTED, null), "r", null,
                List.of(completion("opened", at(5))), at(1));
        Map<String, Function<StoreDriver, Object>> writes = new LinkedHashMap<>();
        writes.put("write", journal -> journal.write(claim, record));
        writes.put("take", journal -> journal.take(claim, "r", "k", at(1)));
        writes.put("park", journal -> journal.park(claim, List.of(completion("opened", at(5))),
                Set.of(named("opened")), false, at(6), at(1)));
        writes.put("end", journal -> journal.end(claim, Json.FALSE, at(1)));
        writes.put("stick", journal -> journal.stick(claim, "fenced", at(1)));
        writes.put("reenter", journal -> journal.reenter(claim, 9, at(1)));
        writes.put("reenter at the limit", journal -> journal.reenter(claim, 0, at(1)));
        writes.put("giveBack", journal -> {
            journal.giveBack(claim, at(1));
            return "void";
        });
        return writes;
    }

    private static String picture(StoreDriver reader, Claim claim) {
        return reader.state(claim.scope()) + " " + reader.state(id("s")) + " " + reader.effects(id("s"))
                + reader.effects(claim.scope()) + reader.waits(id("s")) + reader.waits(claim.scope())
                + reader.stuck() + reader.nextDue();
    }
}

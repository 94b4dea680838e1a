package dev.belay.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.store.jdbc.postgres.TestPostgres;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a node on PostgreSQL leaves when it is killed or closed (L.8). */
@Timeout(120)
class PostgresTakeOverTest {

    private static final int SCOPES = 5;

    @Test
    void scopesAndResourcesOfAKilledNodeAreTakenWhenItsLeaseHasRunOut() throws Exception {
        var place = TestPostgres.place();
        try (var store = new StoreDriver(JdbcStore.postgres(place.source(), place.options()));
                var node = ChildJvm.start("node", TestPostgres.url(), place.options().schema(),
                        Integer.toString(SCOPES))) {
            StoreDriver journal = store;
            String dead = node.line();
            assertThat(dead).isNotEqualTo(journal.owner()).hasSize(32);
            assertThat(journal.takeReady(9, 5, Sample.NOW)).as("its lease runs").isEmpty();
            node.kill();

            List<Claim> taken = new ArrayList<>();
            while (taken.size() < SCOPES) {
                taken.addAll(journal.takeReady(9, 5, Sample.NOW));
            }
            assertThat(taken).extracting(claim -> claim.scope().value())
                    .containsExactlyInAnyOrder("held-0", "held-1", "held-2", "held-3", "held-4");
            for (Claim claim : taken) {
                String account = claim.scope().value().replace("held-", "account:");
                assertThat(claim.fence()).isEqualTo(2);
                assertThat(Sample.keys(journal, claim.scope().value())).hasSize(1);
                assertThat(journal.take(claim, account, "call/1", Sample.NOW).resourceFence()).isEqualTo(2);
            }
        }
    }

    /** It wakes up inside its transaction, which the server has ended, and under a name that was declared dead. */
    @ParameterizedTest
    @EnumSource(value = Moment.class, names = {"BEFORE", "INSIDE"})
    void aNodeThatIsStoppedInAWriteHoldsNobodyUpAndWritesNothingWhenItGoesOn(Moment moment) throws Exception {
        var place = TestPostgres.place();
        try (var store = new StoreDriver(JdbcStore.postgres(place.source(), place.options()));
                var node = ChildJvm.start("stop", TestPostgres.url(), place.options().schema(),
                        moment.name())) {
            StoreDriver journal = store;
            assertThat(node.line()).isNotEqualTo(journal.owner());
            List<Claim> taken = new ArrayList<>();
            while (taken.isEmpty()) {
                taken.addAll(journal.takeReady(9, 5, Sample.NOW));
            }
            Sample.write(journal, taken.getFirst(), 0);
            node.signal("CONT");

            assertThat(node.line()).isEqualTo("FENCED new");
            assertThat(journal.effects(new ScopeId("held"))).singleElement()
                    .satisfies(record -> assertThat(record.fence()).isEqualTo(2));
        }
    }

    @Test
    void scopesOfAClosedNodeAreTakenAtOnce() {
        var place = TestPostgres.place();
        try (var store = JdbcStore.postgres(place.source(), place.options())) {
            try (var closed = new StoreDriver(JdbcStore.postgres(place.source(), place.options()))) {
                Sample.submitted(closed, "s");
            }
            assertThat(new StoreDriver(store).takeReady(9, 5, Sample.NOW)).singleElement()
                    .satisfies(claim -> assertThat(claim.scope()).isEqualTo(new ScopeId("s")));
        }
    }
}

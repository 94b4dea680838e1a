package dev.belay.laws.journal;

import static dev.belay.laws.journal.JournalBench.id;
import static dev.belay.laws.journal.JournalBench.start;
import static dev.belay.laws.journal.JournalBench.state;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.laws.StoreDriver;
import dev.belay.runtime.store.journal.Secret;
import org.junit.jupiter.api.Test;

/** Secrets belong to the store, can be replaced, and stay revoked (J.2). */
interface SecretPromises extends JournalPromises {

    @Test
    default void journalsShareTheirSecret() {
        StoreDriver one = bench().open();
        Secret secret = one.currentSecret();

        assertThat(bench().open().currentSecret().bytes()).isEqualTo(secret.bytes());
        assertThat(one.secret(secret.id()).orElseThrow().bytes()).isEqualTo(secret.bytes());
        assertThat(one.secret(secret.id() + 1)).isEmpty();
    }

    @Test
    default void twoRecordsHaveTwoSecrets() {
        StoreDriver one = bench().open();
        StoreDriver other = bench().open(bench().freshRecords(),
                dev.belay.runtime.store.journal.JournalProbe.NONE);

        assertThat(one.currentSecret().bytes()).isNotEqualTo(other.currentSecret().bytes());
    }

    @Test
    default void rotationIsForNewScopes() {
        StoreDriver one = bench().open();
        StoreDriver other = bench().open();
        Secret old = one.currentSecret();
        long before = start(one, "before").secret();
        Secret rotated = one.rotateSecret();

        assertThat(before).isEqualTo(old.id());
        assertThat(rotated.id()).isNotEqualTo(old.id());
        assertThat(rotated.bytes()).isNotEqualTo(old.bytes());
        assertThat(other.currentSecret().id()).isEqualTo(rotated.id());
        assertThat(start(other, "after").secret()).isEqualTo(rotated.id());
        assertThat(other.secret(old.id()).orElseThrow().bytes()).as("old keys stay good")
                .isEqualTo(old.bytes());
    }

    @Test
    default void revokedSecretIsGoneForGood() {
        StoreDriver one = bench().open();
        StoreDriver other = bench().open();
        Secret old = one.currentSecret();
        Secret rotated = one.rotateSecret();
        one.revokeSecret(old.id());

        assertThat(one.secret(old.id())).isEmpty();
        assertThat(other.secret(old.id())).isEmpty();
        assertThat(other.currentSecret().id()).isEqualTo(rotated.id());
        one.close();
        other.close();
        StoreDriver later = bench().open();
        assertThat(later.secret(old.id())).isEmpty();
        assertThat(later.secret(rotated.id()).orElseThrow().bytes()).isEqualTo(rotated.bytes());
    }

    @Test
    default void revokedCurrentSecretHasASuccessor() {
        StoreDriver journal = bench().open();
        Secret old = journal.currentSecret();
        journal.revokeSecret(old.id());

        assertThat(journal.secret(old.id())).isEmpty();
        Secret next = journal.currentSecret();
        assertThat(next.id()).as("a number is never used again").isGreaterThan(old.id());
        assertThat(next.bytes()).isNotEqualTo(old.bytes());
        assertThat(start(journal, "s").secret()).isEqualTo(next.id());
    }

    @Test
    default void revokingNothingDoesNothing() {
        StoreDriver journal = bench().open();
        start(journal, "s");
        var before = state(journal, "s");
        Secret secret = journal.currentSecret();
        journal.revokeSecret(secret.id() + 100);

        assertThat(journal.currentSecret().bytes()).isEqualTo(secret.bytes());
        assertThat(journal.state(id("s"))).contains(before);
    }
}

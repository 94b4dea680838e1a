package dev.belay.runtime.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.store.AuditEntry.Note;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A row of the audit log has a digest, which covers the row before it. */
class AuditEntryTest {

    private static final Actor ANNA = new Actor("anna", "command");
    private static final Json CALLED = Json.of("{\"reason\": \"the customer called\"}");
    private static final Instant AT = Instant.parse("2026-11-19T10:00:00Z");
    private static final Note NOTE = new Note(ANNA, "ops", "abandon", "order-42/7", CALLED);

    /**
     * SHA-256 over {@code belay-audit-2}, the digest before, place, time, name, door, user, verb, target and canonical details, each behind
     * its length in four bytes.
     */
    @Test
    void digestIsPinnedAndDoesNotDependOnHowTheDetailsAreWritten() {
        String golden = "b468adcffc7ffe6195df94448ad60a51631551a6dbcd4e67536aa5a5fabfd4e5";
        assertThat(AuditEntry.after("abc", 7, AT, NOTE).digest()).isEqualTo(golden);
        assertThat(AuditEntry.after("abc", 7, AT,
                new Note(ANNA, "ops", "abandon", "order-42/7",
                        Json.of("{ \"reason\":\"the customer called\" }")))
                .digest()).isEqualTo(golden);
    }

    @Test
    void everythingThatARowSaysChangesItsDigest() {
        assertThat(List.of(AuditEntry.after("abc", 7, AT, NOTE),
                AuditEntry.after("abd", 7, AT, NOTE),
                AuditEntry.after("abc", 8, AT, NOTE),
                AuditEntry.after("abc", 7, AT.plusNanos(1), NOTE),
                AuditEntry.after("abc", 7, AT,
                        new Note(new Actor("bob", "command"), "ops", "abandon", "order-42/7", CALLED)),
                AuditEntry.after("abc", 7, AT,
                        new Note(new Actor("anna", "http"), "ops", "abandon", "order-42/7", CALLED)),
                AuditEntry.after("abc", 7, AT, new Note(ANNA, "root", "abandon", "order-42/7", CALLED)),
                AuditEntry.after("abc", 7, AT, new Note(ANNA, "ops", "retry", "order-42/7", CALLED)),
                AuditEntry.after("abc", 7, AT, new Note(ANNA, "ops", "abandon", "order-42/8", CALLED)),
                AuditEntry.after("abc", 7, AT,
                        new Note(ANNA, "ops", "abandon", "order-42/7", Json.EMPTY_OBJECT))))
                .extracting(AuditEntry::digest)
                .doesNotHaveDuplicates();
    }

    @Test
    void aRowFollowsOnlyTheRowBehindWhichItWasWritten() {
        AuditEntry row = AuditEntry.after("abc", 7, AT, NOTE);

        assertThat(row.follows("abc")).isTrue();
        assertThat(row.follows("abd")).isFalse();
        assertThat(new AuditEntry(7, AT, Note.of(ANNA, "abandon", "order-42/7", "other"), row.digest())
                .follows("abc")).isFalse();
    }
}

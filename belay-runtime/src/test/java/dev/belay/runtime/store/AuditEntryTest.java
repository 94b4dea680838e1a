package dev.belay.runtime.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.store.AuditEntry.Note;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Contract V.6: a row of the audit log has a digest. */
class AuditEntryTest {

    private static final Actor ANNA = new Actor("anna", "command");
    private static final Json CALLED = Json.of("{\"reason\": \"the customer called\"}");

    /** SHA-256 over {@code belay-audit-1}, name, door, verb, target and canonical details, each behind its length in four bytes. */
    @Test
    void digestIsPinnedAndDoesNotDependOnHowTheDetailsAreWritten() {
        String golden = "7471317b96f98343932e3080aa8e2fd351456740fd4294ccccc69faae5743024";
        assertThat(new Note(ANNA, "abandon", "order-42/7", CALLED).digest()).isEqualTo(golden);
        assertThat(Note.of(ANNA, "abandon", "order-42/7", "the customer called").digest()).isEqualTo(golden);
    }

    @Test
    void everythingThatANoteSaysChangesItsDigest() {
        assertThat(List.of(new Note(ANNA, "abandon", "order-42/7", CALLED),
                new Note(new Actor("bob", "command"), "abandon", "order-42/7", CALLED),
                new Note(new Actor("anna", "http"), "abandon", "order-42/7", CALLED),
                new Note(ANNA, "retry", "order-42/7", CALLED),
                new Note(ANNA, "abandon", "order-42/8", CALLED),
                new Note(ANNA, "abandon", "order-42/7", Json.EMPTY_OBJECT)))
                .extracting(Note::digest)
                .doesNotHaveDuplicates();
    }
}

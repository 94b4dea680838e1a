package dev.belay.laws.effect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.runtime.effect.HostOptions;
import dev.belay.runtime.effect.engine.JournalEffectHost;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.JournalHost;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.testkit.crash.RecordsOpening;
import java.io.IOException;
import java.time.Duration;

/** Records of a journal, for {@link EffectHostContract}. */
public final class JournalRecords implements HostRecords {

    private final RecordsOpening opening;

    /** Records that are opened by this function. */
    public JournalRecords(RecordsOpening opening) {
        this.opening = opening;
    }

    @Override
    public JournalHost open(HostSettings settings) throws Exception {
        HostOptions options = HostOptions.DEFAULT.withTime(settings.time())
                .withParkAfter(settings.parkAfter())
                .withThreads(settings.threads())
                .withCloseGrace(Duration.ofMillis(20)); // bodies of scenarios that run at the end wait for an interrupt
        return JournalEffectHost.open(opening.open(settings.probe()),
                settings.encodesChildren() ? options.withEncodedChildren() : options);
    }

    @Override
    public void rotateSecret() throws Exception {
        try (Store store = opening.open(JournalProbe.NONE)) {
            store.rotateSecret();
        }
    }

    @Override
    public void revokeSecrets() throws Exception {
        try (Store store = opening.open(JournalProbe.NONE)) {
            store.revokeSecret(store.currentSecret().id());
        }
    }

    @Override
    public void close() throws IOException {
        try (Store store = opening.open(JournalProbe.NONE)) {
            assertThat(store.inconsistencies(9)).as("what the test has left").isEmpty();
        } catch (Exception e) {
            throw new IOException("the fixture cannot open a journal", e);
        }
    }
}

package dev.belay.testkit.effect;

import dev.belay.runtime.effect.EffectHost;
import java.io.IOException;

/** Fresh records for one test, on which hosts come and go. */
public interface HostRecords extends AutoCloseable {

    /**
     * Opens a host. Several may be open on the same records at once, as if each were a process. The contract closes every one of
     * them, also after its probe has thrown; to whoever opens the records next, it has then died.
     */
    EffectHost open(HostSettings settings) throws Exception;

    /** Makes a new secret for the keys of scopes that are submitted from now on. */
    void rotateSecret() throws Exception;

    /** Makes every key that was made so far unknown for good. */
    void revokeSecrets() throws Exception;

    @Override
    void close() throws IOException;
}

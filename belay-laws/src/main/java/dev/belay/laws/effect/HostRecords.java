package dev.belay.laws.effect;

import dev.belay.runtime.effect.EffectHost;
import java.io.IOException;

/** Fresh records for one test, on which several hosts are opened and closed. */
public interface HostRecords extends AutoCloseable {

    /**
     * Opens a host. Several may be open on the same records at once, as if each were a process. The contract closes every host.
     * A host whose probe has thrown is dead to the hosts that open the records next.
     */
    EffectHost open(HostSettings settings) throws Exception;

    /** Makes a new secret for the keys of scopes that are submitted from now on. */
    void rotateSecret() throws Exception;

    /** Revokes all keys made so far, for good. */
    void revokeSecrets() throws Exception;

    @Override
    void close() throws IOException;
}

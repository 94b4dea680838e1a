/**
 * Models over HTTP: the client that all providers share, with event streams, timeouts, retries and clear errors, and the
 * discovery of a model in the environment and on this machine.
 */
@SuppressWarnings("module") // the provider modules are compiled after this one
module dev.belay.model.http {
    requires transitive dev.belay.core;
    requires java.net.http;
    requires org.slf4j;

    exports dev.belay.model.http;

    // two protocols need it, a user does not
    exports dev.belay.model.http.wire to dev.belay.model.anthropic, dev.belay.model.openai;

    uses dev.belay.model.http.ModelSource;
}

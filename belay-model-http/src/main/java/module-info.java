/**
 * What the wire protocols of models share: one exchange over HTTP with event streams, timeouts, retries and clear errors, and
 * the discovery of a model from what the machine offers.
 */
module dev.belay.model.http {
    requires transitive dev.belay.core;
    requires java.net.http;
    requires org.slf4j;

    exports dev.belay.model.http;

    uses dev.belay.model.http.ModelSource;
}

package dev.belay.model.http;

import dev.belay.model.Model;

/**
 * A kind of model that {@link ModelDiscovery} can find. Each provider module contributes one as a service: {@code provides} in its
 * {@code module-info} and a line in {@code META-INF/services}, so that it is found on the module path and on the class path.
 * Implementations have no state and a public constructor without parameters.
 */
public interface ModelSource {

    /** The start of its environment variables, such as {@code OPENAI} for {@code OPENAI_API_KEY}, and its name. */
    String prefix();

    /** Orders the sources: the lowest whose key is set is taken. */
    int rank();

    /** The provider's own address. */
    BaseUrl ownUrl();

    /** The default model at the provider's own address. */
    String usualModel();

    /** Whether local servers speak its protocol. */
    boolean speaksLocally();

    /** Makes the model. */
    Model open(ModelTarget target);
}

package dev.belay.runtime.session.state;

import dev.belay.json.Json;
import dev.belay.model.ModelRequest;
import dev.belay.runtime.session.asking.ModelChoice;
import org.jspecify.annotations.Nullable;

/**
 * What a round asks.
 *
 * @param request what is sent
 * @param choice how it is asked
 * @param generation of what is offered
 * @param offered hash of what is offered
 * @param plugins what plugins have put around the request, or null
 * @param estimate of its tokens; 0 if the size of the context is not known
 */
public record Question(ModelRequest request, ModelChoice choice, long generation, String offered,
        @Nullable Json plugins, long estimate) {}

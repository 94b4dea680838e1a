package dev.belay.runtime.session.asking;

import dev.belay.model.Generation;
import dev.belay.model.ModelException;
import dev.belay.model.ModelRequest;
import dev.belay.model.TokenFamily;
import dev.belay.runtime.session.TurnSettings;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * How one question is asked, after merging builder, session, turn and question.
 *
 * @param model the name of the model
 * @param variant the name of the variant
 * @param generation how the answer is to be made, the variant included
 * @param maxContextTokens the size of the model's context, if it was set
 * @param patience for how long a model is asked again that fails in a way that may pass
 */
public record ModelChoice(String model, String variant, Generation generation,
        OptionalLong maxContextTokens, Duration patience) {

    /** An outage of a provider that a person at a screen still waits for; most are shorter. */
    public static final Duration PATIENCE = Duration.ofMinutes(10);

    /**
     * Lays levels over each other. The variant that the nearest level names counts there, over all levels below: it replaces the
     * variants that those name, not what they set themselves.
     *
     * @param levels from the farthest to the nearest
     * @throws dev.belay.BelayException {@code unknown_variant} if the variant is not here
     */
    static ModelChoice of(Models models, List<TurnSettings> levels) {
        String model = Models.DEFAULT;
        String variant = Models.DEFAULT;
        int named = 0;
        for (int at = 0; at < levels.size(); at++) {
            TurnSettings level = levels.get(at);
            model = Objects.requireNonNullElse(level.model(), model);
            variant = Objects.requireNonNullElse(level.variant(), variant);
            named = level.variant() == null ? named : at;
        }
        Generation generation = Generation.PROVIDER_DECIDES;
        OptionalLong context = OptionalLong.empty();
        Duration patience = PATIENCE;
        for (int at = 0; at < levels.size(); at++) {
            TurnSettings level = levels.get(at);
            Generation below = at == named ? models.variant(variant).over(generation) : generation;
            generation = level.generation().over(below);
            context = level.maxContextTokens().isPresent() ? level.maxContextTokens() : context;
            patience = Objects.requireNonNullElse(level.modelPatience(), patience);
        }
        return new ModelChoice(model, variant, generation, context, patience);
    }

    /** Throws {@code model_context_too_long} if a request is estimated to be longer than the context. */
    public void requireFits(ModelRequest request, TokenFamily family) {
        long tokens = family.tokens(request) + request.generation().maxOutputTokens().orElse(0);
        if (maxContextTokens.isPresent() && tokens > maxContextTokens.getAsLong()) {
            throw new ModelException(ModelException.Kind.CONTEXT_TOO_LONG,
                    tooLong(tokens, maxContextTokens.getAsLong()));
        }
    }

    /** Says that a request was not sent because it is longer than the context. */
    public static String tooLong(long estimate, long limit) {
        return "the model was not asked: the request is estimated at " + estimate
                + " tokens, with room for the answer if that is bounded, and the context of the model has "
                + limit + "; raise maxContextTokens (context of belay.toml), or fork before what is too long";
    }
}

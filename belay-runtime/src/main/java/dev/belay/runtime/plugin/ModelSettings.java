package dev.belay.runtime.plugin;

import dev.belay.model.Generation;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What a plugin says about how the model is asked; it stands over what turn, session and agent say, field by field. Start from
 * {@link #NONE}: what is not set stays as it is.
 *
 * @param model the name of the model, or null
 * @param variant the name of the way of asking it, or null
 * @param generation how the answer is to be made; stands over what the variant says
 * @param maxContextTokens how much the model can read and write in one request, at least 1
 */
public record ModelSettings(@Nullable String model, @Nullable String variant, Generation generation,
        OptionalLong maxContextTokens) {

    /** Nothing is set. */
    public static final ModelSettings NONE = new ModelSettings(null, null, Generation.PROVIDER_DECIDES,
            OptionalLong.empty());

    /** The same with a model, by its name. */
    public ModelSettings withModel(String name) {
        return new ModelSettings(Objects.requireNonNull(name, "name"), variant, generation, maxContextTokens);
    }

    /** The same with a variant, by its name. */
    public ModelSettings withVariant(String name) {
        return new ModelSettings(model, Objects.requireNonNull(name, "name"), generation, maxContextTokens);
    }

    /** The same with another generation. */
    public ModelSettings withGeneration(Generation other) {
        return new ModelSettings(model, variant, other, maxContextTokens);
    }

    /** The same with another size of the context. */
    public ModelSettings withMaxContextTokens(long tokens) {
        return new ModelSettings(model, variant, generation, OptionalLong.of(tokens));
    }
}

package dev.belay.runtime.session;

import dev.belay.json.Json;
import dev.belay.json.JsonWriter;
import dev.belay.model.Generation;
import dev.belay.runtime.session.asking.Models;
import dev.belay.runtime.store.journal.RecordReader;
import dev.belay.schema.Wording;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What one level says about how a model is asked. There are three: the agent, the session, the turn. The nearer one
 * wins, field by field; what is not set is left to the next one. Start from {@link #NONE}.
 *
 * @param model the name of the model, or null
 * @param variant the name of the way of asking it, or null; {@code default} takes back what a farther level says
 * @param generation how answers are to be made; stands over what the variant of the same level says
 * @param maxContextTokens how much the model can read and write in one request, at least 1
 * @param instructions what stands before the conversation and is no part of it, or null; empty for nothing. Those of a session
 *        count from its next turn on
 * @param modelPatience for how long a model that fails in a way that may pass is asked again, counted from its first failure in a
 *        round, or null; zero ends the turn with the first failure
 */
public record TurnSettings(@Nullable String model, @Nullable String variant, Generation generation,
        OptionalLong maxContextTokens, @Nullable String instructions, @Nullable Duration modelPatience) {

    private static final Duration LONGEST_PATIENCE = Duration.ofDays(365);

    /** Nothing is set. */
    public static final TurnSettings NONE = new TurnSettings(null, null, Generation.PROVIDER_DECIDES,
            OptionalLong.empty(), null, null);

    /** Refuses names that cannot be stored, sizes below 1 and a patience that makes no sense. */
    public TurnSettings {
        if (model != null) {
            Models.checkName("model", model);
        }
        if (variant != null) {
            Models.checkName("variant", variant);
        }
        Objects.requireNonNull(generation, "generation");
        if (instructions != null && !Wording.isWhole(instructions)) {
            throw new IllegalArgumentException("instructions must not have half characters: a part of a"
                    + " surrogate pair stands alone");
        }
        if (maxContextTokens.isPresent() && maxContextTokens.getAsLong() < 1) {
            throw new IllegalArgumentException("the context of a model has at least 1 token, found "
                    + maxContextTokens.getAsLong());
        }
        if (modelPatience != null
                && (modelPatience.isNegative() || modelPatience.compareTo(LONGEST_PATIENCE) > 0)) {
            throw new IllegalArgumentException("modelPatience must be from zero, which ends a turn with the"
                    + " first failure of its model, to " + LONGEST_PATIENCE.toDays() + " days, found "
                    + modelPatience);
        }
    }

    /** The same with a model, by its name. */
    public TurnSettings withModel(String name) {
        return new TurnSettings(Objects.requireNonNull(name, "name"), variant, generation, maxContextTokens,
                instructions, modelPatience);
    }

    /** The same with a variant, by its name. */
    public TurnSettings withVariant(String name) {
        return new TurnSettings(model, Objects.requireNonNull(name, "name"), generation, maxContextTokens,
                instructions, modelPatience);
    }

    /** The same with another generation. */
    public TurnSettings withGeneration(Generation other) {
        return new TurnSettings(model, variant, other, maxContextTokens, instructions, modelPatience);
    }

    /** The same with another size of the context. */
    public TurnSettings withMaxContextTokens(long tokens) {
        return new TurnSettings(model, variant, generation, OptionalLong.of(tokens), instructions,
                modelPatience);
    }

    /** The same with other instructions. */
    public TurnSettings withInstructions(String text) {
        return new TurnSettings(model, variant, generation, maxContextTokens,
                Objects.requireNonNull(text, "instructions"), modelPatience);
    }

    /** The same with another patience with models that fail in a way that may pass. */
    public TurnSettings withModelPatience(Duration patience) {
        return new TurnSettings(model, variant, generation, maxContextTokens, instructions,
                Objects.requireNonNull(patience, "modelPatience"));
    }

    /** Writes what is set into the object that is being written; pinned by a golden file. */
    public void write(JsonWriter out) {
        if (model != null) {
            out.name("model").value(model);
        }
        if (variant != null) {
            out.name("variant").value(variant);
        }
        if (!generation.equals(Generation.PROVIDER_DECIDES)) {
            out.name("generation").beginObject();
            generation.temperature().ifPresent(value -> out.name("temperature").value(value));
            generation.topP().ifPresent(value -> out.name("top_p").value(value));
            generation.maxOutputTokens().ifPresent(value -> out.name("max_output_tokens").value(value));
            generation.seed().ifPresent(value -> out.name("seed").value(value));
            if (!generation.stop().isEmpty()) {
                out.name("stop").value(Json.array(generation.stop().stream().map(Json::string).toList()));
            }
            generation.effort().ifPresent(value -> out.name("effort").value(value.name()));
            out.endObject();
        }
        maxContextTokens.ifPresent(tokens -> out.name("max_context_tokens").value(tokens));
        if (instructions != null) {
            out.name("instructions").value(instructions);
        }
        if (modelPatience != null) {
            out.name("model_patience").value(modelPatience.toString());
        }
    }

    public Json toJson() {
        return Json.write(out -> {
            out.beginObject();
            write(out);
            out.endObject();
        });
    }

    /** What the fields of an object say; others are not looked at. */
    public static TurnSettings of(Json recorded) {
        return new TurnSettings(RecordReader.optionalText(recorded, "model"),
                RecordReader.optionalText(recorded, "variant"),
                recorded.get("generation")
                        .map(TurnSettings::generation)
                        .orElse(Generation.PROVIDER_DECIDES),
                recorded.get("max_context_tokens")
                        .map(tokens -> OptionalLong.of(tokens.asLong()))
                        .orElse(OptionalLong.empty()),
                RecordReader.optionalText(recorded, "instructions"),
                recorded.get("model_patience").map(text -> Duration.parse(text.asString())).orElse(null));
    }

    private static Generation generation(Json recorded) {
        return new Generation(decimal(recorded, "temperature"), decimal(recorded, "top_p"),
                recorded.get("max_output_tokens")
                        .map(tokens -> OptionalInt.of(tokens.asInt()))
                        .orElse(OptionalInt.empty()),
                recorded.get("seed").map(seed -> OptionalLong.of(seed.asLong())).orElse(OptionalLong.empty()),
                recorded.get("stop")
                        .map(texts -> texts.items().stream().map(Json::asString).toList())
                        .orElse(List.of()),
                Optional.ofNullable(RecordReader.optionalText(recorded, "effort"))
                        .map(Generation.Effort::valueOf));
    }

    private static OptionalDouble decimal(Json recorded, String name) {
        return recorded.get(name)
                .map(value -> OptionalDouble.of(value.asDouble()))
                .orElse(OptionalDouble.empty());
    }
}

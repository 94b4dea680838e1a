package dev.belay.runtime.session.asking;

import dev.belay.runtime.plugin.ModelSettings;
import dev.belay.runtime.plugin.engine.ConfigHooks;
import dev.belay.runtime.plugin.engine.SessionPlugins;
import dev.belay.runtime.session.TurnSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The settings of one session as one turn sees them. Changed by the turn's thread alone; its calls read them. */
public final class TurnConfig {

    private final SessionSettings runtime;
    private final TurnSettings turn;
    private volatile TurnSettings session;
    /** The names that plugins gave for the last question, where they differ from the others'. */
    private volatile TurnSettings plugins = TurnSettings.NONE;
    private volatile boolean changed;

    /**
     * The settings of a turn.
     *
     * @param runtime what holds for all sessions
     * @param session what the session's turns have left
     * @param turn what the turn's input says
     */
    public TurnConfig(SessionSettings runtime, TurnSettings session, TurnSettings turn) {
        this.runtime = runtime;
        this.session = session;
        this.turn = turn;
    }

    public void apply(TurnSettings settings) {
        session = settings;
        changed = true;
    }

    /** What the session is to keep. */
    public TurnSettings session() {
        return session;
    }

    public boolean isChanged() {
        return changed;
    }

    /** What stands before the conversation: as the turn says, else the session, else the agent. */
    public String instructions() {
        return Objects.requireNonNullElse(turn.instructions(),
                Objects.requireNonNullElse(session.instructions(), runtime.instructions()));
    }

    /** The name of the model that answers, whether it is here or not. */
    public String modelName() {
        return name(TurnSettings::model, List.of(plugins, turn, session, runtime.defaults()));
    }

    private static String name(Function<TurnSettings, @Nullable String> of, List<TurnSettings> nearestFirst) {
        for (TurnSettings level : nearestFirst) {
            String name = of.apply(level);
            if (name != null) {
                return name;
            }
        }
        return Models.DEFAULT;
    }

    /** A question was asked, perhaps as plugins say: bodies of its calls ask the same model unless they name one. */
    public void asked(String model, String variant) {
        List<TurnSettings> others = List.of(turn, session, runtime.defaults());
        TurnSettings named = name(TurnSettings::model, others).equals(model)
                ? TurnSettings.NONE
                : TurnSettings.NONE.withModel(model);
        plugins = name(TurnSettings::variant, others).equals(variant) ? named : named.withVariant(variant);
    }

    /**
     * Requires the model and variant of the coming question, unless a plugin has the last word about them.
     *
     * @throws dev.belay.BelayException {@code unknown_model} or {@code unknown_variant} if one of them is not here
     */
    public void requireModel(SessionPlugins session) {
        if (!session.configure()) {
            runtime.models().model(choice(TurnSettings.NONE).model());
        }
    }

    /**
     * How a body asks a question.
     *
     * @param nearer what the question says itself
     * @throws dev.belay.BelayException {@code unknown_variant} if the variant is not here
     */
    public ModelChoice choice(TurnSettings nearer) {
        return ModelChoice.of(runtime.models(), List.of(runtime.defaults(), session, turn, plugins, nearer));
    }

    /**
     * How the coming question of the turn is asked.
     *
     * @param nearer what the question says itself
     * @param hooks have the last word
     * @throws dev.belay.BelayException {@code unknown_variant} if the variant is not here
     */
    public ModelChoice choice(TurnSettings nearer, ConfigHooks hooks) {
        List<TurnSettings> own = List.of(runtime.defaults(), session, turn, nearer);
        if (hooks.isEmpty()) {
            return ModelChoice.of(runtime.models(), own);
        }
        var levels = new ArrayList<>(own);
        hooks.ask(() -> {
            ModelChoice now = ModelChoice.of(runtime.models(), levels);
            return new ModelSettings(now.model(), now.variant(), now.generation(), now.maxContextTokens());
        }, said -> levels.add(runtime.models()
                .known(new TurnSettings(said.model(), said.variant(), said.generation(),
                        said.maxContextTokens(), null, null))));
        return ModelChoice.of(runtime.models(), levels);
    }
}

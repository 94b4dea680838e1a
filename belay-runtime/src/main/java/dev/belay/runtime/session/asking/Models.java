package dev.belay.runtime.session.asking;

import dev.belay.BelayException;
import dev.belay.model.Generation;
import dev.belay.model.Model;
import dev.belay.model.TokenFamily;
import dev.belay.model.Usage;
import dev.belay.runtime.effect.StoredNames;
import dev.belay.runtime.session.TurnSettings;
import dev.belay.toolset.budget.Prices;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The models that can be asked, in which ways, and at what price. Names are recorded, so programs keep them.
 *
 * @param byName the models; {@link #DEFAULT} answers unless a session or a turn names another
 * @param variants ways of asking, by name: what each sets stands over what the levels below it say
 * @param prices what models cost, by the model's name; those that have none are missing
 */
public record Models(Map<String, Model> byName, Map<String, Generation> variants,
        Map<String, Prices> prices) {

    /** The name of the model that answers unless a session or a turn names another, and of the variant that sets nothing. */
    public static final String DEFAULT = "default";

    private static final int LONGEST = 100;

    /** Copies the maps; refuses a missing default, a variant of that name, and prices of what is not there. */
    public Models {
        byName = Map.copyOf(byName);
        variants = Map.copyOf(variants);
        prices = Map.copyOf(prices);
        if (!byName.isEmpty() && !byName.containsKey(DEFAULT)) {
            throw new IllegalArgumentException("there must be a model of the name " + DEFAULT);
        }
        if (variants.containsKey(DEFAULT)) {
            throw new IllegalArgumentException("the variant " + DEFAULT
                    + " sets nothing, so that it can be asked for; what holds for every question is the generation");
        }
        for (String name : prices.keySet()) {
            find("unknown_model", "model", byName, name);
        }
    }

    /** Whether turns can be answered: a runtime without a model has none. */
    public boolean canAnswer() {
        return !byName.isEmpty();
    }

    /** Refuses a name that is blank, longer than 100 characters, or cannot be stored. */
    public static void checkName(String of, String name) {
        StoredNames.check("the name of a " + of, name, LONGEST);
        if (name.isBlank()) {
            throw new IllegalArgumentException("the name of a " + of + " must not be blank, found \"" + name
                    + "\"");
        }
    }

    /** A model by its name; {@code unknown_model} if there is none. */
    public Model model(String name) {
        return find("unknown_model", "model", byName, name);
    }

    /** How a model cuts texts into tokens; what is taken for unknown models if there is none of that name. */
    public TokenFamily family(String name) {
        Model model = byName.get(name);
        return TokenFamily.of(model == null ? name : model.id());
    }

    /** What a variant sets; {@code unknown_variant} if there is none of that name. */
    public Generation variant(String name) {
        return name.equals(DEFAULT)
                ? Generation.PROVIDER_DECIDES
                : find("unknown_variant", "variant", variants, name);
    }

    private static <T> T find(String code, String what, Map<String, T> known, String name) {
        T found = known.get(name);
        if (found == null) {
            Set<String> names = new TreeSet<>(known.keySet());
            names.add(DEFAULT);
            throw new BelayException(code,
                    "there is no " + what + " of the name \"" + name + "\" here; there are " + names);
        }
        return found;
    }

    /** Refuses names that are not here, {@code unknown_model} or {@code unknown_variant}; the same settings. */
    public TurnSettings known(TurnSettings settings) {
        String model = settings.model();
        if (model != null) {
            model(model);
        }
        String variant = settings.variant();
        if (variant != null) {
            variant(variant);
        }
        return settings;
    }

    /** What a usage of a model costs; null if the model has no price here. */
    public @Nullable BigDecimal cost(String model, Usage usage) {
        Prices price = prices.get(model);
        return price == null ? null : price.cost(usage);
    }

    /** The names of models without a price. */
    Set<String> unpriced() {
        Set<String> names = new HashSet<>(byName.keySet());
        names.removeAll(prices.keySet());
        return new TreeSet<>(names);
    }
}

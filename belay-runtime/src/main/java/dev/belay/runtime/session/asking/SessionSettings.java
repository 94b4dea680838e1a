package dev.belay.runtime.session.asking;

import dev.belay.BelayException;
import dev.belay.runtime.session.TurnBounds;
import dev.belay.runtime.session.TurnSettings;

/**
 * How turns of one agent are run.
 *
 * @param models that can be asked
 * @param instructions the system message before every conversation, empty for none
 * @param defaults how models are asked unless a session or a turn says otherwise
 * @param bounds how far a turn may go
 */
public record SessionSettings(Models models, String instructions, TurnSettings defaults, TurnBounds bounds) {

    /** Refuses unknown names, and a budget of cost without prices ({@code price_missing}). */
    public SessionSettings {
        models.known(defaults);
        if (bounds.maxCost() != null && !models.unpriced().isEmpty()) {
            throw new BelayException("price_missing", "a turn may cost " + bounds.maxCost().toPlainString()
                    + ", but there are no prices for " + models.unpriced()
                    + ": give prices(name, …) for each model, or no budget of cost");
        }
    }
}

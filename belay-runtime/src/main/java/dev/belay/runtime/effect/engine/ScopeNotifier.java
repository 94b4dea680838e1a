package dev.belay.runtime.effect.engine;

import dev.belay.runtime.effect.CancelReceipt;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.effect.scope.LiveScope;
import dev.belay.runtime.store.journal.Journal;
import dev.belay.runtime.store.journal.Journal.Claim;
import dev.belay.runtime.store.journal.Journal.Settlement;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.tool.context.Incarnation;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Settles waits and cancels scopes, and tells the scope: one that the write has woken is begun, one that is live hears of it. Thread-safe.
 *
 * <p>Concurrency: a new scope may be claimed and not yet live. Such news is {@link EarlyNews}; it is put there before the look for a live
 * scope, and whoever makes a scope live looks there after that, so that one of them finds the other.
 */
public final class ScopeNotifier {

    private final JournalEffectHost host;
    private final EarlyNews unheard = new EarlyNews();

    ScopeNotifier(JournalEffectHost host) {
        this.host = host;
    }

    Delivery resolve(ScopeId of, Incarnation incarnation, WaitName name, Resolution value) {
        return switch (host.claiming(of,
                () -> host.journal()
                        .resolve(of, incarnation, name, value, host.hasRunner(), host.time().now()))) {
            case Settlement.Accepted(var woken) -> {
                settled(of, name, value, woken);
                yield new Delivery.Accepted();
            }
            case Settlement.Lost(Resolution winner) -> OutcomeJson.of(winner).equals(OutcomeJson.of(value))
                    ? new Delivery.Same()
                    : new Delivery.Lost(winner);
            case Settlement.Unknown unknown -> new Delivery.Unknown();
        };
    }

    CancelReceipt cancel(ScopeId scope, String reason) {
        Journal.Cancelling cancelling = host.claiming(scope,
                () -> host.journal().cancel(scope, reason, host.hasRunner(), host.time().now()));
        if (cancelling.receipt() instanceof CancelReceipt.Requested) {
            tell(scope, cancelling.woken(), found -> found.memory().cancelled(reason));
        }
        return cancelling.receipt();
    }

    void settled(ScopeId of, WaitName name, Resolution value, @Nullable Claim woken) {
        tell(of, woken, found -> found.memory().settled(name, value));
    }

    private void tell(ScopeId scope, @Nullable Claim woken, Consumer<LiveScope> news) {
        if (woken != null) {
            host.resume(woken);
            return;
        }
        unheard.add(scope);
        LiveScope found = host.live(scope);
        if (found != null) {
            news.accept(found); // what came before it was live may be unheard still, so the scope stays there
        }
    }

    /** Whether there was news of a live scope before it was live; asked once. What it was is in the journal. */
    public boolean wereUnheard(ScopeId scope) {
        return unheard.remove(scope);
    }
}

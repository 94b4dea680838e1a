package dev.belay.runtime.effect;

import dev.belay.runtime.effect.Journal.Claim;
import dev.belay.runtime.effect.Journal.Settlement;
import dev.belay.tool.Incarnation;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Settles waits and cancels scopes, and tells the scope: one that the write has woken is begun, one that is live hears of it. Thread-safe.
 *
 * <p>Concurrency: a new scope may be claimed and not yet live. Such news is {@link Unheard}; it is put there before the look for a live
 * scope, and whoever makes a scope live looks there after that, so that one of them finds the other.
 */
final class News {

    private final JournalEffectHost host;
    private final Unheard unheard = new Unheard();

    News(JournalEffectHost host) {
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
    boolean wereUnheard(ScopeId scope) {
        return unheard.remove(scope);
    }
}

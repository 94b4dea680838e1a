package dev.belay.runtime.effect.engine;

import dev.belay.runtime.effect.CancelReceipt;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.effect.scope.HostServices;
import dev.belay.runtime.effect.scope.LiveScope;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.Cancelling;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.runtime.store.journal.Settlement;
import dev.belay.tool.context.Incarnation;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Settles waits and cancels scopes. A parked scope that the write has woken is begun; a live scope is told. Thread-safe. */
final class ScopeNotifier {

    private final HostServices host;
    private final LiveScopes live;
    private final LostClaims lost;
    private final Consumer<Claim> begin;

    /**
     * Notifies the live scopes of a host.
     *
     * @param begin runs a scope that a write has woken and claimed
     */
    ScopeNotifier(HostServices host, LiveScopes live, LostClaims lost, Consumer<Claim> begin) {
        this.host = host;
        this.live = live;
        this.lost = lost;
        this.begin = begin;
    }

    Delivery resolve(ScopeId of, Incarnation incarnation, WaitName name, Resolution value) {
        return switch (lost.noting(of,
                () -> host.store()
                        .apply(host.store()
                                .scopes()
                                .resolve(of, incarnation, name, value, host.life().takes(of),
                                        host.time().now())))) {
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

    CancelReceipt cancel(ScopeId scope, String reason, Store by) {
        Cancelling cancelling = lost.noting(scope,
                () -> by.apply(
                        by.scopes().cancel(scope, reason, host.life().takes(scope), host.time().now())));
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
            begin.accept(woken);
        } else {
            live.tell(scope, news);
        }
    }
}

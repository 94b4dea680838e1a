package dev.belay.runtime.effect.scope;

import dev.belay.BelayException;
import dev.belay.runtime.effect.FencedException;
import dev.belay.runtime.effect.engine.JournalEffectHost;
import dev.belay.runtime.store.journal.KeptBytes;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.context.Attachments;
import dev.belay.tool.context.Suspended;
import java.util.function.Supplier;

/**
 * Bytes that the calls of a scope keep, under the name that its runner gives to whoever keeps them. Any thread may use it.
 *
 * <p>Durability: the bytes are there before the row that keeps them, and the row before {@link #put} returns. It is no effect:
 * to put the same again changes nothing. Recovery: a store that fails is asked again, so that a body which must not be repeated
 * is not lost for it; whatever else fails ends this entry into the scope, even if the body catches it.
 */
final class ScopeAttachments implements Attachments {

    private final JournalScope scope;
    private final LiveScope live;

    ScopeAttachments(JournalScope scope, LiveScope live) {
        this.scope = scope;
        this.live = live;
    }

    @Override
    public Reference put(byte[] bytes, String mediaType) {
        KeptBytes kept = checked(bytes, mediaType);
        return asked(() -> {
            JournalEffectHost host = live.host();
            if (!host.journal().keep(live.claim(), keeper(), kept, host.time().now())) {
                throw new FencedException(scope.id(), live.claim().fence());
            }
            return kept.reference();
        });
    }

    private static KeptBytes checked(byte[] bytes, String mediaType) {
        try {
            return KeptBytes.of(bytes, mediaType);
        } catch (BelayException tooLarge) {
            throw new ToolException(ToolFailure.ofRuntime(ToolFailure.Kind.RESOURCE_LIMIT, tooLarge.code(),
                    String.valueOf(tooLarge.getMessage())), tooLarge);
        }
    }

    @Override
    public byte[] get(Reference reference) {
        return asked(() -> live.host().journal().kept(keeper(), reference))
                .orElseThrow(() -> new ToolException(ToolFailure.ofRuntime(ToolFailure.Kind.INVALID_REQUEST,
                        "unknown_attachment",
                        "no attachment " + reference.hash() + " of type " + reference.mediaType() + " with "
                                + reference.size() + " bytes is kept here. A reference counts, unchanged, in"
                                + " the session, process or batch in which it was put, and in forks of that"
                                + " session; in any other, an import too, put the bytes again")));
    }

    /** Asks the journal, also while the host closes: what ends meanwhile is recorded too. */
    private <T> T asked(Supplier<T> action) {
        if (scope.entry().isSuspended()) {
            throw Suspended.INSTANCE;
        }
        scope.entry().requireWhole();
        return scope.entry()
                .guarded(
                        () -> WriteRetry.on(live.host(), () -> "an attachment of scope " + scope.id(),
                                action));
    }

    private String keeper() {
        return live.host().runner().keeper(scope.id());
    }
}

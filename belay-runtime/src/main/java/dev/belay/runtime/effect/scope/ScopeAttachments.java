package dev.belay.runtime.effect.scope;

import dev.belay.BelayException;
import dev.belay.runtime.store.journal.KeptBytes;
import dev.belay.runtime.store.law.KeepRules;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.context.Attachments;
import dev.belay.tool.context.Suspended;
import java.util.function.Supplier;

/**
 * Bytes that the calls of a scope keep, under the name that {@link dev.belay.runtime.effect.ScopeRunner#keeper} gives. Thread-safe.
 *
 * <p>Durability: the bytes are written before the row that keeps them, and the row before {@link #put} returns. It is no effect: to
 * put the same bytes again changes nothing.
 *
 * <p>Recovery: a write to a store that fails is repeated, so that a body that must not be repeated does not fail with the store.
 * Every other fault ends this entry into the scope, even if the body catches it.
 */
final class ScopeAttachments implements Attachments {

    private final EntryState entry;
    private final LiveScope live;

    ScopeAttachments(EntryState entry) {
        this.entry = entry;
        this.live = entry.live();
    }

    @Override
    public Reference put(byte[] bytes, String mediaType) {
        KeptBytes kept = checked(bytes, mediaType);
        return asked(() -> {
            HostServices host = live.host();
            if (!host.store().keep(live.claim(), keeper(), kept, host.time().now())) {
                throw live.fenced();
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
        return asked(() -> live.host().store().read(KeepRules.kept(keeper(), reference)))
                .orElseThrow(() -> new ToolException(ToolFailure.ofRuntime(ToolFailure.Kind.INVALID_REQUEST,
                        "unknown_attachment",
                        "no attachment " + reference.hash() + " of type " + reference.mediaType() + " with "
                                + reference.size() + " bytes is kept here. A reference counts, unchanged, in"
                                + " the session, process or batch in which it was put, and in forks and imports"
                                + " of that session; in any other, put the bytes again")));
    }

    /** Asks the journal, also while the host closes: a body that ends in time is still recorded. */
    private <T> T asked(Supplier<T> action) {
        if (entry.isSuspended()) {
            throw Suspended.INSTANCE;
        }
        entry.requireWhole();
        return entry.guarded(
                () -> WriteRetry.on(live.host(), () -> "an attachment of scope " + live.id(), action));
    }

    private String keeper() {
        return live.host().life().runner().keeper(live.id());
    }
}

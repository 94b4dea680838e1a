package dev.belay.runtime.dispatch.body;

import dev.belay.tool.context.Attachments;
import java.util.Objects;
import java.util.function.Supplier;

/** The attachments of a scope as its call may use them: until the call has ended, from any thread of the body. */
final class CallAttachments implements Attachments {

    private final RuntimeToolContext context;
    private final Shield shield;
    private final Attachments within;

    CallAttachments(RuntimeToolContext context, Shield shield, Attachments within) {
        this.context = context;
        this.shield = shield;
        this.within = within;
    }

    @Override
    public Reference put(byte[] bytes, String mediaType) {
        Objects.requireNonNull(bytes, "bytes");
        Objects.requireNonNull(mediaType, "mediaType");
        return inside(() -> within.put(bytes, mediaType));
    }

    @Override
    public byte[] get(Reference reference) {
        Objects.requireNonNull(reference, "reference");
        return inside(() -> within.get(reference));
    }

    private <T> T inside(Supplier<T> action) {
        context.live();
        return shield.inside(action);
    }
}

package dev.belay.runtime.output.engine;

import dev.belay.runtime.output.OutputKeeper;
import dev.belay.tool.ToolException;
import dev.belay.tool.context.Attachments;
import dev.belay.tool.context.Attachments.Reference;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names a whole output that a session keeps as an attachment. A handle is written {@code out-SIZE-HASH}: it is the reference itself, so
 * nothing has to be looked up to resolve it, and it resolves only where the bytes are kept.
 */
public final class KeptOutput {

    /** What tells outputs from other attachments. */
    public static final String TYPE = "text/plain; charset=utf-8";

    private static final Pattern HANDLE = Pattern.compile("out-([1-9][0-9]{0,8})-([0-9a-f]{64})");

    private KeptOutput() {}

    /** Keeps outputs as attachments; one that is too large is not kept. */
    public static OutputKeeper in(Supplier<Attachments> attachments) {
        return text -> {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            return bytes.length == 0 || bytes.length > Attachments.LARGEST
                    ? Optional.empty()
                    : Optional.of(handle(attachments.get().put(bytes, TYPE)));
        };
    }

    static String handle(Reference reference) {
        return "out-" + reference.size() + "-" + reference.hash();
    }

    /** What a handle names; empty if it is none. */
    public static Optional<Reference> of(String handle) {
        Matcher found = HANDLE.matcher(handle);
        return found.matches() ? reference(found) : Optional.empty();
    }

    /** What all handles in a text name. */
    public static Set<Reference> namedIn(String text) {
        if (!text.contains("out-")) {
            return Set.of();
        }
        Set<Reference> all = new LinkedHashSet<>();
        Matcher found = HANDLE.matcher(text);
        while (found.find()) {
            reference(found).ifPresent(all::add);
        }
        return all;
    }

    private static Optional<Reference> reference(Matcher found) {
        int size = Integer.parseInt(found.group(1));
        return size > Attachments.LARGEST
                ? Optional.empty()
                : Optional.of(new Reference(found.group(2), TYPE, size));
    }

    /** The text of a kept output. */
    public static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** The text that a handle names; empty if it names none that is kept here. */
    public static Optional<String> read(Attachments attachments, String handle) {
        try {
            return of(handle).map(attachments::get).map(KeptOutput::text);
        } catch (ToolException unknown) {
            if (unknown.failure().code().equals("unknown_attachment")) {
                return Optional.empty();
            }
            throw unknown;
        }
    }
}

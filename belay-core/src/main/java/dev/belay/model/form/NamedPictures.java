package dev.belay.model.form;

import dev.belay.model.Message.ToolMessage;
import dev.belay.model.ModelRequest.Pictures;
import dev.belay.model.Part.ImagePart;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.Part.Source;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Pictures that replies of tools name, by references as attachments are written in JSON. Stateless. */
public final class NamedPictures {

    private static final String BEGINNING = "{\"hash\":\"";
    /** Every provider that shows pictures takes these types. */
    private static final Pattern REFERENCE = Pattern.compile("\\{\"hash\":\"([0-9a-f]{64})\","
            + "\"mediaType\":\"(image/(?:png|jpeg|gif|webp))\",\"size\":([1-9][0-9]{0,6})}");

    private NamedPictures() {}

    /**
     * For each reply the pictures that it names and that are found, each once in the message. A failed call shows none: providers refuse
     * pictures in errors.
     */
    public static List<List<ImagePart>> of(ToolMessage message, Pictures pictures) {
        List<List<ImagePart>> all = new ArrayList<>(message.replies().size());
        var seen = new Seen();
        for (ReplyPart reply : message.replies()) {
            List<ImagePart> shown = new ArrayList<>(0);
            each(reply, seen, named -> pictures.find(named.group(1), named.group(2),
                    Long.parseLong(named.group(3)))
                    .ifPresent(bytes -> shown.add(new ImagePart(named.group(2), Source.of(bytes)))));
            all.add(shown);
        }
        return all;
    }

    /** How many pictures a message names. */
    static int count(ToolMessage message) {
        var seen = new Seen();
        message.replies().forEach(reply -> each(reply, seen, named -> {}));
        return seen.references.size();
    }

    /** The pictures of a message that are shown, up to here. Confined to its thread. */
    private static final class Seen {

        private final Set<String> references = new HashSet<>(0);
        private long bytes;

        /** Whether a picture is new, and the bounds have room for it. */
        boolean takes(String reference, long size) {
            boolean fits = size <= Pictures.LARGEST && bytes + size <= Pictures.MOST_BYTES;
            boolean taken = fits && references.add(reference);
            bytes += taken ? size : 0;
            return taken;
        }
    }

    /** Linear in the text. */
    private static void each(ReplyPart reply, Seen seen, Consumer<Matcher> found) {
        String text = reply.text();
        int at = reply.status() == ReplyPart.Status.OK ? text.indexOf(BEGINNING) : -1;
        if (at < 0) {
            return;
        }
        Matcher reference = REFERENCE.matcher(text);
        for (; at >= 0 && seen.references.size() < Pictures.MOST; at = text.indexOf(BEGINNING, at + 1)) {
            if (reference.region(at, text.length()).lookingAt()
                    && seen.takes(reference.group(), Long.parseLong(reference.group(3)))) {
                found.accept(reference);
            }
        }
    }
}

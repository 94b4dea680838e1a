package dev.belay.runtime.session.body;

import dev.belay.model.Message;
import dev.belay.model.Message.UserMessage;
import dev.belay.model.Part.FilePart;
import dev.belay.model.Part.ImagePart;
import dev.belay.model.Part.Source;
import dev.belay.model.Part.UserPart;
import dev.belay.tool.context.Attachments;
import dev.belay.tool.context.Attachments.Reference;
import dev.belay.tool.context.DirectModel.DirectRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Shows attachments to a model, as parts of what the user says. */
final class ShownAttachments {

    /** So much of a hash tells the files of one question apart. */
    private static final int NAME_LENGTH = 12;

    private ShownAttachments() {}

    /** The messages of a request, with its attachments behind the other parts of the last user message. */
    static List<Message> in(DirectRequest request, Attachments attachments) {
        if (request.attachments().isEmpty()) {
            return request.messages();
        }
        List<Message> messages = new ArrayList<>(request.messages());
        int last = lastOfUser(messages);
        List<UserPart> parts = new ArrayList<>(((UserMessage) messages.get(last)).parts());
        request.attachments().forEach(one -> parts.add(part(one, attachments.get(one))));
        messages.set(last, new UserMessage(parts));
        return messages;
    }

    /** There is one: a request without refuses attachments. */
    private static int lastOfUser(List<Message> messages) {
        int last = messages.size() - 1;
        while (!(messages.get(last) instanceof UserMessage)) {
            last--;
        }
        return last;
    }

    private static UserPart part(Reference reference, byte[] bytes) {
        String type = reference.mediaType();
        return type.toLowerCase(Locale.ROOT).startsWith("image/")
                ? new ImagePart(type, Source.of(bytes))
                : new FilePart(type, name(reference), Source.of(bytes));
    }

    /** Providers look at how a name ends. */
    private static String name(Reference reference) {
        String type = reference.mediaType();
        String subtype = type.substring(type.indexOf('/') + 1);
        String ending = subtype.matches("[A-Za-z0-9]+") ? "." + subtype.toLowerCase(Locale.ROOT) : "";
        return "attachment-" + reference.hash().substring(0, NAME_LENGTH) + ending;
    }
}

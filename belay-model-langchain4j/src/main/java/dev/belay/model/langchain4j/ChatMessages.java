package dev.belay.model.langchain4j;

import static dev.belay.model.langchain4j.ChatRequests.refused;

import dev.belay.model.Message;
import dev.belay.model.Message.AssistantMessage;
import dev.belay.model.Message.ToolMessage;
import dev.belay.model.NativePayload;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.FilePart;
import dev.belay.model.Part.ImagePart;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.Part.Source;
import dev.belay.model.Part.TextPart;
import dev.belay.model.Part.UserPart;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.image.Image;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.AudioContent;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ChatMessageDeserializer;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.PdfFileContent;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.data.message.VideoContent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Converts messages to LangChain4j's types. Confined to one call. */
final class ChatMessages {

    private final String provider;
    private final List<ChatMessage> messages = new ArrayList<>();
    /** The calls of the last assistant message, ours and under the provider's ids, at the same positions. */
    private List<CallPart> calls = List.of();
    private List<ToolExecutionRequest> sent = List.of();

    private ChatMessages(String provider) {
        this.provider = provider;
    }

    static List<ChatMessage> of(List<Message> given, String provider) {
        ChatMessages out = new ChatMessages(provider);
        for (Message message : given) {
            switch (message) {
                case Message.SystemMessage(String text) -> out.messages.add(SystemMessage.from(text));
                case Message.UserMessage(List<UserPart> parts) ->
                    out.messages.add(UserMessage.from(parts.stream().map(ChatMessages::content).toList()));
                case AssistantMessage said -> out.assistant(said);
                case ToolMessage(List<ReplyPart> replies) -> replies.forEach(out::reply);
            }
        }
        return out.messages;
    }

    private void assistant(AssistantMessage said) {
        AiMessage message = own(said.nativePayload());
        if (message == null) {
            String text = said.text().isEmpty() ? said.refusal().orElse("") : said.text();
            if (text.isEmpty() && said.calls().isEmpty()) {
                return; // reasoning alone, which only its own provider takes back
            }
            message = AiMessage.builder()
                    .text(text.isEmpty() ? null : text)
                    .toolExecutionRequests(said.calls().stream().map(ChatMessages::call).toList())
                    .build();
        }
        calls = said.calls();
        sent = message.toolExecutionRequests();
        messages.add(message);
    }

    /** The message as this provider sent it; null if there is none, or if this version of LangChain4j cannot read it. */
    private @Nullable AiMessage own(@Nullable NativePayload payload) {
        if (payload == null || !payload.provider().equals(provider)) {
            return null;
        }
        try {
            return (AiMessage) ChatMessageDeserializer.messageFromJson(payload.payload().text());
        } catch (RuntimeException spoiled) {
            return null;
        }
    }

    private static ToolExecutionRequest call(CallPart call) {
        return ToolExecutionRequest.builder()
                .id(call.id())
                .name(call.name())
                .arguments(call.arguments())
                .build();
    }

    private void reply(ReplyPart reply) {
        String id = reply.callId();
        for (int i = 0; i < Math.min(calls.size(), sent.size()); i++) {
            if (calls.get(i).id().equals(reply.callId())) {
                id = sent.get(i).id();
            }
        }
        messages.add(ToolExecutionResultMessage.builder()
                .id(id)
                .toolName(reply.toolName())
                .text(reply.text())
                .isError(reply.status() != ReplyPart.Status.OK)
                .build());
    }

    private static Content content(UserPart part) {
        return switch (part) {
            case TextPart(String text) -> TextContent.from(text);
            case ImagePart(String type, Source source) -> image(type, source);
            case FilePart file -> file(file);
        };
    }

    private static Content image(String type, Source source) {
        Image.Builder image = Image.builder().mimeType(type);
        return ImageContent.from(switch (source) {
            case Source.Inline(String base64) -> image.base64Data(base64).build();
            case Source.Link link -> image.url(link.uri()).build();
            case Source.Uploaded uploaded -> throw refused("the uploaded file \"" + uploaded.fileId() + "\"");
        });
    }

    private static Content file(FilePart file) {
        String type = file.mediaType().toLowerCase(Locale.ROOT);
        boolean pdf = type.equals("application/pdf");
        if (!pdf && !type.startsWith("audio/") && !type.startsWith("video/")) {
            throw refused("the file \"" + file.name() + "\" of type " + file.mediaType()
                    + " (PDF, audio and video it can; text can be sent as text)");
        }
        return switch (file.source()) {
            case Source.Inline(String base64) -> pdf
                    ? PdfFileContent.from(base64, type)
                    : type.startsWith("audio/")
                            ? AudioContent.from(base64, type)
                            : VideoContent.from(base64, type);
            case Source.Link link -> pdf
                    ? PdfFileContent.from(link.uri())
                    : type.startsWith("audio/")
                            ? AudioContent.from(link.uri())
                            : VideoContent.from(link.uri());
            case Source.Uploaded uploaded -> throw refused("the uploaded file \"" + uploaded.fileId() + "\"");
        };
    }
}

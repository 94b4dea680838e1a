package dev.belay.model.openai;

import dev.belay.json.JsonWriter;
import dev.belay.model.ModelException;
import dev.belay.model.Part.FilePart;
import dev.belay.model.Part.ImagePart;
import dev.belay.model.Part.Source;
import dev.belay.model.Part.TextPart;
import dev.belay.model.Part.UserPart;
import dev.belay.model.http.wire.Sendable;

/** Writes the parts of a message that is not plain text alone, for either protocol. Stateless. */
final class UserContent {

    private UserContent() {}

    /** One part of a Chat Completions message. */
    static void chat(JsonWriter out, UserPart part) {
        out.beginObject().name("type");
        switch (part) {
            case TextPart(String text) -> out.value("text").name("text").value(Sendable.text(text));
            case ImagePart(String type, Source source) -> out.value("image_url")
                    .name("image_url")
                    .beginObject()
                    .name("url")
                    .value(address(type, source))
                    .endObject();
            case FilePart(String type, String name, Source source) -> {
                out.value("file").name("file").beginObject();
                switch (source) {
                    case Source.Inline inline ->
                        out.name("filename")
                                .value(Sendable.text(name))
                                .name("file_data")
                                .value(data(type, inline));
                    case Source.Uploaded(String id) -> out.name("file_id").value(id);
                    case Source.Link link -> throw unsupported("a file by its address",
                            "send its bytes, or ask through the Responses API");
                }
                out.endObject();
            }
        }
        out.endObject();
    }

    /** One part of a Responses message. */
    static void responses(JsonWriter out, UserPart part) {
        out.beginObject().name("type");
        switch (part) {
            case TextPart(String text) -> out.value("input_text").name("text").value(Sendable.text(text));
            case ImagePart(String type, Source source) -> {
                out.value("input_image");
                if (source instanceof Source.Uploaded(String id)) {
                    out.name("file_id").value(id);
                } else {
                    out.name("image_url").value(address(type, source));
                }
            }
            case FilePart(String type, String name, Source source) -> {
                out.value("input_file");
                switch (source) {
                    case Source.Inline inline ->
                        out.name("filename")
                                .value(Sendable.text(name))
                                .name("file_data")
                                .value(data(type, inline));
                    case Source.Uploaded(String id) -> out.name("file_id").value(id);
                    case Source.Link link -> out.name("file_url").value(link.uri().toString());
                }
            }
        }
        out.endObject();
    }

    private static String address(String type, Source source) {
        return switch (source) {
            case Source.Inline inline -> data(type, inline);
            case Source.Link link -> link.uri().toString();
            case Source.Uploaded uploaded -> throw unsupported("a picture that was uploaded before",
                    "send its bytes or its address, or ask through the Responses API");
        };
    }

    private static String data(String type, Source.Inline inline) {
        return "data:" + type + ";base64," + inline.base64();
    }

    private static ModelException unsupported(String what, String instead) {
        return new ModelException(ModelException.Kind.INVALID_REQUEST,
                "Chat Completions cannot take " + what + "; " + instead);
    }
}

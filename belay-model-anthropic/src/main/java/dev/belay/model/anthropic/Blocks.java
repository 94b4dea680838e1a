package dev.belay.model.anthropic;

import dev.belay.json.Json;
import dev.belay.json.JsonWriter;
import dev.belay.model.ModelException;
import dev.belay.model.Part.FilePart;
import dev.belay.model.Part.ImagePart;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.Part.Source;
import dev.belay.model.Part.TextPart;
import dev.belay.model.Part.UserPart;
import dev.belay.model.http.wire.Sendable;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** Writes the blocks of messages. Stateless. */
final class Blocks {

    private Blocks() {}

    static Json text(String text) {
        return Json.write(out -> out.beginObject()
                .name("type")
                .value("text")
                .name("text")
                .value(Sendable.text(text))
                .endObject());
    }

    static Json call(String id, String name, Json input) {
        return Json.write(out -> out.beginObject()
                .name("type")
                .value("tool_use")
                .name("id")
                .value(id)
                .name("name")
                .value(name)
                .name("input")
                .value(input)
                .endObject());
    }

    static Json result(ReplyPart reply, String id, List<ImagePart> pictures) {
        return Json.write(out -> {
            out.beginObject().name("type").value("tool_result").name("tool_use_id").value(id);
            if (!pictures.isEmpty()) {
                out.name("content").beginArray().value(text(reply.text()));
                pictures.forEach(picture -> out.value(user(picture)));
                out.endArray();
            } else if (!reply.text().isEmpty()) {
                out.name("content").value(Sendable.text(reply.text()));
            }
            if (reply.status() != ReplyPart.Status.OK) {
                out.name("is_error").value(true);
            }
            out.endObject();
        });
    }

    /** The reply to a search: the provider puts the definitions of these tools in its place. */
    static Json references(String id, List<String> tools) {
        return Json.write(out -> {
            out.beginObject().name("type").value("tool_result").name("tool_use_id").value(id).name("content");
            out.beginArray();
            tools.forEach(tool -> out.beginObject()
                    .name("type")
                    .value("tool_reference")
                    .name("tool_name")
                    .value(tool)
                    .endObject());
            out.endArray().endObject();
        });
    }

    static Json user(UserPart part) {
        return switch (part) {
            case TextPart(String text) -> text(text);
            case ImagePart(String type, Source source) -> Json.write(out -> {
                out.beginObject().name("type").value("image").name("source");
                source(out, type, source);
                out.endObject();
            });
            case FilePart file -> file(file);
        };
    }

    /** The same block with a mark for the cache. */
    static Json marked(Json block, Json mark) {
        return Json.write(out -> {
            out.beginObject();
            block.fields().forEach((name, value) -> {
                if (!name.equals("cache_control")) {
                    out.name(name).value(value);
                }
            });
            out.name("cache_control").value(mark).endObject();
        });
    }

    private static Json file(FilePart file) {
        String type = file.mediaType().toLowerCase(Locale.ROOT);
        boolean words = type.startsWith("text/");
        if (!words && !type.equals("application/pdf") && !(file.source() instanceof Source.Uploaded)) {
            throw new ModelException(ModelException.Kind.INVALID_REQUEST,
                    "Anthropic does not take the file \""
                            + file.name() + "\" of type " + file.mediaType()
                            + "; it takes PDF and text, pictures as image parts, and what was uploaded to it before");
        }
        return Json.write(out -> {
            out.beginObject().name("type").value("document").name("source");
            if (words && file.source() instanceof Source.Inline inline) {
                out.beginObject()
                        .name("type")
                        .value("text")
                        .name("media_type")
                        .value("text/plain")
                        .name("data")
                        .value(new String(inline.bytes(), StandardCharsets.UTF_8))
                        .endObject();
            } else {
                source(out, type, file.source());
            }
            out.name("title").value(Sendable.text(file.name())).endObject();
        });
    }

    private static void source(JsonWriter out, String mediaType, Source source) {
        out.beginObject().name("type");
        switch (source) {
            case Source.Inline(String base64) ->
                out.value("base64").name("media_type").value(mediaType).name("data").value(base64);
            case Source.Link link -> out.value("url").name("url").value(link.uri().toString());
            case Source.Uploaded(String fileId) -> out.value("file").name("file_id").value(fileId);
        }
        out.endObject();
    }
}

package dev.belay.model;

import dev.belay.json.Json;
import dev.belay.json.JsonWriter;
import dev.belay.model.form.EnumWords;
import dev.belay.model.form.MessageReader;
import dev.belay.model.form.MessageWriter;

/**
 * Messages, usage and responses as JSON, to be stored, exported one a line, and read again. What is read is equal to what was
 * written, and a native payload has the same text, digit for digit:
 *
 * <pre>{@code
 * {"system":"You are a clerk."}
 * {"user":[{"text":"Look:"},{"image":"image/png","base64":"iVBORw=="},
 *          {"file":"terms.pdf","type":"application/pdf","uri":"https://example.com/terms.pdf"}]}
 * {"assistant":[{"reasoning":"…"},{"text":"…"},{"refusal":"…"},
 *               {"call":"call_1","name":"balance","arguments":"{}"}],
 *  "native":{"provider":"openai-chat","payload":{…}}}
 * {"replies":[{"call":"call_1","name":"balance","status":"ok","text":"12.50"}]}
 * {"message":{"assistant":[…]},"finish":"tool_calls","usage":{"input":120,"output":9},"model":"…","id":"…"}
 * }</pre>
 *
 * <p>Bytes are {@code base64}, {@code uri} or {@code uploaded}. A call without an id has an empty one; the id of a response that
 * has none is left out, and so is what usage does not report. There is no white space between the parts, hence no line break: a
 * payload that has some, or is nested so deeply that a record around it might go over the limit, is written as a string, {@code
 * "text"} in place of {@code "payload"}.
 *
 * <p>The form has no version of its own; the record or file around it has. It is pinned by a golden file. A field that is not
 * known is refused, because it means that the text is damaged or of a later version, and to go on without it would change what
 * was said.
 *
 * <p><b>Halves of characters.</b> JSON cannot hold half of a surrogate pair. A {@link ModelResponse} has none. In other messages
 * the half is replaced when it is written, as in the record of a durable call: by {@code U+0001} in arguments, which stay as
 * unreadable as they were, by {@code U+FFFD} in an address and by a question mark elsewhere. Code that continues with such a
 * message should use the one that it read back.
 */
public final class MessageJson {

    private MessageJson() {}

    /** The JSON of a message. */
    public static Json of(Message message) {
        return Json.write(out -> MessageWriter.write(out, message));
    }

    /** The JSON of a response. */
    public static Json of(ModelResponse response) {
        return Json.write(out -> MessageWriter.write(out, response));
    }

    /** The JSON of what was spent. */
    public static Json of(Usage usage) {
        return Json.write(out -> MessageWriter.write(out, usage));
    }

    /** The JSON of a reason to stop: its name in lower case. */
    public static Json of(FinishReason reason) {
        return Json.string(EnumWords.FINISH_REASONS.of(reason));
    }

    /** Writes a message as one value, for a record that holds more than that. */
    public static void write(JsonWriter out, Message message) {
        MessageWriter.write(out, message);
    }

    /** Writes a response as one value, for a record that holds more than that. */
    public static void write(JsonWriter out, ModelResponse response) {
        MessageWriter.write(out, response);
    }

    /** Writes what was spent as one value, for a record that holds more than that. */
    public static void write(JsonWriter out, Usage usage) {
        MessageWriter.write(out, usage);
    }

    /** The message of its JSON; {@code invalid_message} with the JSON pointer if it is none. */
    public static Message message(Json json) {
        return MessageReader.message(json, "");
    }

    /** The response of its JSON; {@code invalid_message} with the JSON pointer if it is none. */
    public static ModelResponse response(Json json) {
        return MessageReader.response(json, "");
    }

    /** What was spent, of its JSON; {@code invalid_message} with the JSON pointer if it says something else. */
    public static Usage usage(Json json) {
        return MessageReader.usage(json, "");
    }

    /** The reason to stop of its JSON; {@code invalid_message} if it is none. */
    public static FinishReason finishReason(Json json) {
        return MessageReader.finishReason(json, "");
    }
}

package dev.belay.model.anthropic;

import java.util.Arrays;
import java.util.List;

/** Whole streams in the shapes of servers in use, for the suite to spoil. */
final class RecordedMessages {

    private static final String EVERY_BLOCK = """
            {"type":"message_start","message":{"id":"msg_1","type":"message","model":"claude-x","content":[],"stop_reason":null,"usage":{"input_tokens":5,"cache_creation_input_tokens":20,"cache_read_input_tokens":300,"output_tokens":1}}}
            {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}
            {"type":"ping"}
            {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"so \\ud83d"}}
            {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"\\ude00 then"}}
            {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2ln"}}
            {"type":"content_block_stop","index":0}
            {"type":"content_block_start","index":1,"content_block":{"type":"compaction","content":null}}
            {"type":"content_block_delta","index":1,"delta":{"type":"compaction_delta","content":"So far.","encrypted_content":"x"}}
            {"type":"content_block_start","index":2,"content_block":{"type":"text","text":"","citations":[]}}
            {"type":"content_block_delta","index":2,"delta":{"type":"text_delta","text":"See there"}}
            {"type":"content_block_delta","index":2,"delta":{"type":"citations_delta","citation":{"type":"page_location","page":3}}}
            {"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"toolu_1","name":"find","input":{}}}
            {"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"{\\"q\\": 1"}}
            {"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":".0}"}}
            {"type":"content_block_stop","index":3}
            {"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null,"container":{"id":"k","expires_at":"2026-11-16T10:00:00Z"}},"usage":{"output_tokens":42,"output_tokens_details":{"thinking_tokens":30},"iterations":[{"type":"message","input_tokens":5,"output_tokens":42}]}}
            {"type":"message_stop"}""";
    private static final String EVERYTHING_AT_ONCE = """
            {"type":"message_start","message":{"id":"msg_1","model":"claude-x","stop_reason":"tool_use","usage":{"input_tokens":5},"content":[{"type":"text","text":"Look:"},{"type":"tool_use","id":"t","name":"f","input":{"a": 1}}]}}
            {"type":"message_start","message":{"id":"msg_1","model":"claude-x","content":[]}}
            {"type":"message_stop"}""";

    static final List<List<String>> STREAMS = List.of(events(EVERY_BLOCK), events(EVERYTHING_AT_ONCE));

    private RecordedMessages() {}

    private static List<String> events(String lines) {
        return Arrays.stream(lines.split("\n")).map(data -> "data: " + data + "\n\n").toList();
    }
}

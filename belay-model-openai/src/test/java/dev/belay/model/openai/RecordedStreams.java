package dev.belay.model.openai;

import java.util.Arrays;
import java.util.List;

/** Whole streams in the shapes of servers in use, for the suite to spoil. */
final class RecordedStreams {

    private static final String CALLS_OF_OPENAI = """
            {"id":"c1","object":"chat.completion.chunk","created":1763,"model":"gpt-5-mini","choices":[{"index":0,"delta":{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"call_a","type":"function","function":{"name":"weather","arguments":""}}],"refusal":null},"finish_reason":null}],"usage":null}
            {"id":"c1","model":"gpt-5-mini","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\\"city\\":\\"\\ud83d"}}]},"finish_reason":null}],"usage":null}
            {"id":"c1","model":"gpt-5-mini","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\\ude00\\"}"}}]},"finish_reason":null}],"usage":null}
            {"id":"c1","model":"gpt-5-mini","choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"call_b","type":"function","function":{"name":"clock","arguments":"{}"}}]},"finish_reason":null}],"usage":null}
            {"id":"c1","model":"gpt-5-mini","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}],"usage":null}
            {"id":"c1","model":"gpt-5-mini","choices":[],"usage":{"prompt_tokens":78,"completion_tokens":90,"prompt_tokens_details":{"cached_tokens":64},"completion_tokens_details":{"reasoning_tokens":64}}}
            [DONE]""";
    private static final String PARTS_OF_MISTRAL = """
            {"id":"m1","model":"magistral","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}
            {"id":"m1","model":"magistral","choices":[{"index":0,"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"The user "}]}]},"finish_reason":null}]}
            {"id":"m1","model":"magistral","choices":[{"index":0,"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"greets."}]}]},"finish_reason":null}]}
            {"id":"m1","model":"magistral","choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":""}]}
            {"id":"m1","model":"magistral","choices":[{"index":0,"delta":{"content":""},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":4}}
            [DONE]""";
    private static final String DETAILS_OF_OPENROUTER = """
            {"id":"o1","provider":"X","model":"a/b","choices":[{"index":0,"delta":{"role":"assistant","content":"","reasoning":"Let ","reasoning_details":[{"type":"reasoning.text","text":"Let ","index":0}]},"finish_reason":null}]}
            {"id":"o1","model":"a/b","choices":[{"index":0,"delta":{"content":"","reasoning":"me","reasoning_details":[{"type":"reasoning.text","text":"me","signature":"s","index":0}]},"finish_reason":null}]}
            {"id":"o1","model":"a/b","choices":[{"index":0,"delta":{"role":"assistant","content":"Hi","tool_calls":[{"index":0,"id":"x","function":{"name":"clock","arguments":{"zone":"utc"}}},{"index":0,"id":"y","function":{"name":"clock","arguments":"{}"}}]},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":4}}
            [DONE]""";
    private static final String ITEMS_OF_OPENAI = """
            {"type":"response.created","sequence_number":0,"response":{"id":"r1","object":"response","status":"in_progress","model":"gpt-5-mini","output":[],"usage":null,"error":null}}
            {"type":"response.output_item.added","output_index":0,"item":{"id":"rs_1","type":"reasoning","summary":[]}}
            {"type":"response.reasoning_summary_part.added","item_id":"rs_1","output_index":0,"summary_index":1,"part":{"type":"summary_text","text":""}}
            {"type":"response.reasoning_summary_text.delta","item_id":"rs_1","output_index":0,"summary_index":1,"delta":"First."}
            {"type":"response.output_item.done","output_index":0,"item":{"id":"rs_1","type":"reasoning","encrypted_content":"gAAA","summary":[{"type":"summary_text","text":"First."}]}}
            {"type":"response.output_text.delta","item_id":"m_1","output_index":1,"delta":"Hi \\ud83d"}
            {"type":"response.output_text.delta","item_id":"m_1","output_index":1,"delta":"\\ude00"}
            {"type":"response.output_item.added","output_index":2,"item":{"id":"fc_1","type":"function_call","arguments":"","call_id":"call_1","name":"weather"}}
            {"type":"response.function_call_arguments.delta","item_id":"fc_1","output_index":2,"delta":"{\\"city\\":"}
            {"type":"response.function_call_arguments.delta","item_id":"fc_1","output_index":2,"delta":"\\"Oslo\\"}"}
            {"type":"response.output_item.done","output_index":2,"item":{"id":"fc_1","type":"function_call","arguments":"{\\"city\\":\\"Oslo\\"}","call_id":"call_1","name":"weather"}}
            {"type":"response.completed","response":{"id":"r1","status":"completed","error":null,"incomplete_details":null,"model":"gpt-5-mini","output":[{"id":"m_1","type":"message","content":[{"type":"output_text","text":"Hi"}]},{"id":"fc_1","type":"function_call","arguments":"{}","call_id":"call_1","name":"weather"}],"usage":{"input_tokens":10,"input_tokens_details":{"cached_tokens":4},"output_tokens":20,"output_tokens_details":{"reasoning_tokens":16}}}}""";
    private static final String ANSWER_AT_THE_END = """
            {"type":"response.output_item.done","item":{"type":"message","id":"m","role":"assistant","content":[{"type":"refusal","refusal":"No."}]}}
            {"type":"response.output_item.done","item":{"type":"function_call","id":"f","call_id":"c","name":"clock","arguments":"{}"}}
            {"type":"response.incomplete","response":{"id":"r","status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[]}}""";

    private static final String THOUGHTS_OF_GEMINI = """
            {"choices":[{"delta":{"content":"<thought>**Adding**\\n\\nTwo and two.\\n","extra_content":{"google":{"thought":true}},"role":"assistant"},"index":0}],"created":1763,"id":"g1","model":"gemini-3-flash-preview","object":"chat.completion.chunk"}
            {"choices":[{"delta":{"content":"Done.","extra_content":{"google":{"thought":true}},"role":"assistant"},"index":0}],"created":1763,"id":"g1","model":"gemini-3-flash-preview","object":"chat.completion.chunk"}
            {"choices":[{"delta":{"content":"</thought>The sum ","role":"assistant"},"index":0}],"created":1763,"id":"g1","model":"gemini-3-flash-preview","object":"chat.completion.chunk"}
            {"choices":[{"delta":{"content":"is 4.","role":"assistant"},"index":0}],"created":1763,"id":"g1","model":"gemini-3-flash-preview","object":"chat.completion.chunk"}
            {"choices":[{"delta":{"content":null,"extra_content":{"google":{"thought_signature":"c2ln"}},"role":"assistant"},"finish_reason":"stop","index":0}],"created":1763,"id":"g1","model":"gemini-3-flash-preview","object":"chat.completion.chunk","usage":{"completion_tokens":9,"prompt_tokens":16,"total_tokens":627}}""";
    private static final String CALLS_OF_GEMINI = """
            {"choices":[{"delta":{"role":"assistant","tool_calls":[{"extra_content":{"google":{"thought_signature":"c2lnbmVk"}},"function":{"arguments":"{\\"city\\":\\"Oslo\\"}","name":"weather"},"id":"jm4o","type":"function"}]},"index":0}],"created":1763,"id":"g2","model":"gemini-3-flash-preview","object":"chat.completion.chunk"}
            {"choices":[{"delta":{"role":"assistant","tool_calls":[{"function":{"arguments":"{\\"city\\":\\"Rome\\"}","name":"weather"},"id":"k2","type":"function"}]},"finish_reason":"tool_calls","index":0}],"created":1763,"id":"g2","model":"gemini-3-flash-preview","object":"chat.completion.chunk","usage":{"completion_tokens":20,"prompt_tokens":50,"total_tokens":70}}""";

    private RecordedStreams() {}

    static List<String> thoughtsOfGemini() {
        return events(THOUGHTS_OF_GEMINI);
    }

    static List<String> callsOfGemini() {
        return events(CALLS_OF_GEMINI);
    }

    static List<List<String>> chat() {
        return List.of(events(CALLS_OF_OPENAI), events(PARTS_OF_MISTRAL), events(DETAILS_OF_OPENROUTER));
    }

    static List<List<String>> responses() {
        return List.of(events(ITEMS_OF_OPENAI), events(ANSWER_AT_THE_END));
    }

    private static List<String> events(String lines) {
        return Arrays.stream(lines.split("\n")).map(data -> "data: " + data + "\n\n").toList();
    }
}

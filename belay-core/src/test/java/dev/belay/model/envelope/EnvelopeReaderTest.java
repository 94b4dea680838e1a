package dev.belay.model.envelope;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.OutputSpec;
import dev.belay.model.envelope.Envelope.Call;
import dev.belay.model.envelope.Envelope.Final;
import dev.belay.model.envelope.Envelope.Wrong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract R.2. A code block inside the final answer does not break the envelope. */
class EnvelopeReaderTest {

    private static final String FINAL = "{\"kind\":\"final\",\"content\":\"done\"}";
    private static final String CALL = "{\"kind\":\"tool_call\",\"tool_name\":\"echo\",\"arguments\":{\"text\":\"hi\"}}";

    @Test
    void bothShapesAreRead() {
        assertThat(read(CALL)).isEqualTo(new Call("echo", Json.of("{\"text\":\"hi\"}"), ""));
        assertThat(read(
                "{\"note\":\"now\",\"arguments\":{},\"tool_name\":\"x\",\"kind\":\"tool_call\",\"more\":1}"))
                .isEqualTo(new Call("x", Json.EMPTY_OBJECT, "now"));
        assertThat(read("{\"kind\":\"tool_call\",\"tool_name\":\"x\",\"arguments\":{},\"note\":null}"))
                .isEqualTo(new Call("x", Json.EMPTY_OBJECT, ""));
        assertThat(read(" \n" + FINAL + "\n")).isEqualTo(new Final("done"));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        FINAL + " not ```{\"kind\":\"final\",\"content\":\"inline\"}``` here",
        "```json\n" + FINAL + "\n```",
        "```\n" + FINAL + "\n```",
        "```json " + FINAL + "```",
        "   ```JSON\n\n" + FINAL,
        "Here it is:\n\n```json\n" + FINAL + "\n```\nAnything else?",
        "Sure! " + FINAL,
        FINAL + " I hope this helps. {\"kind\":\"final\",\"content\":\"again\"}",
        "<think>shall I?</think>" + FINAL,
        "<think>shall I?</think>\n```json\n" + FINAL + "\n```",
        "shall I? {\"kind\":\"final\",\"content\":\"no\"} hm</think>" + FINAL,
        "The set {a, b} and {\"c\":1} first: " + FINAL,
        "A brace { alone, then " + FINAL,
        "`{x}` and ```inline``` " + FINAL,
        "{\"kind\":\"final\",\"content\":\"outside a fence\"}\n```json\n" + FINAL + "\n```"
    })
    void anEnvelopeIsFoundInText(String text) {
        assertThat(read(text)).isEqualTo(new Final("done"));
    }

    @Test
    void aCodeBlockInsideTheAnswerIsContent() {
        String code = "Use:\n```json\n{\"kind\":\"final\",\"content\":\"inner\"}\n```\nthat is all";
        String envelope = "{\"kind\":\"final\",\"content\":" + Json.string(code).text() + "}";
        assertThat(read(envelope)).isEqualTo(new Final(code));
        assertThat(read("```json\n" + envelope + "\n```")).isEqualTo(new Final(code));
        assertThat(read("Sure: " + envelope)).isEqualTo(new Final(code));
        assertThat(read("<think>```json\n{}\n```</think>" + envelope)).isEqualTo(new Final(code));
    }

    @Test
    void thoughtsInsideAStringAreContent() {
        String content = "write <think>like this</think> or </think> {";
        String envelope = "{\"kind\":\"final\",\"content\":" + Json.string(content).text() + "}";
        assertThat(read(envelope)).isEqualTo(new Final(content));
        assertThat(read("So: " + envelope + " <think>")).isEqualTo(new Final(content));
    }

    @Test
    void aCallThatWasOnlyThoughtOfIsNotMade() {
        String text = "<think>maybe\n```json\n" + CALL + "\n```\nno</think>\n" + FINAL;
        assertThat(EnvelopeReader.read(text, OutputSpec.text()))
                .isEqualTo(new EnvelopeReader.Reading(new Final("done"),
                        "maybe\n```json\n" + CALL + "\n```\nno"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\1', value = {
        "  | it is empty",
        "Hello there | no JSON object",
        "[1] | must be a JSON object, not an array",
        "\"final\" | must be a JSON object, not a string",
        "42 | must be a JSON object, not a number",
        "{} | no \"kind\"",
        "I said {\"content\":\"x\"} | no \"kind\"",
        "{\"kind\":7} | \"kind\" must be \"tool_call\" or \"final\", not a number",
        "{\"kind\":\"answer\",\"content\":\"x\"} | not \"answer\"",
        "{\"kind\":\"final\",\"kind\":\"tool_call\",\"content\":\"x\"} | found a second \"kind\"",
        "{\"kind\":\"tool_call\",\"tool_name\":\"x\",\"arguments\":{\"a\":1,\"a\":2}} | found a second \"a\"",
        "{\"kind\":\"tool_call\",\"arguments\":{}} | \"tool_name\" must be the name of a tool, and is missing",
        "{\"kind\":\"tool_call\",\"tool_name\":\" \",\"arguments\":{}} | \"tool_name\" must be the name of a tool, not \" \"",
        "{\"kind\":\"tool_call\",\"tool_name\":[],\"arguments\":{}} | \"tool_name\" must be the name of a tool, not []",
        "{\"kind\":\"tool_call\",\"tool_name\":\"x\"} | \"arguments\" must be an object, {} if the tool needs none, and is missing",
        "{\"kind\":\"tool_call\",\"tool_name\":\"x\",\"arguments\":\"{}\"} | not a string",
        "{\"kind\":\"tool_call\",\"tool_name\":\"x\",\"arguments\":[1]} | not an array",
        "{\"kind\":\"tool_call\",\"tool_name\":\"x\",\"arguments\":null} | not null",
        "{\"kind\":\"tool_call\",\"tool_name\":\"x\",\"arguments\":{},\"note\":[]} | \"note\" must be a string or left out, not an array",
        "{\"kind\":\"final\"} | \"content\" is missing",
        "{\"kind\":\"final\",\"content\":\"\"} | is empty",
        "{\"kind\":\"final\",\"content\":{\"a\":1}} | \"content\" must be a string, not an object",
        "{\"kind\":\"final\",\"content\":true} | not a boolean",
        "{\"kind\":\"final\",\"content\":\"cut | never ends",
        "{\"kind\":\"tool_call\",\"tool_name\":\"x\",\"arguments\":{\"kind\":\"final\",\"content\":\"x\"} | never ends",
        "So: {\"kind\":\"final\", content:1} and {\"kind\":\"final\",\"content\":\"x\"} | malformed",
        "<think>{\"kind\":\"final\",\"content\":\"x\"} | ends inside <think>"
    })
    void whatIsWrongIsSaid(String text, String problem) {
        assertThat(read(text == null ? "  " : text)).isInstanceOfSatisfying(Wrong.class,
                wrong -> assertThat(wrong.problem()).contains(problem));
    }

    @Test
    void aLineBreakInsideAStringIsToldNotRepaired() {
        assertThat(read("{\"kind\":\"final\",\"content\":\"a\nb\"}")).isInstanceOfSatisfying(Wrong.class,
                wrong -> assertThat(wrong.problem()).contains("malformed").contains("line 1"));
    }

    @Test
    void everythingBeforeAnUnopenedEndIsThought() {
        assertThat(EnvelopeReader.read("first {x} <think>second</think> third</think>" + FINAL,
                OutputSpec.text()))
                .isEqualTo(new EnvelopeReader.Reading(new Final("done"),
                        "first {x} <think>second</think> third"));
    }

    @Test
    void theSearchEndsAfterAThousandObjects() {
        assertThat(read("{a}".repeat(999) + FINAL)).isEqualTo(new Final("done"));
        assertThat(read("{a}".repeat(1_000) + FINAL)).isInstanceOf(Wrong.class);
    }

    @Test
    void aStructuredAnswerMayBeJsonOrItsText() {
        OutputSpec schema = OutputSpec.schema("point", Json.of("{\"type\":\"object\"}"));
        assertThat(EnvelopeReader.read("{\"kind\":\"final\",\"content\":{\"x\": 1.0}}", schema).envelope())
                .isEqualTo(new Final("{\"x\": 1.0}"));
        assertThat(
                EnvelopeReader.read("{\"kind\":\"final\",\"content\":\"{\\\"x\\\":1}\"}", schema).envelope())
                .isEqualTo(new Final("{\"x\":1}"));
    }

    @Test
    void textThatIsTooLongIsRefusedUnread() {
        String huge = "{\"kind\":\"final\",\"content\":\"" + "x".repeat(EnvelopeReader.LONGEST) + "\"}";
        assertThat(read(huge)).isInstanceOfSatisfying(Wrong.class,
                wrong -> assertThat(wrong.problem()).contains("at most " + EnvelopeReader.LONGEST));
        String most = "{\"kind\":\"final\",\"content\":\"" + "x".repeat(EnvelopeReader.LONGEST - 100) + "\"}";
        assertThat(read(most)).isInstanceOf(Final.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "{\"a\":", "{a", "<think>", "```\n", "{}", "{a}", "{\"", "\"{", "</think>",
        "` {",
        "{\"kind\"}"})
    @Timeout(60)
    void hostileTextIsReadInBoundedTime(String piece) {
        String text = piece.repeat(EnvelopeReader.LONGEST / piece.length());
        assertThat(read(text)).isInstanceOf(Wrong.class);
    }

    private static Envelope read(String text) {
        return EnvelopeReader.read(text, OutputSpec.text()).envelope();
    }
}

package dev.belay.cli.talk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.cli.shell.AgentWorkspace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log of a session has the order of the conversation, whatever the order in which its parts are told. */
class EventLogTest {

    @TempDir
    Path directory;

    private EventLog log;

    @BeforeEach
    void open() {
        log = EventLog.of(new AgentWorkspace(directory), "one",
                Clock.fixed(Instant.ofEpochMilli(7), ZoneOffset.UTC));
    }

    @Test
    void anAnswerWaitsForAllResultsOfTheAnswerBefore() throws IOException {
        log.add("user_message", out -> out.name("content").value("question"));
        answer(2, "first");
        answer(0, "second");
        assertThat(lines()).containsExactly("user_message question", "model_response first");
        result("b");
        assertThat(lines()).endsWith("tool_result b");
        result("a");
        assertThat(lines()).containsExactly("user_message question", "model_response first", "tool_result b",
                "tool_result a", "model_response second");
    }

    @Test
    void anAnswerBehindOneWithoutCallsIsWrittenAtOnce() throws IOException {
        answer(0, "first");
        answer(1, "second");
        assertThat(lines()).containsExactly("model_response first", "model_response second");
    }

    @Test
    void severalAnswersThatWaitAreWrittenOneByOne() throws IOException {
        answer(1, "first");
        answer(1, "second");
        answer(0, "third");
        result("of the first");
        assertThat(lines()).containsExactly("model_response first", "tool_result of the first",
                "model_response second");
        result("of the second");
        assertThat(lines()).endsWith("tool_result of the second", "model_response third");
    }

    @Test
    void theEndOfATurnStandsBehindEveryAnswerAlsoIfAResultIsMissing() throws IOException {
        answer(1, "first");
        answer(0, "second");
        log.add("turn_ended", out -> out.name("content").value("cancelled"));
        assertThat(lines()).containsExactly("model_response first", "model_response second",
                "turn_ended cancelled");
        answer(0, "of the next turn");
        assertThat(lines()).endsWith("model_response of the next turn");
    }

    @Test
    void sessionsHaveFilesOfTheirOwnWhateverTheyAreNamed() {
        Path sessions = directory.resolve(".belay/sessions");
        assertThat(Stream.of("../one", "a/b", "a%2fb", ".", "ä")
                .map(name -> sessions
                        .relativize(EventLog.file(new AgentWorkspace(directory), name).normalize()))
                .distinct()).hasSize(5)
                .allSatisfy(file -> assertThat(file.toString()).matches("[^./][^/]*/events.jsonl"));
    }

    private void answer(int calls, String text) {
        log.answer(calls, out -> out.name("content").value(text));
    }

    private void result(String text) {
        log.result(out -> out.name("content").value(text));
    }

    private List<String> lines() throws IOException {
        return LogLines.read(directory.resolve(".belay/sessions/one/events.jsonl"), false)
                .stream()
                .map(event -> LogLines.text(event, "kind") + " " + LogLines.text(event, "content"))
                .toList();
    }
}

package dev.belay.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.belay.json.Json;
import dev.belay.model.Message.AssistantMessage;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.Part.ReplyPart.Status;
import java.util.List;
import org.junit.jupiter.api.Test;

class HistoryTest {

    private static final Message ASK = Message.user("go");

    @Test
    void answeredCallsAreWellFormed() {
        assertThat(
                problems(Message.system("be brief"), ASK, Message.assistant(call("1", "a"), call("2", "b")),
                        Message.replies(reply("1", "a"), reply("2", "b")), Message.assistant("done"), ASK))
                .isEmpty();
    }

    @Test
    void repliesMayComeInAnotherOrder() {
        assertThat(problems(ASK, Message.assistant(call("1", "a"), call("2", "b")),
                Message.replies(reply("2", "b"), reply("1", "a")))).isEmpty();
    }

    @Test
    void idsAreUniquePerMessageOnly() {
        assertThat(problems(ASK, Message.assistant(call("1", "a")), Message.replies(reply("1", "a")),
                Message.assistant(call("1", "a")), Message.replies(reply("1", "a")))).isEmpty();
    }

    @Test
    void noMessagesIsAProblem() {
        assertThat(problems()).extracting(RequestProblem::code).containsExactly("no_messages");
    }

    @Test
    void danglingCallsMissTheirReplies() {
        assertThat(problems(ASK, Message.assistant(call("1", "a"), call("2", "b"))))
                .extracting(RequestProblem::message)
                .containsExactly(
                        "call \"1\" of tool \"a\" needs exactly one reply, in the message directly after, and has none",
                        "call \"2\" of tool \"b\" needs exactly one reply, in the message directly after, and has none");
        assertThat(codes(ASK, Message.assistant(call("1", "a")), ASK)).containsExactly("missing_reply");
    }

    @Test
    void aReplyOneMessageLaterIsTooLate() {
        assertThat(codes(ASK, Message.assistant(call("1", "a")), ASK, Message.replies(reply("1", "a"))))
                .containsExactly("missing_reply", "foreign_reply");
    }

    @Test
    void twoToolMessagesForOneRoundAreRefused() {
        assertThat(problems(ASK, Message.assistant(call("1", "a"), call("2", "b")),
                Message.replies(reply("1", "a")),
                Message.replies(reply("2", "b")))).extracting(RequestProblem::code, RequestProblem::at)
                .containsExactly(tuple("missing_reply", "messages[1]"),
                        tuple("foreign_reply", "messages[3].replies[0]"));
    }

    @Test
    void repliesNeedCallsBefore() {
        Message reply = Message.replies(reply("1", "a"));
        assertThat(problems(reply).getFirst().message()).endsWith("but there is none");
        assertThat(problems(ASK, reply).getFirst().message()).endsWith("but that is a user message");
        assertThat(problems(Message.system("s"), reply).getFirst().message())
                .endsWith("but that is a system message");
        assertThat(problems(ASK, Message.assistant("t"), reply).getFirst().message())
                .endsWith("but that one has no calls");
    }

    @Test
    void missingAndRepeatedIdsAreProblems() {
        assertThat(problems(ASK, Message.assistant(call("", "a"), call("x", "b"), call("x", "c")),
                Message.replies(reply("", "a"), reply("x", "b"), reply("x", "c"))))
                .extracting(RequestProblem::code, RequestProblem::at)
                .containsExactly(
                        tuple("missing_call_id", "messages[1]"), tuple("repeated_call_id", "messages[1]"));
    }

    @Test
    void emptyAssistantMessagesAreProblemsUnlessTheProviderHasItsOwnForm() {
        assertThat(codes(ASK, Message.assistant(""))).containsExactly("empty_message");
        assertThat(codes(ASK, new AssistantMessage(List.of(), new NativePayload("p", Json.of("{}")))))
                .isEmpty();
    }

    @Test
    void allProblemsAreReportedAtOnce() {
        assertThat(problems(ASK,
                Message.assistant(call("1", "a"), call("2", "b"), call("3", "c"), call("", "d")),
                Message.replies(reply("1", "a"), reply("1", "a"), reply("3", "z"), reply("9", "q")),
                Message.assistant(""), Message.replies(reply("5", "e"))))
                .extracting(RequestProblem::code, RequestProblem::at)
                .containsExactly(
                        tuple("missing_call_id", "messages[1]"),
                        tuple("duplicate_reply", "messages[2].replies[1]"),
                        tuple("wrong_tool_name", "messages[2].replies[2]"),
                        tuple("foreign_reply", "messages[2].replies[3]"),
                        tuple("missing_reply", "messages[1]"),
                        tuple("missing_reply", "messages[1]"), tuple("empty_message", "messages[3]"),
                        tuple("foreign_reply", "messages[4].replies[0]"));
    }

    private static List<RequestProblem> problems(Message... messages) {
        return History.problems(List.of(messages));
    }

    private static List<String> codes(Message... messages) {
        return problems(messages).stream().map(RequestProblem::code).toList();
    }

    private static CallPart call(String id, String name) {
        return new CallPart(id, name, "{}");
    }

    private static ReplyPart reply(String id, String name) {
        return new ReplyPart(id, name, Status.OK, "ok");
    }
}

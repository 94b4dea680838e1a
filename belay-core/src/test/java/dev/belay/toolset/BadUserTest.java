package dev.belay.toolset;

import static dev.belay.toolset.DeskTools.FIND_ANN;
import static dev.belay.toolset.DeskTools.asked;
import static dev.belay.toolset.DeskTools.repliesTo;
import static dev.belay.toolset.DeskTools.round;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.script.ScriptedModel;
import dev.belay.schema.Description;
import dev.belay.tool.Dynamic;
import dev.belay.tool.Nested;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolInput;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolResult;
import dev.belay.tool.Tools;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** User code that does what it should not. */
class BadUserTest {

    @Tools
    sealed interface Lookups {

        @Description("Finds text.")
        record Text() implements Lookups, ToolInput<String> {}

        @Description("Finds many.")
        record Many() implements Lookups, ToolInput<List<String>> {}

        @Description("Finds JSON.")
        record Tree() implements Lookups, ToolInput<Json> {}

        @Description("Finds nothing.")
        record Nothing() implements Lookups, ToolInput<Void> {}

        @Description("May find.")
        record Maybe() implements Lookups, ToolInput<Optional<String>> {}

        @Nested
        record Later(Dynamic call) implements Lookups {}
    }

    private static final Toolset<Lookups> LOOKUPS = Toolset.of(Lookups.class);

    @Test
    void aDroppedRoundDoesNotHinderTheNext() {
        var model = new ScriptedModel().call("find_guest", FIND_ANN).call("ring", "{}").reply("Room 7.");
        var transcript = asked();
        round(transcript.step(model).tools(DeskTools.SET).run());
        var next = round(transcript.step(model).tools(DeskTools.SET).run());
        assertThat(model.requests().getLast().messages()).isEqualTo(asked().messages());
        next.commit(repliesTo(next));
        assertThat(transcript.step(model).tools(DeskTools.SET).run())
                .isEqualTo(new Step.Finished<>("Room 7."));
        assertThat(transcript.messages()).hasSize(4);
    }

    /** Two rounds asked for on one version: the first that is committed makes the other stale. */
    @Test
    void ofTwoRoundsOfOneVersionOneIsCommitted() {
        var model = new ScriptedModel().call("find_guest", FIND_ANN).call("ring", "{}");
        var transcript = asked();
        var first = round(transcript.step(model).tools(DeskTools.SET).run());
        var second = round(transcript.step(model).tools(DeskTools.SET).run());
        first.commit(repliesTo(first));
        assertThat(catchThrowableOfType(CommitException.class, () -> second.commit(repliesTo(second)))
                .problems())
                .extracting(CommitException.Problem::code)
                .containsExactly("stale_round");
        assertThat(transcript.messages()).hasSize(3);
    }

    @Test
    void aRoundOfTheParentStaysTheParents() {
        var model = new ScriptedModel().call("find_guest", FIND_ANN).call("find_guest", FIND_ANN);
        var transcript = asked();
        var ofParent = round(transcript.step(model).tools(DeskTools.SET).run());
        var fork = transcript.fork();
        var ofFork = round(fork.step(model).tools(DeskTools.SET).run());
        assertThat(catchThrowableOfType(CommitException.class, () -> ofFork.commit(repliesTo(ofParent)))
                .problems())
                .extracting(CommitException.Problem::code)
                .containsExactly("foreign_reply", "missing_reply");
        ofParent.commit(repliesTo(ofParent));
        assertThat(fork.messages()).containsExactly(Message.user("Where is Ann?"));
        ofFork.commit(repliesTo(ofFork));
        assertThat(transcript.messages()).hasSize(3);
        assertThat(fork.messages()).hasSize(3);
    }

    @Test
    void aRoundOfTheParentIsStaleOnceTheParentWentOn() {
        var model = new ScriptedModel().call("find_guest", FIND_ANN);
        var transcript = asked();
        var round = round(transcript.step(model).tools(DeskTools.SET).run());
        transcript.fork().user("Elsewhere.");
        transcript.user("Never mind.");
        assertThat(catchThrowableOfType(CommitException.class, () -> round.commit(repliesTo(round))).code())
                .isEqualTo("stale_round");
    }

    @Test
    @SuppressWarnings("NullAway")
    void nullFromABodyThatPromisedAValueIsAnInvalidOutput() {
        var text = call("text");
        var many = call("many");
        List<ToolReply> replies = List.of(text.run((Lookups.Text) text.input(), context -> null),
                text.attempt((Lookups.Text) text.input(), context -> ToolResult.ok(null)),
                text.attempt((Lookups.Text) text.input(), context -> null),
                text.complete((Lookups.Text) text.input(), null),
                many.run((Lookups.Many) many.input(), context -> null));
        assertThat(replies).allSatisfy(reply -> {
            ToolFailure failure = ((ToolOutcome.Failure) reply.outcome()).failure();
            assertThat(failure.code()).isEqualTo("invalid_tool_output");
            assertThat(failure.kind()).isEqualTo(ToolFailure.Kind.INTERNAL);
            assertThat(failure.message()).contains("null");
        });
    }

    @Test
    @SuppressWarnings("NullAway")
    void nullFromABodyThatMayReturnNothingIsNoOutput() {
        var nothing = call("nothing");
        var maybe = call("maybe");
        var tree = call("tree");
        assertThat(List.of(nothing.run((Lookups.Nothing) nothing.input(), context -> null),
                maybe.run((Lookups.Maybe) maybe.input(), context -> Optional.empty()),
                maybe.run((Lookups.Maybe) maybe.input(), context -> null),
                tree.run((Lookups.Tree) tree.input(), context -> null)))
                .allSatisfy(reply -> assertThat(reply.outcome().text()).isEqualTo("(no output)"));
    }

    @Test
    @SuppressWarnings("NullAway")
    void nullFromARawBodyGoesByItsOutputSchema() {
        Json object = Json.of("{\"type\":\"object\"}");
        var free = dynamic(ToolDefinition.raw("later", "Promises nothing.", object));
        var bound = dynamic(ToolDefinition.raw("later", "Promises an object.", object, object));
        assertThat(run(free).text()).isEqualTo("(no output)");
        assertThat(((ToolOutcome.Failure) run(bound)).failure().code()).isEqualTo("invalid_tool_output");
    }

    @Test
    void anInvalidOutputIsCommittedAsAFailure() {
        var model = new ScriptedModel().call("text", "{}");
        var transcript = asked();
        Step<Lookups, String> step = transcript.step(model).tools(LOOKUPS).run();
        var round = ((Step.NeedsTools<Lookups, String>) step).round();
        round.commit(List.of(nullReply(round.expectOne())));
        ReplyPart reply = ((Message.ToolMessage) transcript.messages().getLast()).replies().getFirst();
        assertThat(reply.status()).isEqualTo(ReplyPart.Status.ERROR);
        assertThat(reply.text()).startsWith("Error (invalid_tool_output): ");
    }

    @SuppressWarnings("NullAway")
    private static ToolReply nullReply(ToolCall<Lookups> call) {
        return call.run((Lookups.Text) call.input(), context -> null);
    }

    @SuppressWarnings("NullAway")
    private static ToolOutcome run(ToolCall<Lookups> call) {
        return call.run(((Lookups.Later) call.input()).call(), context -> null).outcome();
    }

    private static ToolCall<Lookups> call(String name) {
        Step<Lookups, String> step = asked().step(new ScriptedModel().call(name, "{}")).tools(LOOKUPS).run();
        return ((Step.NeedsTools<Lookups, String>) step).round().expectOne();
    }

    private static ToolCall<Lookups> dynamic(ToolDefinition tool) {
        Step<Lookups, String> step = asked().step(new ScriptedModel().call("later", "{}"))
                .tools(LOOKUPS)
                .fill(Lookups.Later.class, List.of(tool))
                .run();
        return ((Step.NeedsTools<Lookups, String>) step).round().expectOne();
    }
}

package dev.belay.toolset;

import static dev.belay.toolset.DeskTools.FIND_ANN;
import static dev.belay.toolset.DeskTools.asked;
import static dev.belay.toolset.DeskTools.failureOf;
import static dev.belay.toolset.DeskTools.repliesTo;
import static dev.belay.toolset.DeskTools.round;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.model.FinishReason;
import dev.belay.model.Message;
import dev.belay.model.ModelException;
import dev.belay.model.ModelRequest;
import dev.belay.model.Usage;
import dev.belay.model.script.ScriptStep;
import dev.belay.model.script.ScriptedModel;
import dev.belay.tool.context.Incarnation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TranscriptTest {

    private static final Message HINT = Message.system("It is late.");

    private final ModelException down = new ModelException(ModelException.Kind.UNAVAILABLE, "down");

    @Test
    void messagesStandInTheOrderTheyWereAdded() {
        var transcript = new Transcript().system("Be brief.")
                .user("Hello")
                .ephemeral(HINT)
                .add(Message.assistant("Hi"));
        assertThat(transcript.messages()).containsExactly(Message.system("Be brief."), Message.user("Hello"),
                HINT,
                Message.assistant("Hi"));
    }

    @Test
    void everyChangeIsAnotherVersion() {
        var model = new ScriptedModel().call("find_guest", FIND_ANN).reply("Room 7.").refuse("No.");
        var transcript = new Transcript();
        List<Long> versions = new ArrayList<>(List.of(transcript.version()));
        versions.add(transcript.system("Be brief.").version());
        versions.add(transcript.user("Hello").version());
        versions.add(transcript.ephemeral(HINT).version());
        var round = round(transcript.step(model).tools(DeskTools.SET).run());
        round.commit(repliesTo(round));
        versions.add(transcript.version());
        transcript.step(model).answer();
        versions.add(transcript.version());
        transcript.step(model).answer();
        versions.add(transcript.version());
        assertThat(versions).doesNotHaveDuplicates().isSorted();
    }

    @Test
    void askingAndDroppingChangeNothing() {
        var model = new ScriptedModel().call("find_guest", FIND_ANN).error(down);
        var transcript = asked();
        long before = transcript.version();
        round(transcript.step(model).tools(DeskTools.SET).run()).discard();
        assertThatThrownBy(() -> transcript.step(model).answer()).isInstanceOf(ModelException.class);
        assertThat(transcript.version()).isEqualTo(before);
        assertThat(transcript.messages()).containsExactly(Message.user("Where is Ann?"));
    }

    /** Row 49. */
    @Test
    void ephemeralMessagesAreSentWhereTheyStand() {
        var model = new ScriptedModel().reply("Room 7.");
        asked().ephemeral(HINT).user("Quick!").step(model).answer();
        assertThat(sent(model, 0)).containsExactly(Message.user("Where is Ann?"), HINT,
                Message.user("Quick!"));
    }

    /** Row 49. */
    @Test
    void ephemeralMessagesLeaveWithTheAnswer() {
        var model = new ScriptedModel().reply("Room 7.").refuse("No.").reply("Bye.");
        var transcript = asked().ephemeral(HINT);
        transcript.step(model).answer();
        assertThat(transcript.messages()).containsExactly(Message.user("Where is Ann?"),
                Message.assistant("Room 7."));
        transcript.ephemeral(HINT).step(model).tools(DeskTools.SET).run();
        assertThat(transcript.messages()).doesNotContain(HINT);
        transcript.step(model).answer();
        assertThat(sent(model, 2)).doesNotContain(HINT);
    }

    /** Row 49. */
    @Test
    void ephemeralMessagesLeaveWithTheRound() {
        var model = new ScriptedModel().call("find_guest", FIND_ANN);
        var transcript = asked().ephemeral(HINT);
        var round = round(transcript.step(model).tools(DeskTools.SET).run());
        assertThat(transcript.messages()).contains(HINT);
        assertThatThrownBy(() -> round.commit(List.of())).isInstanceOf(CommitException.class);
        assertThat(transcript.messages()).contains(HINT);
        round.commit(repliesTo(round));
        assertThat(transcript.messages()).hasSize(3).doesNotContain(HINT);
    }

    /** Row 49. */
    @Test
    void ephemeralMessagesStayAfterAFailedStep() {
        var model = new ScriptedModel().error(down)
                .then(ScriptStep.text("Roo").finish(FinishReason.LENGTH))
                .then(ScriptStep.text(""))
                .reply("not JSON")
                .reply("again not JSON")
                .call("find_guest", FIND_ANN)
                .call("find_guest", FIND_ANN)
                .reply("Room 7.");
        var transcript = asked().ephemeral(HINT);
        assertThatThrownBy(() -> transcript.step(model).answer()).isInstanceOf(ModelException.class);
        assertThat(failureOf(() -> transcript.step(model).answer()).code()).isEqualTo("output_limit");
        assertThat(failureOf(() -> transcript.step(model).answer()).code()).isEqualTo("empty_reply");
        assertThat(failureOf(() -> transcript.step(model).as(DeskTools.Guest.class).answer()).code())
                .isEqualTo("invalid_structured_output");
        assertThat(failureOf(() -> transcript.step(model).answer()).code()).isEqualTo("unexpected_tool_call");
        round(transcript.step(model).tools(DeskTools.SET).run()).close();
        assertThat(transcript.messages()).containsExactly(Message.user("Where is Ann?"), HINT);
        transcript.step(model).answer();
        assertThat(sent(model, 7)).contains(HINT);
        assertThat(transcript.messages()).doesNotContain(HINT);
    }

    @Test
    void forkSharesThePast() {
        var transcript = asked().add(Message.assistant("Which Ann?")).ephemeral(HINT);
        assertThat(transcript.fork().messages()).isSameAs(transcript.messages()).hasSize(3);
    }

    @Test
    void whatIsSentSharesThePast() {
        var model = new ScriptedModel().reply("Room 7.");
        var transcript = asked();
        List<Message> before = transcript.messages();
        transcript.step(model).answer();
        assertThat(sent(model, 0)).isSameAs(before).hasSize(1);
        assertThat(transcript.messages()).hasSize(2);
    }

    @Test
    void messagesBesideEphemeralOnesStay() {
        var model = new ScriptedModel().reply("Room 7.").reply("Room 8.");
        var transcript = asked().ephemeral(HINT).user("Quick!").ephemeral(HINT);
        var fork = transcript.fork();
        transcript.step(model).answer();
        assertThat(transcript.messages()).containsExactly(Message.user("Where is Ann?"),
                Message.user("Quick!"),
                Message.assistant("Room 7."));
        assertThat(fork.messages()).containsExactly(Message.user("Where is Ann?"), HINT,
                Message.user("Quick!"),
                HINT);
        fork.user("Really!").step(model).answer();
        assertThat(fork.messages()).containsExactly(Message.user("Where is Ann?"), Message.user("Quick!"),
                Message.user("Really!"), Message.assistant("Room 8."));
    }

    @Test
    void forksGoTheirOwnWay() {
        var model = new ScriptedModel().reply("Room 7.").reply("Room 8.");
        var transcript = asked().ephemeral(HINT);
        var fork = transcript.fork();
        fork.step(model).answer();
        assertThat(transcript.messages()).containsExactly(Message.user("Where is Ann?"), HINT);
        transcript.user("Which floor?").step(model).answer();
        assertThat(fork.messages()).containsExactly(Message.user("Where is Ann?"),
                Message.assistant("Room 7."));
        assertThat(transcript.messages()).containsExactly(Message.user("Where is Ann?"),
                Message.user("Which floor?"),
                Message.assistant("Room 8."));
    }

    @Test
    void forkHasItsOwnIncarnationAndKeys() {
        var model = new ScriptedModel().call("find_guest", FIND_ANN).call("find_guest", FIND_ANN);
        var transcript = asked();
        var fork = transcript.fork();
        assertThat(fork.incarnation()).isNotEqualTo(transcript.incarnation());
        assertThat(keyOfTheCall(transcript, model)).isNotEqualTo(keyOfTheCall(fork, model));
    }

    @Test
    void theSameIncarnationGivesTheSameKeys() {
        var model = new ScriptedModel().call("find_guest", FIND_ANN).call("find_guest", FIND_ANN);
        var incarnation = Incarnation.random();
        var transcript = new Transcript(incarnation).user("Ring!");
        assertThat(transcript.incarnation()).isEqualTo(incarnation);
        var fork = transcript.fork(incarnation);
        assertThat(fork.incarnation()).isEqualTo(incarnation);
        assertThat(keyOfTheCall(transcript, model)).isEqualTo(keyOfTheCall(fork, model));
    }

    @Test
    void aDroppedRoundAndTheNextHaveDifferentKeys() {
        var model = new ScriptedModel().call("find_guest", FIND_ANN).call("find_guest", FIND_ANN);
        var transcript = asked();
        assertThat(keyOfTheCall(transcript, model)).isNotEqualTo(keyOfTheCall(transcript, model));
    }

    @Test
    void forkGoesOnCountingRounds() {
        var model = new ScriptedModel().then(ScriptStep.text("").andCall("", "ring", "{}"))
                .then(ScriptStep.text("").andCall("", "ring", "{}"));
        var transcript = asked();
        var first = round(transcript.step(model).tools(DeskTools.SET).run());
        first.commit(repliesTo(first));
        var second = round(transcript.fork().step(model).tools(DeskTools.SET).run());
        assertThat(first.expectOne().id().value()).isEqualTo("call_0_0");
        assertThat(second.expectOne().id().value()).isEqualTo("call_1_0");
    }

    @Test
    void usageIsOfThisTranscriptAlone() {
        var model = new ScriptedModel().then(ScriptStep.text("Room 7.").usage(Usage.of(20, 3)))
                .then(ScriptStep.text("Bye.").usage(Usage.of(30, 2)));
        var transcript = asked();
        transcript.step(model).answer();
        var fork = transcript.fork();
        assertThat(fork.usage()).isEqualTo(Usage.of(0, 0));
        fork.step(model).answer();
        assertThat(transcript.usage()).isEqualTo(Usage.of(20, 3));
        assertThat(fork.usage()).isEqualTo(Usage.of(30, 2));
    }

    @Test
    void lastResponseIsTheNewestWholeOne() {
        var model = new ScriptedModel().then(ScriptStep.text("Room 7.").usage(Usage.of(20, 3)))
                .then(ScriptStep.text("Ro").thenError(down));
        var transcript = asked();
        assertThat(transcript.lastResponse()).isEmpty();
        transcript.step(model).answer();
        assertThatThrownBy(() -> transcript.step(model).answer()).isInstanceOf(ModelException.class);
        assertThat(transcript.lastResponse()).hasValueSatisfying(response -> {
            assertThat(response.text()).isEqualTo("Room 7.");
            assertThat(response.usage()).isEqualTo(Usage.of(20, 3));
        });
    }

    @Test
    void aRoundBelongsToTheVersionItWasAskedOn() {
        var model = new ScriptedModel().call("ring", "{}");
        var transcript = asked();
        StepException stale = failureOf(() -> transcript.step(model)
                .listener(event -> addOnce(transcript, "Hurry!"))
                .tools(DeskTools.SET)
                .run());
        assertThat(stale.code()).isEqualTo("stale_round");
        assertThat(stale.partial().orElseThrow().calls()).hasSize(1);
        assertThat(transcript.messages()).containsExactly(Message.user("Where is Ann?"),
                Message.user("Hurry!"));
    }

    @Test
    void anAnswerToWhatHasChangedMeanwhileIsNotAppended() {
        var model = new ScriptedModel().reply("Room 7.");
        var transcript = asked();
        StepException stale = failureOf(() -> transcript.step(model)
                .listener(event -> addOnce(transcript, "I mean Bob."))
                .answer());
        assertThat(stale.code()).isEqualTo("stale_round");
        assertThat(stale.text()).isEqualTo("Room 7.");
        assertThat(transcript.messages()).containsExactly(Message.user("Where is Ann?"),
                Message.user("I mean Bob."));
    }

    private static void addOnce(Transcript transcript, String text) {
        if (transcript.messages().size() == 1) {
            transcript.user(text);
        }
    }

    private static String keyOfTheCall(Transcript transcript, ScriptedModel model) {
        var call = round(transcript.step(model).tools(DeskTools.SET).run()).expectOne();
        List<String> keys = new ArrayList<>();
        call.run((DeskTools.FindGuest) call.input(), context -> {
            keys.add(context.idempotencyKey().toString());
            return new DeskTools.Guest("Ann", 7);
        });
        assertThat(keys).hasSize(1);
        return keys.getFirst();
    }

    private static List<Message> sent(ScriptedModel model, int request) {
        ModelRequest asked = model.requests().get(request);
        return asked.messages();
    }
}

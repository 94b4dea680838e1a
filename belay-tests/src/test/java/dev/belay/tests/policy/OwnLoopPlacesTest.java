package dev.belay.tests.policy;

import static dev.belay.tests.policy.ApprovalBench.decide;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.operate.OpenApproval;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.policy.Match;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.policy.PolicyRule;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.tool.ToolProvider;
import dev.belay.toolbox.file.FileRules;
import dev.belay.toolbox.file.FileTools;
import dev.belay.toolset.RoundEnd;
import dev.belay.toolset.Step;
import dev.belay.toolset.ToolReply;
import dev.belay.toolset.Toolset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In a program's own loop a provider prepares calls when the round is delivered: policy, loop and body have the same input. */
@ApprovalCase.InOwnLoops
class OwnLoopPlacesTest extends ApprovalCase {

    private static final Toolset<ApprovalBench.AnyTool> TOOLS = Toolset.of(ApprovalBench.AnyTool.class);

    /** Arguments that the loop was given, in the order of its entries. */
    private final List<String> given = new CopyOnWriteArrayList<>();
    private Path root = Path.of("");

    @BeforeEach
    void files() throws Exception {
        root = Files.createDirectories(folder.resolve("workspace"));
        Files.createDirectories(root.resolve("prod"));
        Files.writeString(root.resolve("prod/pay.csv"), "boss,1000000");
        Files.createSymbolicLink(root.resolve("readme.txt"), Path.of("prod/pay.csv"));
    }

    private ToolProvider tools() {
        return FileTools.writing(root, FileRules.DEFAULT);
    }

    private void loop(OpenTurn turn) {
        while (turn.step()
                .tools(TOOLS)
                .fill(ApprovalBench.AnyTool.Any.class, tools())
                .run() instanceof Step.NeedsTools<ApprovalBench.AnyTool, String>(var round)) {
            List<ToolReply> replies = round.calls().stream().map(call -> {
                var in = ((ApprovalBench.AnyTool.Any) call.input()).call();
                given.add(in.arguments().at("/path").orElseThrow().text());
                return call.attempt(in, context -> tools().execute(in, context));
            }).toList();
            if (!(round.commit(replies) instanceof RoundEnd.Committed)) {
                return;
            }
        }
    }

    private Belay worker(Policy policy, String tool, String arguments) {
        Belay belay = bench.stores.worker(ApprovalBench.once(new CallPart("a", tool, arguments)),
                builder -> builder.policy(policy));
        belay.onReady("desk", this::loop);
        return belay;
    }

    private InputHandle begin(Belay belay) {
        try (OpenTurn turn = belay.session("s").begin("Go.", "in", "desk")) {
            loop(turn);
        }
        return belay.session("s").input("in").orElseThrow();
    }

    private Belay asking(String tool, String arguments) {
        return worker(Policy.rules(PolicyRule.ask("changes").tools("*_file")), tool, arguments);
    }

    @ParameterizedTest
    @ValueSource(strings = {"./prod/pay.csv", "prod//pay.csv", "readme.txt"})
    void aFileIsDeniedHoweverTheModelSpellsItAndTheLoopSeesTheOneSpelling(String spelling) throws Exception {
        InputHandle input = begin(worker(
                Policy.rules(PolicyRule.deny("no-pay").where("/path", Match.prefix("prod/"))), "read_file",
                "{\"path\":\"" + spelling + "\"}"));

        assertThat(input.awaitCommit().text()).isEqualTo("done: Rejected: denied by rule \"no-pay\"");
        assertThat(given).containsExactly("\"prod/pay.csv\"");
    }

    @Test
    void anApprovedWriteRunsWithWhatWasFrozenWhenTheRoundWasDelivered() throws Exception {
        Belay belay = asking("write_file", "{\"path\":\"./prod/pay.csv\",\"content\":\"boss,1\"}");
        InputHandle input = begin(belay);
        assertThat(ApprovalBench.only(belay).request().call().arguments().at("/path"))
                .contains(Json.string("prod/pay.csv"));

        decide(belay, ApprovalAnswer.once());

        assertThat(input.awaitCommit().text()).startsWith("done: ");
        assertThat(root.resolve("prod/pay.csv")).hasContent("boss,1");
        assertThat(given).containsExactly("\"prod/pay.csv\"", "\"prod/pay.csv\"");
    }

    @Test
    void aFileThatChangesWhileItsCallWaitsIsNotWritten() throws Exception {
        Belay belay = asking("edit_file",
                "{\"path\":\"readme.txt\",\"find\":\"boss\",\"replace\":\"clerk\"}");
        InputHandle input = begin(belay);
        OpenApproval shown = ApprovalBench.only(belay);
        Files.writeString(root.resolve("prod/pay.csv"), "boss,1000000 and a bonus");

        belay.approvals().decide(shown.keyId(), shown.request().digest(), ApprovalAnswer.once());

        assertThat(input.awaitCommit().text()).contains("prepared_tool_mismatch");
        assertThat(root.resolve("prod/pay.csv")).hasContent("boss,1000000 and a bonus");
    }

    @Test
    void argumentsThatAPersonSendsAreSpelledBeforeTheyAreDecidedAbout() throws Exception {
        Belay belay = worker(Policy.rules(PolicyRule.ask("writes").tools("write_file"),
                PolicyRule.deny("no-pay").where("/path", Match.prefix("prod/"))), "write_file",
                "{\"path\":\"notes.txt\",\"content\":\"x\"}");
        InputHandle input = begin(belay);
        decide(belay, ApprovalAnswer.edit(Json.of("{\"path\":\"./prod/pay.csv\",\"content\":\"x\"}")));

        assertThat(input.awaitCommit().text()).isEqualTo("done: Rejected: denied by rule \"no-pay\"");
        assertThat(root.resolve("prod/pay.csv")).hasContent("boss,1000000");
    }

    @Test
    void aPlaceOutsideIsRefusedBeforeTheLoopHasTheCall() throws Exception {
        InputHandle input = begin(asking("write_file", "{\"path\":\"../x\",\"content\":\"x\"}"));

        assertThat(input.awaitCommit().text()).contains("outside_workspace");
        assertThat(given).isEmpty();
    }
}

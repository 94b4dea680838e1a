package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.model.Part.CallPart;
import dev.belay.model.ToolSpec;
import dev.belay.runtime.Belay;
import dev.belay.runtime.session.Session;
import dev.belay.tool.ToolCaller;
import dev.belay.tool.ToolContract;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolId;
import dev.belay.tool.ToolManifest;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.call.PreparedCall;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Contract C.6: a provider that lists manifests, and is asked for contracts when they are needed. */
class ListedToolsTest {

    private static final String OPEN = "{\"type\":\"object\"}";
    private static final String STRICT = "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}},\"required\":[\"n\"]}";

    private final SessionBench bench = new SessionBench();
    private final Remote remote = new Remote();
    private final List<List<ToolSpec>> offered = new CopyOnWriteArrayList<>();

    /** A server of tools, reached when it is up. */
    private static class Remote implements ToolProvider {

        final List<String> asked = new CopyOnWriteArrayList<>();
        volatile List<ToolManifest> listed = List.of(tool("near", ToolEffect.READ).manifest(),
                tool("far", ToolEffect.READ).manifest());
        volatile String schema = STRICT;
        volatile boolean down;

        @Override
        public List<ToolManifest> manifests() {
            return listed;
        }

        @Override
        public Optional<ToolContract> contract(ToolId id) {
            asked.add(id.value());
            if (down) {
                throw new IllegalStateException("connection refused");
            }
            return Optional.of(ToolDefinition.raw("any", "Any.", Json.of(schema)).contract());
        }

        @Override
        public Object execute(PreparedCall call) {
            return call.name() + " " + call.arguments();
        }
    }

    @AfterEach
    void close() {
        bench.close();
    }

    /** Calls the tool once in each turn. */
    private Session session(String tool, String arguments) {
        Belay belay = bench.open(model(request -> {
            offered.add(request.tools());
            return SessionBench.roundsSinceUser(request) == 0
                    ? calls(List.of(new CallPart("a", tool, arguments)))
                    : text(SessionBench.lastReplies(request));
        }), builder -> builder.tools(remote));
        return belay.session("s");
    }

    @Test
    void manifestsAloneRegisterAndContractsAreAskedForOnceWhenOffered() throws Exception {
        Session session = session("near", "{\"n\":1}");
        assertThat(session.tools().list()).hasSize(2);
        assertThat(remote.asked).isEmpty();
        assertThat(session.turn("Go.").run().ended().text()).isEqualTo("near {\"n\":1}");
        assertThat(session.turn("Again.").run().ended().text()).isEqualTo("near {\"n\":1}");
        assertThat(remote.asked).containsExactlyInAnyOrder("tool:near", "tool:far");
        assertThat(offered.getFirst()).extracting(spec -> spec.inputSchema().text()).containsOnly(STRICT);
    }

    @Test
    void theContractIsObeyed() throws Exception {
        assertThat(session("near", "{}").turn("Go.").run().ended().text())
                .startsWith("Error (invalid_arguments): ")
                .contains("required field \"n\" is missing");
    }

    @Test
    void aContractThatHasChangedWithItsManifestIsAskedForAgain() throws Exception {
        Session session = session("near", "{}");
        session.turn("Go.").run();
        remote.schema = OPEN;
        assertThat(session.turn("Go.").run().ended().text()).startsWith("Error (invalid_arguments): ");
        remote.listed = List.of(tool("near", ToolEffect.READ).version(2).manifest(), remote.listed.get(1));
        assertThat(session.turn("Go.").run().ended().text()).isEqualTo("near {}");
        assertThat(remote.asked).containsExactlyInAnyOrder("tool:near", "tool:far", "tool:near");
    }

    @Test
    void aContractThatCannotBeHadFailsOneCallAndIsAskedForAgain() throws Exception {
        remote.down = true;
        Session session = session("near", "{}");
        assertThat(session.turn("Go.").run().ended().text()).isEqualTo(
                "Error (tool_contract_unavailable): tool near is listed, but what it takes is not known now; try again later");
        assertThat(offered.getFirst()).extracting(spec -> spec.inputSchema().text()).containsOnly(OPEN);
        remote.down = false;
        assertThat(session.turn("Go.").run().ended().text()).startsWith("Error (invalid_arguments): ");
    }

    @Test
    void aContractHoldsAlsoIfTheDefinitionSaysOtherwise() throws Exception {
        var both = new Remote() {
            @Override
            public List<ToolDefinition> definitions() {
                return List.of(ToolDefinition.raw("near", "Near.", Json.of(OPEN)));
            }
        };
        assertThat(ToolCaller.of(both).call("near", "{}").code()).contains("invalid_arguments");
        Belay belay = bench.open(SessionBench.calling(List.of(call("a", "near")), List.of()),
                builder -> builder.tools(both));
        belay.session("s").turn("Go.").run();
        assertThat(belay.session("s").calls(1).getFirst().outcome().orElseThrow().code())
                .contains("invalid_arguments");
    }

    @Test
    void aProviderThatListsNothingIsRefusedWithTheRemedy() {
        ToolProvider nothing = prepared -> "ran";
        assertThatThrownBy(() -> bench.open(SessionBench.calling(), builder -> builder.tools(nothing)))
                .isInstanceOfSatisfying(BelayException.class,
                        e -> assertThat(e.code()).isEqualTo("source_unreadable"))
                .hasMessageContaining("override definitions(), or manifests() together with contract(id)");
    }
}

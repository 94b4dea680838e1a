package dev.belay.tests.plugin;

import static dev.belay.tests.plugin.PluginBench.plugin;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.Message;
import dev.belay.model.ModelRequest;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.plugin.Contribution;
import dev.belay.runtime.plugin.SessionPlugin;
import dev.belay.runtime.plugin.Slot;
import dev.belay.tests.session.SessionBench;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Contract O.8: what plugins put around the conversation. */
class PromptTest {

    private static final CallPart ONE = new CallPart("a", "add_step", "{\"step\":\"one\"}");

    private final PluginBench bench = new PluginBench();

    private static SessionPlugin text(Slot slot, String text) {
        return on -> on.prompt().contribute(text, slot, view -> text);
    }

    @Test
    void instructionsComeFirstThenTheSlotsInOrder() throws Exception {
        try (Belay belay = PluginBench.builder()
                .model(bench.calling())
                .instructions("Be short.")
                .plugin(plugin("t", text(Slot.TOOLS, "tools")))
                .plugin(plugin("v", text(Slot.VOLATILE, "now")))
                .plugin(plugin("e", text(Slot.ENVIRONMENT, "environment")))
                .plugin(plugin("s", on -> {
                    on.prompt().contribute(new Contribution("late", Slot.SYSTEM, 5, null, view -> "late"));
                    on.prompt().contribute(new Contribution("early", Slot.SYSTEM, -5, null, view -> "early"));
                }))
                .build()) {
            belay.session("s").turn("Hello.").run();
            belay.session("s").turn("Again.").run();
        }
        ModelRequest last = bench.requests.get(1);
        assertThat(PluginBench.system(last)).isEqualTo("Be short.\n\nearly\n\nlate\n\nenvironment\n\ntools");
        assertThat(last.messages()).hasSize(5);
        assertThat(last.messages().getLast()).isEqualTo(Message.user("now"));
        assertThat(last.messages().get(1)).isEqualTo(Message.user("Hello."));
    }

    @Test
    void equalTextsOfASlotAreSentOnceAndEmptyOnesNotAtAll() throws Exception {
        try (Belay belay = bench.open(bench.calling(), plugin("a", text(Slot.SYSTEM, "same")),
                plugin("b", text(Slot.SYSTEM, " same ")), plugin("c", text(Slot.VOLATILE, " ")))) {
            belay.session("s").turn("Hello.").run();
        }
        assertThat(bench.requests.getFirst().messages()).containsExactly(Message.system("same"),
                Message.user("Hello."));
    }

    @Test
    void aContributionThatIsGatedOnAToolIsSentOnlyIfThatIsOffered() throws Exception {
        try (Belay belay = bench.open(bench.calling(), new PlanPlugin(),
                plugin("a", on -> {
                    on.prompt().contribute(new Contribution("yes", Slot.TOOLS, 0, "add_step", view -> "yes"));
                    on.prompt().contribute(new Contribution("no", Slot.TOOLS, 0, "other", view -> "no"));
                }))) {
            belay.session("s").turn("Hello.").run();
        }
        assertThat(PluginBench.system(bench.requests.getFirst())).isEqualTo("yes");
    }

    @Test
    void aContributionThatFailsIsLeftOutAndTheOthersAreSent() throws Exception {
        try (Belay belay = bench.open(bench.calling(), plugin("a", text(Slot.SYSTEM, "before")),
                plugin("b", on -> {
                    on.prompt().contribute("throws", Slot.SYSTEM, view -> {
                        throw new IllegalStateException("no");
                    });
                    on.prompt().contribute("large", Slot.SYSTEM, view -> "x".repeat(10_000_000));
                    on.prompt().contribute("wide", Slot.SYSTEM, view -> "字".repeat(21_846)); // 2 bytes over 64 KiB
                }), plugin("c", text(Slot.SYSTEM, "after")))) {
            belay.session("s").turn("Hello.").run();
            assertThat(belay.session("s").request(1, 1).orElseThrow().failed()).as("recorded")
                    .satisfiesExactly(one -> assertThat(one).startsWith("b/throws: ").contains("no"),
                            one -> assertThat(one).contains("b/large: ", "10000000 bytes; it may have 65536"),
                            one -> assertThat(one).contains("b/wide: ", "65538 bytes; it may have 65536"));
        }
        assertThat(PluginBench.system(bench.requests.getFirst())).isEqualTo("before\n\nafter");
    }

    @Test
    void overTwoHundredRoundsThePrefixChangesOnlyWhenAContributionDoes() throws Exception {
        var version = new AtomicInteger();
        var rounds = 200;
        var model = SessionBench.model(request -> {
            bench.requests.add(request);
            int asked = bench.requests.size();
            version.set(asked / 100);
            return asked % 20 == 0
                    ? SessionBench.text("done")
                    : SessionBench
                            .calls(List.of(new CallPart("a" + asked, "add_step", "{\"step\":\"one\"}")));
        });
        try (Belay belay = bench.open(model, new PlanPlugin(),
                plugin("a", on -> on.prompt()
                        .contribute("a", Slot.ENVIRONMENT, view -> "version " + version.get())))) {
            for (int i = 0; i < rounds / 20; i++) {
                belay.session("s").turn("Go " + i).run();
            }
        }
        int changes = 0;
        for (int i = 1; i < bench.requests.size(); i++) {
            List<Message> before = new ArrayList<>(bench.requests.get(i - 1).messages());
            before.removeLast(); // the volatile text
            List<Message> now = bench.requests.get(i).messages();
            changes += now.subList(0, before.size()).equals(before) ? 0 : 1;
        }
        assertThat(bench.requests).hasSize(rounds);
        assertThat(changes).isEqualTo(1);
    }

    @Test
    void aPluginLeavesToolsOutAndACallOfOneIsUnavailable() throws Exception {
        try (Belay belay = bench.open(bench.calling(List.of(ONE)), new PlanPlugin(),
                plugin("a", on -> on.catalog().offer((view, tool) -> !tool.name().equals("add_step"))))) {
            belay.session("s").turn("Hello.").run();
        }
        assertThat(bench.requests.getFirst().tools()).isEmpty();
        assertThat(bench.requests.get(1).messages().toString()).contains("tool_unavailable");
    }
}

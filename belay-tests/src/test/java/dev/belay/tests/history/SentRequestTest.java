package dev.belay.tests.history;

import static dev.belay.tests.history.HistoryBench.look;
import static dev.belay.tests.history.HistoryBench.plugin;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.model.Message;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.history.SentRequest;
import dev.belay.runtime.output.ToolOutputBudgetConfig;
import dev.belay.runtime.plugin.OutputBudgetPlugin;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.plugin.Slot;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.session.TurnSettings;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.memory.InMemoryStore;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.store.jdbc.JdbcStore;
import java.io.StringReader;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Contract O.8: {@code session.request(turn, round)} shows exactly what was sent. */
class SentRequestTest {

    private final HistoryBench bench = new HistoryBench();

    private Belay open(UnaryOperator<BelayBuilder> more) {
        return more.apply(Belay.builder()
                .store(new SharedMemory().open())
                .model(bench.looking(1))
                .tools(look(1))
                .instructions("Be brief.")
                .maxContextTokens(6_000)
                .plugin(clock()))
                .build();
    }

    private static PluginFactory clock() {
        var count = new AtomicInteger();
        return plugin("clock", on -> {
            on.prompt().contribute("rules", Slot.SYSTEM, view -> "Rules of turn " + view.turn() / 3);
            on.prompt()
                    .contribute("time", Slot.VOLATILE,
                            view -> "It is " + count.incrementAndGet() + " o'clock.");
        });
    }

    private void everyRoundIsFound(Session session, int turns) {
        int sent = 0;
        for (int turn = 1; turn <= turns; turn++) {
            for (int round = 1; round <= 2; round++) {
                SentRequest found = session.request(turn, round).orElseThrow();
                assertThat(found.messages()).as("turn %s, round %s", turn, round)
                        .isEqualTo(bench.requests.get(sent++).messages());
                assertThat(found.model()).isEqualTo("default");
            }
            assertThat(session.request(turn, 3)).isEmpty();
        }
        assertThat(session.request(turns + 1, 1)).isEmpty();
    }

    /** Where sessions are kept. */
    enum Kept {
        BY_DEFAULT, IN_SHARED_MEMORY, IN_A_FILE
    }

    private final SharedMemory memory = new SharedMemory();

    private Store store(Kept kept, Path folder) {
        return switch (kept) {
            case BY_DEFAULT -> InMemoryStore.open();
            case IN_SHARED_MEMORY -> memory.open();
            case IN_A_FILE -> JdbcStore.sqlite(folder.resolve("s.db"));
        };
    }

    @ParameterizedTest
    @EnumSource
    void eachRoundOfEachTurnIsFoundAcrossCompactions(Kept kept, @TempDir Path folder) throws Exception {
        try (Belay belay = open(builder -> builder.store(store(kept, folder)))) {
            Session session = belay.session("s");
            for (int i = 0; i < 25; i++) {
                session.turn("Question " + i).run();
            }
            assertThat(session.history()).hasSizeGreaterThan(2);
            everyRoundIsFound(session, 25);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "BY_DEFAULT", mode = EnumSource.Mode.EXCLUDE)
    void itIsFoundWhenTheRecordsOfCallsAreGone(Kept kept, @TempDir Path folder) throws Exception {
        try (Belay belay = open(builder -> builder.store(store(kept, folder)))) {
            for (int i = 0; i < 8; i++) {
                belay.session("s").turn("Question " + i).run();
            }
        }
        try (Store store = store(kept, folder)) {
            assertThat(store.collectEffects(Instant.parse("2200-01-01T00:00:00Z")))
                    .as("one call in each of the turns")
                    .isEqualTo(8);
        }
        try (Belay belay = open(builder -> builder.store(store(kept, folder)))) {
            everyRoundIsFound(belay.session("s"), 8);
            assertThat(belay.session("s").turn("And now?").run()).isInstanceOf(TurnResult.Finished.class);
        }
    }

    @Test
    void outputsAreShownAsTheyWereAlsoUnderASmallerBudget() throws Exception {
        try (Belay belay = open(builder -> builder.store(memory.open()))) {
            belay.session("s").turn("Look.").run();
        }
        try (Belay belay = open(builder -> builder.store(memory.open())
                .configurePlugins(stack -> stack.replace(
                        new OutputBudgetPlugin(ToolOutputBudgetConfig.DEFAULT.withLimit(200)))))) {
            everyRoundIsFound(belay.session("s"), 1);
        }
    }

    @Test
    void aClientReadsItFromAFileWhoseRuntimeIsGone(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("s.db");
        try (Belay belay = open(builder -> builder.store(JdbcStore.sqlite(file)))) {
            for (int i = 0; i < 8; i++) {
                belay.session("s").turn("Question " + i).run();
            }
        }
        try (var client = Belay.client(JdbcStore.sqlite(file))) {
            everyRoundIsFound(client.session("s"), 8);
            assertThat(client.session("s").history()).isNotEmpty();
        }
    }

    @Test
    void instructionsThatHaveChangedSinceAreShownAsTheyWere() throws Exception {
        try (Belay belay = open(builder -> builder.store(memory.open())
                .plugins(dev.belay.runtime.plugin.PluginStack.runtime()))) {
            Session session = belay.session("s");
            session.turn("One").run();
            session.config().set(TurnSettings.NONE.withInstructions("Be verbose."));
            session.turn("Two").run();
            session.turn("Three").instructions("Sing.").run();
            session.turn("Four").run();
        }
        try (Belay belay = open(builder -> builder.store(memory.open()).instructions("Be rude."))) {
            everyRoundIsFound(belay.session("s"), 4);
            assertThat(belay.session("s").request(3, 1).orElseThrow().messages().getFirst())
                    .isEqualTo(Message.system("Sing."));
        }
    }

    @Test
    void aLoopOfYourOwnIsShownToo() {
        try (Belay belay = Belay.builder()
                .store(new SharedMemory().open())
                .model(bench.looking(0))
                .maxContextTokens(3_000)
                .build()) {
            Session session = belay.session("s");
            for (int i = 0; i < 12; i++) {
                try (OpenTurn turn = session.begin("Question " + i + " word".repeat(300))) {
                    turn.step().answer();
                }
            }
            assertThat(session.history()).isNotEmpty();
            for (int i = 0; i < 12; i++) {
                assertThat(session.request(i + 1, 1).orElseThrow().messages())
                        .isEqualTo(bench.requests.get(i).messages());
            }
        }
    }

    @Test
    void aTurnThatIsNotCommittedIsShownWhereItsAgentIsDefined() {
        try (Belay belay = Belay.builder()
                .model(bench.looking(0))
                .instructions("Be brief.")
                .store(memory.open())
                .build(); OpenTurn turn = belay.session("s").begin("Question")) {
            turn.step().answer();
            assertThat(belay.session("s").request(1, 1).orElseThrow().messages())
                    .containsExactly(Message.system("Be brief."), Message.user("Question"));
            try (var client = Belay.client(memory.open())) {
                assertThatThrownBy(() -> client.session("s").request(1, 1)).isInstanceOfSatisfying(
                        BelayException.class, e -> assertThat(e.code()).isEqualTo("request_not_kept"));
            }
        }
    }

    private static void isNotKept(Session session, String why) {
        assertThatThrownBy(() -> session.request(2, 1)).hasMessageContaining(why)
                .isInstanceOfSatisfying(BelayException.class,
                        e -> assertThat(e.code()).isEqualTo("request_not_kept"));
    }

    @ParameterizedTest
    @EnumSource
    void aForkShowsTheTurnsThatItWasMadeWithAsLongAsTheSessionThatRanThemIsThere(Kept kept,
            @TempDir Path folder) throws Exception {
        try (Belay belay = open(builder -> builder.store(store(kept, folder)))) {
            for (int i = 0; i < 8; i++) {
                belay.session("s").turn("Question " + i).run();
            }
            Session fork = belay.session("s").fork("fork");
            fork.fork("fork of it").turn("And now?").run();
            everyRoundIsFound(fork, 8);
            everyRoundIsFound(belay.session("fork of it"), 9);
            belay.session("s").delete();
            belay.session("s").turn("Another session of that name.").run();
            isNotKept(fork, "session s has run this turn, and was deleted");
            isNotKept(belay.session("fork of it"), "session s has run this turn, and was deleted");
            assertThat(belay.session("fork of it").request(9, 1)).as("its own turn").isPresent();
        }
    }

    @ParameterizedTest
    @EnumSource
    void anImportNamesTheSessionThatHasTheRecordsOfTheTurnsThatItWasMadeWith(Kept kept, @TempDir Path folder)
            throws Exception {
        try (Belay belay = open(builder -> builder.store(store(kept, folder)))) {
            for (int i = 0; i < 3; i++) {
                belay.session("s").turn("Question " + i).run();
            }
            var lines = new StringBuilder();
            belay.session("s").export(lines);
            Session copy = belay.importSession(new StringReader(lines.toString()), "copy");
            copy.turn("And now?").run();
            isNotKept(copy, "it was imported from an export of session s,");
            assertThat(copy.request(4, 1).orElseThrow().messages()).as("its own turn")
                    .isEqualTo(bench.requests.get(6).messages());
        }
    }
}

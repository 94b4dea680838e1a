package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.runtime.Belay;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.TurnInfo;
import dev.belay.runtime.session.TurnResult;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.context.IdempotencyKey;
import dev.belay.tool.context.Incarnation;
import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sessions that are copied: forks, exports, imports, and imports of what was damaged on the way. */
class ExportTest {

    private final SessionBench bench = new SessionBench();

    @AfterEach
    void close() {
        bench.close();
    }

    private Belay belay() {
        return bench.open(calling(List.of(call("a", "look"))),
                builder -> builder.tools(StaticToolProvider.builder()
                        .raw(tool("look", ToolEffect.READ), (arguments, context) -> "seen")
                        .raw(tool("more", ToolEffect.READ), (arguments, context) -> "more")
                        .build()));
    }

    private static String exported(Session session) throws IOException {
        var out = new StringBuilder();
        session.export(out);
        return out.toString();
    }

    @Test
    void aSessionThatIsReadAgainGoesOnLikeTheFirst() throws Exception {
        Belay belay = belay();
        Session session = belay.session("s");
        session.turn("one").id("1").run();
        session.tools().setMembership(List.of("more"), false);
        session.turn("two").id("2").run();
        Session copy = belay.importSession(new StringReader(exported(session)), "copy");
        assertThat(copy.messages()).isEqualTo(session.messages());
        assertThat(copy.tools().catalog().names()).containsExactly("look");
        assertThat(copy.turn(2).orElseThrow().row().end())
                .isEqualTo(session.turn(2).orElseThrow().row().end());
        assertThat(copy.turn("three").run().turn()).isEqualTo(3);
        assertThat(copy.head().orElseThrow().incarnation())
                .isNotEqualTo(session.head().orElseThrow().incarnation());
        String again = exported(belay.importSession(new StringReader(exported(session)), "again"));
        assertThat(inner(again)).isEqualTo(inner(exported(session)));
    }

    /** All but the head, which has the name, and the end, which has the hash. */
    private static List<String> inner(String lines) {
        List<String> all = lines.lines().toList();
        return all.subList(1, all.size() - 1);
    }

    @Test
    void aNameThatIsTakenIsNotOverwritten() throws Exception {
        Belay belay = belay();
        belay.session("s").turn("one").run();
        String file = exported(belay.session("s"));
        assertThatThrownBy(() -> belay.importSession(new StringReader(file), "s"))
                .isInstanceOfSatisfying(BelayException.class,
                        e -> assertThat(e.code()).isEqualTo("session_exists"));
    }

    @Test
    void whateverIsDamagedIsRefusedWithItsLineAndNothingIsMade() throws Exception {
        Belay belay = belay();
        belay.session("s").turn("one").id("1").run();
        belay.session("s").turn("two").id("2").run();
        String whole = exported(belay.session("s"));
        var random = new Random(7);
        for (int i = 0; i < 2_000; i++) {
            int at = random.nextInt(whole.length());
            String damaged = switch (i % 4) {
                case 0 -> whole.substring(0, at);
                case 1 ->
                    whole.substring(0, at) + (char) (' ' + random.nextInt(90)) + whole.substring(at + 1);
                case 2 -> whole.substring(0, at) + whole.substring(Math.min(whole.length(), at + 40));
                default -> whole + "{}";
            };
            if (!damaged.equals(whole) && !damaged.equals(whole.stripTrailing())) {
                assertThatThrownBy(() -> belay.importSession(new StringReader(damaged), "copy"))
                        .as("try %s", i)
                        .isInstanceOfSatisfying(BelayException.class,
                                e -> assertThat(e.code()).isEqualTo("invalid_export"))
                        .hasMessageContaining("line ");
            }
        }
        assertThat(belay.session("copy").head()).isEmpty();
    }

    @Test
    void aNewerFormIsRefusedWithWords() {
        Belay belay = belay();
        assertThatThrownBy(() -> belay.importSession(
                new StringReader("{\"format\":\"belay-session\",\"v\":2}\n"), "copy"))
                .hasMessageContaining("this version of Belay reads forms up to 1");
        assertThatThrownBy(() -> belay.importSession(new StringReader("hello"), "copy"))
                .isInstanceOfSatisfying(BelayException.class,
                        e -> assertThat(e.code()).isEqualTo("invalid_export"));
    }

    @Test
    void aForkSharesThePastAndGoesItsOwnWay() throws Exception {
        Belay belay = belay();
        Session session = belay.session("s");
        session.turn("one").run();
        session.turn("two").run();
        Session fork = session.fork("other", 1);
        assertThat(fork.messages()).isEqualTo(session.messages().subList(0, 4));
        assertThat(fork.turn("another").run().turn()).isEqualTo(2);
        assertThat(session.messages()).hasSize(8);
        assertThat(fork.head().orElseThrow().incarnation())
                .isNotEqualTo(session.head().orElseThrow().incarnation());
        assertThat(session.fork("whole").messages()).isEqualTo(session.messages());
        assertThatThrownBy(() -> session.fork("never", 3)).isInstanceOfSatisfying(BelayException.class,
                e -> assertThat(e.code()).isEqualTo("unknown_turn"));
        assertThatThrownBy(() -> belay.session("nobody").fork("x")).isInstanceOfSatisfying(
                BelayException.class,
                e -> assertThat(e.code()).isEqualTo("unknown_session"));
        assertThatThrownBy(() -> session.fork("other")).isInstanceOfSatisfying(BelayException.class,
                e -> assertThat(e.code()).isEqualTo("session_exists"));
    }

    @Test
    void aSessionThatIsDeletedAndMadeAgainHasOtherKeys() throws Exception {
        List<IdempotencyKey> keys = new CopyOnWriteArrayList<>();
        Belay belay = bench.open(calling(List.of(call("a", "look"))),
                builder -> builder.tools(StaticToolProvider.builder()
                        .raw(tool("look", ToolEffect.READ), (arguments, context) -> {
                            keys.add(context.idempotencyKey());
                            return "seen";
                        })
                        .build()));
        Session session = belay.session("s");
        session.turn("one").run();
        Incarnation first = session.head().orElseThrow().incarnation();
        session.delete();
        session.turn("one").run();
        assertThat(session.head().orElseThrow().incarnation()).isNotEqualTo(first);
        assertThat(keys).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void sessionsAndTurnsAreListedPageByPage() throws Exception {
        Belay belay = belay();
        for (String name : List.of("c", "a", "b")) {
            belay.session(name).turn("one").run();
        }
        assertThat(belay.sessions(null, 2).items()).extracting(entry -> entry.head().id().value())
                .containsExactly("a", "b");
        assertThat(belay.sessions(belay.sessions(null, 2).next(), 2).items())
                .extracting(entry -> entry.head().id().value())
                .containsExactly("c");
        belay.session("a").turn("two").run();
        assertThat(belay.session("a").turns(2, 10)).extracting(TurnInfo::number).containsExactly(2L);
    }

    @Test
    void aPastTurnSaysWhatCameOfIt() throws Exception {
        Session session = belay().session("s");
        TurnResult.Ended first = session.turn("one").id("in-1").run().ended();
        TurnInfo past = session.turn(1).orElseThrow();
        assertThat(past.number()).isOne();
        assertThat(past.input()).isEqualTo("in-1");
        assertThat(past.result()).contains(first);
        assertThat(past.endedAt().orElseThrow()).isAfterOrEqualTo(past.acceptedAt());
        assertThat(session.turn(2)).isEmpty();
        session.begin("two", "in-2");
        assertThat(session.turn(2).orElseThrow().result()).as("it is active").isEmpty();
        assertThat(session.turn(2).orElseThrow().endedAt()).isEmpty();
    }
}

package dev.belay.runtime.effect.scope;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.effect.scope.EffectDecision.Liveness;
import dev.belay.runtime.effect.scope.EffectDecision.Request;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.runtime.store.journal.EffectRow.Status;
import dev.belay.tool.ToolEffect;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Holds the decision to its table (contract L.2): every case there is, each matched by exactly one line. */
class EffectDecisionTest {

    /** A star stands for every value. */
    private static final String TABLE = """
            hash   place  status     input  result  effect                owner      fence    decision
            other  *      *          *      *       *                     *          *        Mismatch
            same   other  *          *      *       *                     *          *        Mismatch
            same   same   COMPLETED  *      yes     *                     *          *        Answer
            same   same   COMPLETED  *      no      *                     *          *        Corrupt
            same   same   FAILED     *      yes     *                     *          *        Answer
            same   same   FAILED     *      no      *                     *          *        Corrupt
            same   same   IN_DOUBT   *      yes     *                     *          *        Answer
            same   same   IN_DOUBT   *      no      *                     *          *        Corrupt
            same   same   STARTED    *      *       *                     HERE       *        Wait
            same   same   STARTED    no     *       *                     NONE|GONE  *        Corrupt
            same   same   STARTED    yes    *       none                  NONE|GONE  *        Corrupt
            same   same   STARTED    yes    *       READ|IDEMPOTENT|ONCE  NONE|GONE  newer    Corrupt
            same   same   STARTED    yes    *       READ|IDEMPOTENT       NONE|GONE  own|old  TakeOver
            same   same   STARTED    yes    *       ONCE                  NONE|GONE  own|old  InDoubt
            """;

    private static final Json IDENTITY = Json.of("{\"tool\":\"refund\",\"amount\":10}");
    private static final Json INPUT = Json.of("{\"amount\":10}");
    private static final Json RESULT = Json.of("{\"ok\":true}");
    private static final long FENCE = 7;

    private record Case(List<String> words, EffectRow row, Request request, Liveness owner) {}

    @Test
    void whatIsNotRecordedRuns() {
        for (Liveness owner : Liveness.values()) {
            assertThat(EffectDecision.decide(null, new Request("h", IDENTITY, 3, FENCE), owner))
                    .isEqualTo(new EffectDecision.Run());
        }
    }

    @Test
    void everyCaseFollowsItsLine() {
        List<String[]> lines = TABLE.lines().skip(1).map(line -> line.strip().split(" +")).toList();
        Set<Integer> used = new HashSet<>();
        List<Case> cases = cases();
        for (Case one : cases) {
            List<Integer> matching = IntStream.range(0, lines.size())
                    .filter(i -> matches(lines.get(i), one.words()))
                    .boxed()
                    .toList();
            assertThat(matching).as("lines for %s", one.words()).hasSize(1);
            used.addAll(matching);
            EffectDecision decision = EffectDecision.decide(one.row(), one.request(), one.owner());
            String[] line = lines.get(matching.get(0));
            assertThat(decision.getClass().getSimpleName()).as("%s", one.words()).isEqualTo(line[8]);
        }
        assertThat(cases.size()).isEqualTo(2 * 2 * 4 * 2 * 2 * 4 * 3 * 3);
        assertThat(used).as("lines that some case needs").hasSize(lines.size());
    }

    @Test
    void decisionsCarryWhatTheRecordSays() {
        EffectRow completed = row("h", 3, Status.COMPLETED, null, RESULT, ToolEffect.ONCE, 2);
        EffectRow read = row("h", 3, Status.STARTED, INPUT, null, ToolEffect.READ, 2);
        EffectRow once = row("h", 3, Status.STARTED, INPUT, null, ToolEffect.ONCE, 2);
        var request = new Request("h", IDENTITY, 3, FENCE);

        assertThat(EffectDecision.decide(completed, request, Liveness.GONE))
                .isEqualTo(new EffectDecision.Answer(completed, RESULT));
        assertThat(EffectDecision.decide(read, request, Liveness.GONE))
                .isEqualTo(new EffectDecision.TakeOver(read, INPUT));
        assertThat(EffectDecision.decide(once, request, Liveness.GONE))
                .isEqualTo(new EffectDecision.InDoubt(once, INPUT));
        assertThat(EffectDecision.decide(once, request, Liveness.HERE))
                .isEqualTo(new EffectDecision.Wait(once));
    }

    @Test
    void otherIdentityIsShownByPlaces() {
        assertThat(mismatch(row("h", 3, Status.COMPLETED, null, null, null, 2),
                new Request("g", Json.of("{\"amount\":12,\"tool\":\"refund\"}"), 4, FENCE)))
                .isEqualTo("""
                        it is recorded with another identity; 1 place differs:
                          /amount: recorded 10, now 12""");
    }

    @Test
    void otherPlaceIsShownByBothNumbers() {
        assertThat(mismatch(row("h", 3, Status.COMPLETED, null, null, null, 2),
                new Request("h", IDENTITY, 4, FENCE)))
                .isEqualTo("its place differs: recorded as effect number 3 of its scope, now number 4;"
                        + " effects are asked for in an order that depends only on recorded values");
    }

    @Test
    void otherHashOfEqualIdentityIsShownByBothHashes() {
        assertThat(mismatch(row("h", 3, Status.COMPLETED, null, RESULT, null, 2),
                new Request("g", IDENTITY, 3, FENCE)))
                .isEqualTo("the hash of its identity differs: recorded h, now g; the identities are equal,"
                        + " so the record was altered or the way to hash has changed");
    }

    @Test
    void corruptRecordsSayWhatIsMissing() {
        var request = new Request("h", IDENTITY, 3, FENCE);
        assertThat(EffectDecision.decide(row("h", 3, Status.IN_DOUBT, INPUT, null, null, 2), request,
                Liveness.GONE))
                .isEqualTo(new EffectDecision.Corrupt("the record is IN_DOUBT and has no result"));
        assertThat(EffectDecision.decide(row("h", 3, Status.STARTED, null, null, ToolEffect.READ, 2), request,
                Liveness.GONE))
                .isEqualTo(new EffectDecision.Corrupt("the record is STARTED and has no input"));
        assertThat(EffectDecision.decide(row("h", 3, Status.STARTED, INPUT, null, null, 2), request,
                Liveness.GONE))
                .isEqualTo(new EffectDecision.Corrupt("the record is STARTED and has no effect class"));
        assertThat(EffectDecision.decide(row("h", 3, Status.STARTED, INPUT, null, ToolEffect.READ, 9),
                request, Liveness.GONE))
                .isEqualTo(new EffectDecision.Corrupt("the record was STARTED under fence 9, and the scope"
                        + " that asks has fence 7: it was taken over, or the record is not its own"));
    }

    private static String mismatch(EffectRow row, Request request) {
        EffectDecision decision = EffectDecision.decide(row, request, Liveness.GONE);
        assertThat(decision).isInstanceOf(EffectDecision.Mismatch.class);
        return ((EffectDecision.Mismatch) decision).difference();
    }

    private static boolean matches(String[] line, List<String> words) {
        return IntStream.range(0, words.size())
                .allMatch(i -> line[i].equals("*")
                        || Arrays.asList(line[i].split("\\|")).contains(words.get(i)));
    }

    private static List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (boolean sameHash : bits()) {
            for (boolean samePlace : bits()) {
                for (Status status : Status.values()) {
                    for (boolean input : bits()) {
                        for (boolean result : bits()) {
                            for (ToolEffect effect : effects()) {
                                addOwners(cases,
                                        row(sameHash ? "h" : "g", samePlace ? 3 : 4, status,
                                                input ? INPUT : null, result ? RESULT : null, effect, 0));
                            }
                        }
                    }
                }
            }
        }
        return cases;
    }

    private static void addOwners(List<Case> cases, EffectRow row) {
        for (Liveness owner : Liveness.values()) {
            for (long fence : new long[]{FENCE - 1, FENCE, FENCE + 1}) {
                EffectRow fenced = row(row.hash(), row.ordinal(), row.status(), row.input(), row.result(),
                        row.effect(), fence);
                cases.add(
                        new Case(words(fenced, owner), fenced, new Request("h", IDENTITY, 3, FENCE), owner));
            }
        }
    }

    private static List<String> words(EffectRow row, Liveness owner) {
        return List.of(row.hash().equals("h") ? "same" : "other", row.ordinal() == 3 ? "same" : "other",
                row.status().name(), row.input() == null ? "no" : "yes", row.result() == null ? "no" : "yes",
                row.effect() == null ? "none" : row.effect().name(), owner.name(),
                row.fence() == FENCE ? "own" : row.fence() < FENCE ? "old" : "newer");
    }

    private static boolean[] bits() {
        return new boolean[]{true, false};
    }

    private static @Nullable ToolEffect[] effects() {
        return new @Nullable ToolEffect[]{null, ToolEffect.READ, ToolEffect.IDEMPOTENT, ToolEffect.ONCE};
    }

    private static EffectRow row(String hash, int ordinal, Status status, @Nullable Json input,
            @Nullable Json result, @Nullable ToolEffect effect, long fence) {
        return new EffectRow("call/0", ordinal, "call", hash, IDENTITY, status, input, result, null, effect,
                null, fence);
    }
}

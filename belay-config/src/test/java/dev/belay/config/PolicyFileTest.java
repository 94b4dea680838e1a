package dev.belay.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.belay.json.Json;
import dev.belay.runtime.policy.PolicyCall;
import dev.belay.runtime.policy.PolicyDecision;
import dev.belay.runtime.policy.PolicyDecision.Verdict;
import dev.belay.runtime.policy.RulePolicy;
import dev.belay.tool.ToolEffect;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Contract I.1: rules in a file. */
class PolicyFileTest {

    private static final String TEXT = """
            [policy]
            otherwise = "ask"

            [[policy.rule]]
            id = "reads"
            verdict = "allow"
            effects = ["read"]

            [[policy.rule]]
            id = "big-refunds"
            verdict = "ask"
            tools = "refund*"
            reason = "over the limit"
            where = [{ pointer = "/amount", above = 100.5 }]
            matching = [{ tool = "refund", arguments = { amount = 101 } }]
            not_matching = [{ tool = "refund", arguments = { amount = 100 } }, { tool = "pay" }]

            [[policy.rule]]
            id = "elsewhere"
            verdict = "deny"
            where = [{ pointer = "/url", host_in = ["example.org"], not = true }, { pointer = "/url", present = true }]
            """;

    private static RulePolicy policy(String text) {
        return PolicyFile.of(ConfigFile.of("p.toml", text).root());
    }

    private static ConfigException refused(String text) {
        return catchThrowableOfType(ConfigException.class, () -> policy(text));
    }

    private static PolicyDecision decide(String tool, String arguments) {
        return policy(TEXT).decide(PolicyCall.of(tool, Json.of(arguments)));
    }

    @Test
    void rulesAreRead() {
        assertThat(decide("refund", "{\"amount\":101}").words())
                .isEqualTo("rule \"big-refunds\": over the limit");
        assertThat(decide("get", "{\"url\":\"https://evil.test\"}").rule()).isEqualTo("elsewhere");
        assertThat(decide("x", "{}").verdict()).isEqualTo(Verdict.ASK);
        assertThat(policy("").rules()).isEmpty();
    }

    @Test
    void anExampleThatContradictsItsRuleIsToldWithItsPlace() {
        assertThat(refused(TEXT.replace("amount = 101", "amount = 99")))
                .hasMessage(
                        "p.toml:15:13: rule \"big-refunds\" does not match its example refund {\"amount\":99}");
    }

    @Test
    void aConditionThatSaysNothingIsRefusedAndDoesNotMatchEverything() {
        assertThat(refused(TEXT.replace(", above = 100.5", "")))
                .hasMessageStartingWith(
                        "p.toml:14:10: this condition says nothing of the value at \"/amount\"");
        assertThat(refused(TEXT.replace("above = 100.5", "not = true")))
                .hasMessageContaining("says nothing of the value");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "equals = 7               | 7.0                  | 8",
        "equals = 'a'             | \"a\"                  | \"A\"",
        "equals = { x = [1] }     | {\"x\":[1]}            | {\"x\":[2]}",
        "glob = 'git *'           | \"git push\"           | \"gi\"",
        "prefix = 'ab'            | \"abc\"                | \"b\"",
        "above = 5                | 5.1                  | 5",
        "at_least = 5             | 5                    | 4.9",
        "below = 5                | 4.9                  | 5",
        "at_most = 5              | 5                    | 5.1",
        "inside = '/srv/data'     | \"/srv/data/a\"        | \"/srv/data/../a\"",
        "host_in = ['example.org']| \"https://example.org\"| \"https://example.com\"",
        "present = false          |                      | 1",
        "above = 5, not = true    | 5                    | 6"})
    void eachConditionOnAValueCanBeWritten(String condition, @Nullable String matching, String other) {
        RulePolicy policy = policy(
                "[[policy.rule]]\nid = \"x\"\nverdict = \"deny\"\nwhere = [{ pointer = \"/v\", "
                        + condition + " }]\n");
        assertThat(policy.decide(PolicyCall.of("t",
                Json.of(matching == null ? "{}" : "{\"v\":" + matching + "}"))).verdict())
                .isEqualTo(Verdict.DENY);
        assertThat(policy.decide(PolicyCall.of("t", Json.of("{\"v\":" + other + "}"))).verdict())
                .isEqualTo(Verdict.ALLOW);
    }

    @Test
    void aRuleMayLookAtAgentTagsEffectAndCount() {
        RulePolicy policy = policy("""
                [[policy.rule]]
                id = "x"
                verdict = "deny"
                agents = ["shop-*"]
                tags = ["money"]
                effects = ["once", "idempotent"]
                after_calls = 2
                """);
        PolicyCall call = PolicyCall.of("t", Json.of("{}")).agent("shop-1").tags(List.of("money")).earlier(2);
        assertThat(policy.decide(call).verdict()).isEqualTo(Verdict.DENY);
        assertThat(List.of(call.agent("desk"), call.tags(List.of()), call.effect(ToolEffect.READ),
                call.earlier(1)))
                .allMatch(other -> policy.decide(other).verdict() == Verdict.ALLOW);
    }

    @ParameterizedTest
    @CsvSource({"-5, DENY", "0.5, DENY", "1, ALLOW", "50, ALLOW", "100, ALLOW", "100.5, DENY", "5000, DENY",
        "'\"50\"', DENY"})
    void notTurnsAllConditionsOfOneValueAroundTogether(String amount, Verdict verdict) {
        RulePolicy policy = policy("""
                [[policy.rule]]
                id = "outside"
                verdict = "deny"
                where = [{ pointer = "/amount", at_least = 1, at_most = 100, not = true }]
                """);
        assertThat(policy.decide(PolicyCall.of("pay", Json.of("{\"amount\":" + amount + "}"))).verdict())
                .isEqualTo(verdict);
        assertThat(policy.decide(PolicyCall.of("pay", Json.of("{}"))).verdict()).isEqualTo(Verdict.DENY);
    }

    @Test
    void twoRulesOfOneNameAreToldWithTheirPlace() {
        assertThat(refused(TEXT.replace("\"elsewhere\"", "\"reads\"")))
                .hasMessage("p.toml:19:1: two rules are named \"reads\"");
    }

    @Test
    void aRuleMayLookAtDoubts() {
        RulePolicy policy = policy("""
                [[policy.rule]]
                id = "first-settle"
                verdict = "deny"
                in_doubt = true
                matching = [{ tool = "pay", in_doubt = true }]
                not_matching = [{ tool = "pay" }]
                """);
        assertThat(policy.decide(PolicyCall.of("pay", Json.of("{}")).inDoubt()).verdict())
                .isEqualTo(Verdict.DENY);
        assertThat(policy.decide(PolicyCall.of("pay", Json.of("{}"))).verdict()).isEqualTo(Verdict.ALLOW);
    }

    @Test
    void aCountThatIsNoneIsToldWithItsPlace() {
        assertThat(refused(TEXT.replace("tools = \"refund*\"", "after_calls = 99999999999")))
                .hasMessageStartingWith("p.toml:12:1: 99999999999 is no number of calls");
    }

    @Test
    void unknownKeysAreToldWithTheNearestKnownOne() {
        assertThat(
                refused(TEXT.replace("tools = \"refund*\"", "tool = \"refund*\"").replace("above", "abov")))
                .satisfies(e -> assertThat(e.problems()).extracting(ConfigProblem::message)
                        .anyMatch(message -> message
                                .startsWith("the key \"tool\" is unknown here, did you mean \"tools\"?"))
                        .anyMatch(message -> message
                                .startsWith("the key \"abov\" is unknown here, did you mean \"above\"?")));
    }

    @Test
    void aPatternThatCannotMatchAndAWrongWordAreToldWithTheirPlaces() {
        assertThat(refused(TEXT.replace("\"refund*\"", "\"re fund\"")))
                .hasMessageStartingWith("p.toml:12:1: no name can match the pattern \"re fund\"");
        assertThat(refused(TEXT.replace("verdict = \"deny\"", "verdict = \"denied\"")))
                .hasMessage("p.toml:20:1: \"denied\" is not allowed; allowed are allow, ask, deny");
        assertThat(refused("[[policy.rule]]\nid = \"x\"\n"))
                .hasMessage("p.toml:1:1: the key \"verdict\" is missing here");
    }

    @Test
    void aSyntaxErrorIsToldWithItsPlace() {
        assertThat(refused(TEXT + "\nnot toml at all"))
                .satisfies(e -> assertThat(e.problems().getFirst().toString())
                        .startsWith("p.toml:" + (TEXT.lines().count() + 2) + ":"));
    }

    @Test
    void tenThousandRulesAreRead() {
        var text = new StringBuilder();
        for (int i = 0; i < 10_000; i++) {
            text.append("[[policy.rule]]\nid = \"r").append(i).append("\"\nverdict = \"deny\"\ntools = \"t");
            text.append(i).append("\"\n");
        }
        assertThat(policy(text.toString()).decide(PolicyCall.of("t9999", Json.of("{}"))).rule())
                .isEqualTo("r9999");
    }
}

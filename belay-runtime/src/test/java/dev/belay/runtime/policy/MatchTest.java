package dev.belay.runtime.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Contract I.1: what a rule may ask of a value. */
class MatchTest {

    private static boolean text(Match match, String value) {
        return match.holds(Json.string(value));
    }

    @Test
    void equalNumbersAreEqualHoweverTheyAreWritten() {
        Match hundred = Match.equalTo(Json.of("100"));
        assertThat(hundred.holds(Json.of("1e2"))).isTrue();
        assertThat(hundred.holds(Json.of("100.0"))).isTrue();
        assertThat(hundred.holds(Json.of("100.0000000000000000001"))).isFalse();
        assertThat(hundred.holds(Json.string("100"))).isFalse();
        assertThat(hundred.holds(null)).isFalse();
    }

    @Test
    void boundsAreExact() {
        assertThat(Match.above(100).holds(Json.of("100.00000000000000000000001"))).isTrue();
        assertThat(Match.above(100).holds(Json.of("100"))).isFalse();
        assertThat(Match.atLeast(100).holds(Json.of("100"))).isTrue();
        assertThat(Match.below(new BigDecimal("0.1")).holds(Json.of("0.09"))).isTrue();
        assertThat(Match.atMost(5).holds(Json.of("6"))).isFalse();
        assertThat(Match.above(1).holds(Json.string("7"))).isFalse();
    }

    @Test
    void globsAndPrefixesLookAtTexts() {
        assertThat(text(Match.glob("git status*"), "git status -s")).isTrue();
        assertThat(text(Match.glob("git ?tatus"), "git status")).isTrue();
        assertThat(text(Match.glob("*.md"), "a.md.sh")).isFalse();
        assertThat(text(Match.glob("a*b*c"), "a--b-b--c")).isTrue();
        assertThat(text(Match.glob("a*b*c"), "a--b-b--")).isFalse();
        assertThat(text(Match.prefix("refund:"), "refund:1")).isTrue();
        assertThat(Match.prefix("1").holds(Json.of("1"))).isFalse();
    }

    @Test
    void aLongTextDoesNotMakeAPatternSlow() {
        assertThat(text(Match.glob("*a*a*a*b"), "a".repeat(100_000))).isFalse();
    }

    @Test
    void aPathIsInsideByItsPartsAndNotByItsLetters() {
        Match inside = Match.inside("/srv/data");
        assertThat(text(inside, "/srv/data/x.txt")).isTrue();
        assertThat(text(inside, "/srv/data")).isTrue();
        assertThat(text(inside, "x/../y")).isTrue();
        assertThat(text(inside, "/srv/database/x")).isFalse();
        assertThat(text(inside, "/srv/data/../etc/passwd")).isFalse();
        assertThat(text(inside, "../../etc")).isFalse();
        assertThat(text(inside, "../../../../..")).isFalse();
        assertThat(text(inside, "~/x")).isFalse();
        assertThat(text(inside, "..\\..\\x")).isFalse();
        assertThat(text(inside, "x\u0000y")).isFalse();
    }

    @Test
    void aHostIsThatOfTheUrlAndNotPartOfIt() {
        Match hosts = Match.hostIn(List.of("example.org", "*.shop.test"));
        assertThat(text(hosts, "https://example.org/x")).isTrue();
        assertThat(text(hosts, "https://EXAMPLE.org:8443/x")).isTrue();
        assertThat(text(hosts, "https://example.org./")).isTrue();
        assertThat(text(hosts, "example.org:80")).isTrue();
        assertThat(text(hosts, "http://a.b.shop.test/")).isTrue();
        assertThat(text(hosts, "http://shop.test/")).isFalse();
        assertThat(text(hosts, "http://evil.test/example.org")).isFalse();
        assertThat(text(hosts, "http://example.org@evil.test/")).isFalse();
        assertThat(text(hosts, "http://example.org.evil.test/")).isFalse();
        assertThat(text(hosts, "http://evil.test\\@example.org/")).isFalse();
        assertThat(text(hosts, "not a url")).isFalse();
    }

    @Test
    void notHoldsForMissingValuesToo() {
        Match other = Match.not(Match.hostIn(List.of("example.org")));
        assertThat(other.holds(null)).isTrue();
        assertThat(other.holds(Json.of("7"))).isTrue();
        assertThat(text(other, "https://example.org")).isFalse();
        assertThat(Match.present().holds(null)).isFalse();
    }
}

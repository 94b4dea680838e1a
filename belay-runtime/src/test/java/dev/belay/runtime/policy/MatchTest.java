package dev.belay.runtime.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Contract I.1: what a rule may ask of a value. */
class MatchTest {

    private static boolean text(Match match, String value) {
        return holds(match, Json.string(value));
    }

    private static boolean holds(Match match, @Nullable Json value) {
        return match.holds(new Match.Value(value));
    }

    @Test
    void equalNumbersAreEqualHoweverTheyAreWritten() {
        Match hundred = Match.equalTo(Json.of("100"));
        assertThat(holds(hundred, Json.of("1e2"))).isTrue();
        assertThat(holds(hundred, Json.of("100.0"))).isTrue();
        assertThat(holds(hundred, Json.of("100.0000000000000000001"))).isFalse();
        assertThat(holds(hundred, Json.string("100"))).isFalse();
        assertThat(holds(hundred, null)).isFalse();
    }

    @Test
    void boundsAreExact() {
        assertThat(holds(Match.above(100), Json.of("100.00000000000000000000001"))).isTrue();
        assertThat(holds(Match.above(100), Json.of("100"))).isFalse();
        assertThat(holds(Match.atLeast(100), Json.of("100"))).isTrue();
        assertThat(holds(Match.below(new BigDecimal("0.1")), Json.of("0.09"))).isTrue();
        assertThat(holds(Match.atMost(5), Json.of("6"))).isFalse();
        assertThat(holds(Match.above(1), Json.string("7"))).isFalse();
    }

    @Test
    void globsAndPrefixesLookAtTexts() {
        assertThat(text(Match.glob("git status*"), "git status -s")).isTrue();
        assertThat(text(Match.glob("git ?tatus"), "git status")).isTrue();
        assertThat(text(Match.glob("*.md"), "a.md.sh")).isFalse();
        assertThat(text(Match.glob("a*b*c"), "a--b-b--c")).isTrue();
        assertThat(text(Match.glob("a*b*c"), "a--b-b--")).isFalse();
        assertThat(text(Match.prefix("refund:"), "refund:1")).isTrue();
        assertThat(holds(Match.prefix("1"), Json.of("1"))).isFalse();
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
    void colonAndSlashesBehindTheHostAreNoScheme() {
        Match hosts = Match.hostIn(List.of("example.org"));
        assertThat(text(hosts, "//example.org/?a=://")).isTrue();
        assertThat(text(hosts, "//evil.test/?a=://example.org")).isFalse();
        assertThat(text(hosts, "example.org/?a=http://evil.test")).isTrue();
        assertThat(text(hosts, "evil.test/?a=http://example.org")).isFalse();
        for (String text : List.of("", "//", "://", "///", "?a=://", "//?a=://", ":", "//:80", "http:",
                "http://",
                "//[::1/?a=://", "a b://")) {
            assertThat(text(hosts, text)).as(text).isFalse();
        }
    }

    @Test
    void aHostOfAnotherSchemeIsAnotherPlace() {
        Match hosts = Match.hostIn(List.of("example.org"));
        assertThat(text(hosts, "file://example.org/etc/passwd")).isFalse();
        assertThat(text(hosts, "ldap://example.org/")).isFalse();
        assertThat(text(Match.hostIn(List.of("ldap://example.org")), "LDAP://example.org/x")).isTrue();
        assertThat(text(Match.hostIn(List.of("ldap://example.org")), "http://example.org/x")).isFalse();
    }

    @Test
    void blanksAroundAnAddressHideNothing() {
        Match hosts = Match.hostIn(List.of("example.org"));
        assertThat(text(hosts, " http://example.org/x")).isTrue();
        assertThat(text(hosts, "\n\thttp://example.org/x\r\n")).isTrue();
    }

    @Test
    void notHoldsForMissingValuesToo() {
        Match other = Match.not(Match.hostIn(List.of("example.org")));
        assertThat(holds(other, null)).isTrue();
        assertThat(holds(other, Json.of("7"))).isTrue();
        assertThat(text(other, "https://example.org")).isFalse();
        assertThat(holds(Match.present(), null)).isFalse();
    }
}

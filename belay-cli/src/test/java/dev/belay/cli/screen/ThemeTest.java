package dev.belay.cli.screen;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ThemeTest {

    @Test
    void theUserDecidesElseTheTerminalElseItIsDark() {
        assertThat(Theme.of(Map.of())).isEqualTo(Theme.DARK);
        assertThat(Theme.of(Map.of("COLORFGBG", "0;15"))).isEqualTo(Theme.LIGHT);
        assertThat(Theme.of(Map.of("COLORFGBG", "15;default;0"))).isEqualTo(Theme.DARK);
        assertThat(Theme.of(Map.of("COLORFGBG", "0;default"))).isEqualTo(Theme.DARK);
        assertThat(Theme.of(Map.of("COLORFGBG", "0;15", "BELAY_THEME", "dark"))).isEqualTo(Theme.DARK);
        assertThat(Theme.of(Map.of("BELAY_THEME", "none"))).isEqualTo(Theme.NONE);
        assertThat(Theme.of(Map.of("BELAY_THEME", "\u001b[2J"))).isEqualTo(Theme.DARK);
    }

    @Test
    void wideAndCombinedCharactersHaveTheirColumns() {
        assertThat(Styled.columns("a\u4e2d\ud83d\ude00e\u0301")).isEqualTo(1 + 2 + 2 + 1);
        var flow = new Flow(10).words("\u4e2d\u6587\u5b57\u7b26\u5728\u4e0a na\u00efve caf\u00e9");
        assertThat(flow.text().text().split("\n", -1)).containsExactly("\u4e2d\u6587\u5b57\u7b26\u5728",
                "\u4e0a na\u00efve", "caf\u00e9");
    }
}

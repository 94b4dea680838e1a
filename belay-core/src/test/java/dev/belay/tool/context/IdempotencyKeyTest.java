package dev.belay.tool.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.tool.ToolId;
import dev.belay.tool.context.IdempotencyKey.Place;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Contract G.4: the idempotency key and its golden vectors, which were computed with Python's hashlib. Contract S.1: calls
 * that look alike have keys of their own.
 */
class IdempotencyKeyTest {

    private static final Incarnation INCARNATION = new Incarnation(0x0011223344556677L, 0x8899aabbccddeeffL);
    private static final ToolId REFUND = new ToolId("tool:refund");

    static Stream<Arguments> goldenVectors() {
        return Stream.of(
                Arguments.of(new Place(INCARNATION, 3, 2, 1), "tool:refund",
                        "5019c3b55ddd92daaa2a6b63977072cd14d3ebac24f70900fd0a9f1035223284"),
                Arguments.of(new Place(new Incarnation(0x0011223344556677L, 0x8899aabbccddeefeL), 3, 2, 1),
                        "tool:refund", "0a0407a6ed5fcd1840ea243aa9e5f6ee9d358c719f4c4df79807c01ae050c4f7"),
                Arguments.of(new Place(INCARNATION, 4, 2, 1), "tool:refund",
                        "38e986ad37871abd848070927b09c3529f4a8f9bf726a8b22d9d37b7edaa5870"),
                Arguments.of(new Place(INCARNATION, 3, 3, 1), "tool:refund",
                        "569963d1bd546f8333fcf5d71ca636312ab27fd2c0a9c83f137f7d31ffa15555"),
                Arguments.of(new Place(INCARNATION, 3, 2, 2), "tool:refund",
                        "ce819aa9c333fcc53a3bda5b4f0c6944caaea8f9592cdad58da48dec5c7245e5"),
                Arguments.of(new Place(INCARNATION, 3, 2, 1), "tool:refunds",
                        "d791c999cbab6d7c4734db8ef1b95120318493e87ecb1ed318ef573409d99a1e"),
                Arguments.of(new Place(new Incarnation(0, 0), 0, 0, 0), "tool:gr\u00f6\u00dfe",
                        "5c775aafa1c05bfbf9994c8357e27795c991955a3dbb81820bf89662e7f7a2f8"),
                Arguments.of(new Place(new Incarnation(-1, -1), Long.MAX_VALUE, 1L << 40, Integer.MAX_VALUE),
                        "x",
                        "cd53dd4b5e1780f3c7bd23ba43a95dabf5ad371edb5391784d785c07ffbadb0c"));
    }

    @ParameterizedTest
    @MethodSource("goldenVectors")
    void goldenVectorOfACall(Place place, String tool, String expected) {
        assertThat(IdempotencyKey.of(place, new ToolId(tool)).value()).isEqualTo(expected);
    }

    @Test
    void everyFieldOfThePlaceAndTheToolChangesTheKey() {
        assertThat(goldenVectors().map(vector -> vector.get()[2])).doesNotHaveDuplicates();
    }

    @Test
    void goldenVectorsOfSteps() {
        var place = new Place(INCARNATION, 3, 2, 1);
        assertThat(IdempotencyKey.of(place, REFUND, "charge").value())
                .isEqualTo("3dc9556173a82288ef98672212f578c679c0d42b0872ee4457709c9b2b891756");
        assertThat(IdempotencyKey.of(place, REFUND, "").value())
                .isEqualTo("eb106781619e17469bc8fe67b4f0871550b633b545512560834d36f9a0aa2eee");
    }

    @Test
    void fieldsThatRunTogetherDoNotCollide() {
        var place = new Place(INCARNATION, 3, 2, 1);
        assertThat(IdempotencyKey.of(place, new ToolId("tool:ab"), "c").value())
                .isEqualTo("17373a83e5d783937922a45d661e1b5894b997d64331ba7bbe953a9249799f65");
        assertThat(IdempotencyKey.of(place, new ToolId("tool:a"), "bc").value())
                .isEqualTo("e0d872e18708a8fb64078532036852fef856667df7a52cb356013fb6eca1e0db");
    }

    @Test
    void twoEqualCallsInOneMessageHaveTwoKeys() {
        assertThat(IdempotencyKey.of(new Place(INCARNATION, 1, 1, 0), REFUND))
                .isNotEqualTo(IdempotencyKey.of(new Place(INCARNATION, 1, 1, 1), REFUND));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5019", "5019C3B55DDD92DAAA2A6B63977072CD14D3EBAC24F70900FD0A9F1035223284",
        "5019c3b55ddd92daaa2a6b63977072cd14d3ebac24f70900fd0a9f1035223284\n"})
    void onlyAHashIsAKey(String text) {
        assertThatThrownBy(() -> new IdempotencyKey(text)).isInstanceOf(IllegalArgumentException.class)
                .hasMessage("not an idempotency key: " + text);
    }

    @Test
    void anIncarnationIsSixteenBytesHighPartFirst() {
        assertThat(INCARNATION.bytes()).isEqualTo(new byte[]{0, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77,
            (byte) 0x88, (byte) 0x99, (byte) 0xaa, (byte) 0xbb, (byte) 0xcc, (byte) 0xdd, (byte) 0xee,
            (byte) 0xff});
        assertThat(INCARNATION).hasToString("00112233445566778899aabbccddeeff");
    }

    @Test
    void incarnationsAreDrawnFromTheGivenSource() {
        var random = new Random(7);
        assertThat(Incarnation.random(new Random(7)))
                .isEqualTo(new Incarnation(random.nextLong(), random.nextLong()));
    }
}

package dev.belay.mcp.client.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Whose reply a damaged message was meant to be. */
class BrokenMessageTest {

    @Test
    void theIdOfADamagedReplyIsFoundWhereverItStands() {
        for (String reply : List.of("{\"jsonrpc\":\"2.0\",\"id\":31,\"result\":{\"id\":7,NaN}}",
                "{\"result\":{\"id\":7,\"n\":NaN},\"jsonrpc\":\"2.0\",\"id\":31}",
                "{ \"result\" : {\"id\":7,\"n\":\u0001} , \"id\" : 31 , \"error\" : undefined }",
                "{\"jsonrpc\":\"2.0\",\"id\":31,\"result\":{\"content\":[{\"type\":\"te",
                "{\"result\":\"he said \"no\",\"jsonrpc\":\"2.0\",\"id\":31}",
                "{\"result\":\"he said \"no\",\"id\":31,\"jsonrpc\":\"2.0\"}",
                "{\"id\":31,\"result\":{\"method\":\"id\",\"a\":\"\\\"id\\\":8\",,}}")) {
            assertThat(BrokenMessage.repliedTo(reply)).as(reply).containsExactly(31L);
        }
    }

    @Test
    void whatIsNoReplyHasNoId() {
        for (String other : List.of("{\"jsonrpc\":\"2.0\",\"id\":31,\"method\":\"ping\",NaN}",
                "{\"method\":\"ping\",\"id\":31,NaN}", "{\"result\":{\"id\":31},NaN}", "{\"id\":\"31\",NaN}",
                "{\"id\":31.5,NaN}", "{\"id\":-31,NaN}", "{\"id\":1e3,NaN}", "{", "", "id 31",
                "{\"id\":9999999999999999999,NaN}",
                "{\"method\":\"ping\",\"jsonrpc\":\"2.0\",\"id\":31,NaN}",
                "{\"params\":{\"progressToken\":31},\"method\":\"x\"")) {
            assertThat(BrokenMessage.repliedTo(other)).as(other).isEmpty();
        }
    }

    @Test
    void linesThatRanIntoEachOtherHaveAllTheirIds() {
        assertThat(BrokenMessage.repliedTo(
                "{\"jsonrpc\":\"2.0\",\"id\":31,\"result\":{}}{\"jsonrpc\":\"2.0\",\"id\":32,\"result\":{}}"))
                .containsExactly(31L, 32L);
        assertThat(BrokenMessage.repliedTo(
                "{\"jsonrpc\":\"2.0\",\"id\":31,\"resu{\"jsonrpc\":\"2.0\",\"id\":32,\"result\":{}}"))
                .containsExactly(31L, 32L);
        assertThat(BrokenMessage.repliedTo(
                "{\"id\":31,\"result\":{}}{\"jsonrpc\":\"2.0\",\"id\":32,\"method\":\"ping\"}{\"method\":\"x\",\"jsonrpc\":\"2.0\",\"id\":33}"))
                .containsExactly(31L);
    }

    @Test
    void plainTextOfAProgramIsNoMessage() {
        assertThat(BrokenMessage.isMeant("listening on port 7")).isFalse();
        assertThat(BrokenMessage.isMeant("[INFO] listening")).isFalse();
        assertThat(BrokenMessage.isMeant("  {\"id\":1")).isTrue();
        assertThat(BrokenMessage.isMeant("[{\"id\":1")).isTrue();
        assertThat(BrokenMessage.isMeant("\uFEFF{\"id\":1")).isTrue();
    }
}

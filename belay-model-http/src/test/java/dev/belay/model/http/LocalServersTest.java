package dev.belay.model.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.model.http.exchange.HttpProbe;
import dev.belay.testkit.model.WireAnswer;
import dev.belay.testkit.model.WireServer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Probes of servers on this machine. */
@Timeout(60)
class LocalServersTest {

    /** Patient, so that a busy machine is not taken for a missing server. */
    private final LocalServers servers = new HttpProbe(HttpTimeouts.DEFAULT);

    @Test
    void aListOfModelsIsRead() {
        try (WireServer server = WireServer.start()) {
            server.play(WireAnswer
                    .json("{\"object\":\"list\",\"data\":[{\"id\":\"a\"},{\"id\":\"b\",\"x\":1},{}]}"));
            assertThat(servers.models(BaseUrl.of(server.url() + "/v1"))).contains(List.of("a", "b"));
            assertThat(server.requests().getFirst().target()).isEqualTo("/v1/models");
        }
    }

    @Test
    void otherServersAreNone() {
        try (WireServer server = WireServer.start()) {
            BaseUrl url = BaseUrl.of(server.url().toString());
            server.play(WireAnswer.of(200, "text/html", "<html>A web site"));
            assertThat(servers.models(url)).isEmpty();
            server.play(WireAnswer.json("{\"hello\":1}"));
            assertThat(servers.models(url)).isEmpty();
            server.play(WireAnswer.of(404, "text/plain", "nothing here"));
            assertThat(servers.models(url)).isEmpty();
            server.play(WireAnswer.silence());
            assertThat(LocalServers.overHttp().models(url)).isEmpty();
        }
    }

    @Test
    void noServerIsNone() {
        WireServer server = WireServer.start();
        server.close();
        assertThat(servers.models(BaseUrl.of(server.url().toString()))).isEmpty();
    }

    @Test
    void onlyThisMachineIsProbed() {
        assertThat(LocalServers.USUAL).allMatch(BaseUrl::isLoopback);
        assertThatThrownBy(() -> servers.models(BaseUrl.of("http://192.168.0.1/v1")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}

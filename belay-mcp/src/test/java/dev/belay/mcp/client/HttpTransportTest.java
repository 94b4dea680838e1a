package dev.belay.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Requests that an interrupt ends. */
class HttpTransportTest {

    @SuppressWarnings("unchecked")
    private static HttpResponse<InputStream> answer(InputStream body) {
        return (HttpResponse<InputStream>) Proxy.newProxyInstance(HttpTransportTest.class.getClassLoader(),
                new Class<?>[]{HttpResponse.class}, (proxy, method, args) -> body);
    }

    @Test
    void anAnswerThatArrivesInTheMomentOfAnInterruptIsClosed() throws Exception {
        var closed = new AtomicBoolean();
        InputStream body = new ByteArrayInputStream(new byte[0]) {
            @Override
            public void close() {
                closed.set(true);
            }
        };
        HttpTransport.abandon(CompletableFuture.completedFuture(answer(body)));
        assertThat(closed).isTrue();
    }

    @Test
    void aRequestThatIsNotAnsweredIsCancelled() throws Exception {
        var sent = new CompletableFuture<HttpResponse<InputStream>>();
        HttpTransport.abandon(sent);
        assertThat(sent).isCancelled();
    }

    @Test
    void aRequestThatHasFailedIsLeftAlone() throws Exception {
        var sent = new CompletableFuture<HttpResponse<InputStream>>();
        sent.completeExceptionally(new IOException("gone"));
        HttpTransport.abandon(sent);
        assertThat(sent).isCompletedExceptionally();
    }
}

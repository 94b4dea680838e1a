package dev.belay.toolbox.http;

import dev.belay.schema.Shown;
import dev.belay.schema.Wording;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolFailure.Kind;
import dev.belay.tool.option.RetryAdvice;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;

/** Makes refusals whose message tells a model what to do instead. Stateless. */
final class HttpRefusal {

    private static final int SHOWN = 300;

    private HttpRefusal() {}

    static ToolException badUrl(String url, String why) {
        return no(Kind.INVALID_REQUEST, "bad_url",
                "\"" + Shown.inLine(url, SHOWN) + "\" cannot be asked for: " + why);
    }

    static ToolException hostNotAllowed(String host, Set<String> allowed) {
        return no(Kind.PERMISSION_DENIED, "host_not_allowed",
                "the host " + host + " is not allowed here; allowed are "
                        + String.join(", ", new TreeSet<>(allowed)));
    }

    static ToolException privateAddress(String host) {
        return no(Kind.PERMISSION_DENIED, "private_address", "the host " + host
                + " has an address that is not public (of this machine or a private network), which is not allowed here");
    }

    static ToolException unknownHost(String host) {
        return no(Kind.INVALID_REQUEST, "unknown_host", "there is no host " + Shown.inLine(host, SHOWN));
    }

    static ToolException notText(String type, String url) {
        return no(Kind.INVALID_REQUEST, "not_a_text_page",
                Shown.inLine(url, SHOWN) + " is " + Shown.inLine(type, 100) + ", which is not text");
    }

    static ToolException timedOut(String url, Duration most) {
        return new ToolException(ToolFailure.of(Kind.TIMEOUT, "page_timed_out",
                Shown.inLine(url, SHOWN) + " did not answer whole within " + most.toSeconds() + " s")
                .withRetry(RetryAdvice.ALLOWED));
    }

    static ToolException badAnswer(String url, String why) {
        return no(Kind.EXTERNAL, "bad_page",
                "the answer of " + Shown.inLine(url, SHOWN) + " cannot be read: " + why);
    }

    static ToolException failed(String url, IOException e) {
        return new ToolException(ToolFailure.of(Kind.IO, "page_failed",
                Shown.inLine(url, SHOWN) + " could not be read: " + Shown.inLine(Wording.of(e), SHOWN))
                .withRetry(RetryAdvice.ALLOWED), e);
    }

    private static ToolException no(Kind kind, String code, String message) {
        return new ToolException(ToolFailure.of(kind, code, message));
    }
}

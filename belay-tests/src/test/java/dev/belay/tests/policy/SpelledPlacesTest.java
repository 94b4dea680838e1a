package dev.belay.tests.policy;

import static dev.belay.tests.session.SessionBench.calling;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.policy.Match;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.policy.PolicyRule;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.ToolOutcome;
import dev.belay.toolbox.file.FileRules;
import dev.belay.toolbox.file.FileTools;
import dev.belay.toolbox.http.HttpRules;
import dev.belay.toolbox.http.HttpTools;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A rule about a place denies it however a call spells the place: every spelling, tool and matcher of a table. */
class SpelledPlacesTest {

    private static final Map<String, String> TOOLS = Map.of("read_file", "", "grep", ",\"pattern\":\"x\"",
            "write_file", ",\"content\":\"x\"", "edit_file", ",\"find\":\"boss\",\"replace\":\"x\"");
    private static final Map<String, Match> MATCHERS = Map.of("glob", Match.glob("*.csv"),
            "glob of a directory", Match.glob("prod/*"), "prefix", Match.prefix("prod/"),
            "equals", Match.equalTo("prod/pay.csv"), "not", Match.not(Match.prefix("open/")));

    @TempDir
    Path root;

    private final SessionBench bench = new SessionBench();
    private final AtomicInteger calls = new AtomicInteger();

    @BeforeEach
    void files() throws IOException {
        Files.createDirectories(root.resolve("prod"));
        Files.writeString(root.resolve("prod/pay.csv"), "boss,1000000");
        Files.createSymbolicLink(root.resolve("readme.txt"), Path.of("prod/pay.csv"));
        Files.createSymbolicLink(root.resolve("open"), Path.of("prod"));
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private List<String> spellings() {
        return List.of("prod/pay.csv", "prod/pay.csv/", "./prod/pay.csv", "prod//pay.csv", "prod/./pay.csv",
                "open/pay.csv", "open/../prod/pay.csv", "readme.txt", root + "/prod/pay.csv",
                root + "/readme.txt");
    }

    @Test
    void aFileIsDeniedHoweverItIsSpelled() throws Exception {
        for (Map.Entry<String, Match> matcher : MATCHERS.entrySet()) {
            Belay belay = bench.open(calling(), builder -> builder
                    .tools(FileTools.writing(root, FileRules.DEFAULT))
                    .policy(Policy.rules(PolicyRule.deny("no-pay").where("/path", matcher.getValue()))));
            for (Map.Entry<String, String> tool : TOOLS.entrySet()) {
                for (String spelling : spellings()) {
                    String what = tool.getKey() + " " + spelling + " under " + matcher.getKey();
                    assertThat(belay.calls()
                            .run("call-" + calls.incrementAndGet(), List.of(new CallRequest(tool.getKey(),
                                    "{\"path\":" + Json.string(spelling).text() + tool.getValue() + "}")))
                            .outcomes())
                            .as(what)
                            .containsExactly(new ToolOutcome.Rejected("denied by rule \"no-pay\""));
                }
            }
            belay.close();
        }
        assertThat(root.resolve("prod/pay.csv")).hasContent("boss,1000000");
    }

    @Test
    void aHostIsDeniedHoweverItsAddressIsSpelled() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String at = ":" + listening.getLocalPort() + "/";
            for (Match matcher : List.of(Match.hostIn(List.of("127.0.0.1")), Match.glob("http://127.0.0.1:*"),
                    Match.equalTo("http://127.0.0.1" + at))) {
                Belay belay = bench.open(calling(), builder -> builder
                        .tools(HttpTools.of(HttpRules.DEFAULT.allowPrivate("127.0.0.1")))
                        .policy(Policy.rules(PolicyRule.deny("not-here").where("/url", matcher))));
                for (String spelling : List.of("http://127.0.0.1" + at, " http://127.0.0.1" + at,
                        "\nHTTP://127.0.0.1" + at + "\r\n", "http://2130706433" + at,
                        "http://127.0.0.1" + at + "#x",
                        "http://127.0.0.1" + at + "./", "http://127.0.0.1" + at + "%2e")) {
                    assertThat(belay.calls()
                            .run("call-" + calls.incrementAndGet(), List.of(new CallRequest("http_get",
                                    "{\"url\":" + Json.string(spelling).text() + "}")))
                            .outcomes())
                            .as(spelling)
                            .containsExactly(new ToolOutcome.Rejected("denied by rule \"not-here\""));
                }
                belay.close();
            }
        }
    }
}

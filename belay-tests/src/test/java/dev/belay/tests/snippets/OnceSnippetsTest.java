package dev.belay.tests.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.testkit.crash.CrashKit;
import dev.belay.tests.snippets.OnceSnippets.World;
import dev.belay.tool.ToolCaller;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** The snippets of the page about paying once do what the page says. */
class OnceSnippetsTest {

    private final Map<String, String> receipts = new ConcurrentHashMap<>();
    private final List<String> pages = new CopyOnWriteArrayList<>();

    private final World world = new World() {

        @Override
        public int balance(String account) {
            return 7;
        }

        @Override
        public String pay(String to, int cents, String key) {
            return receipts.computeIfAbsent(key, each -> "R-1 for " + to);
        }

        @Override
        public String print(String text) {
            pages.add(text);
            return "page " + text;
        }

        @Override
        public Optional<String> printed(String text) {
            return pages.contains(text) ? Optional.of("page " + text) : Optional.empty();
        }
    };

    @Test
    void effectsAreCalledAsDeclared() {
        var tools = ToolCaller.of(OnceSnippets.tools(world));
        assertThat(tools.call("balance", "{\"account\": \"A\"}").text()).isEqualTo("7");
        assertThat(tools.call("pay", "{\"to\": \"A\", \"cents\": 5}").text()).isEqualTo("R-1 for A");
        assertThat(tools.call("print", "{\"text\": \"hello\"}").text()).isEqualTo("page hello");
    }

    @Test
    void paymentHasItsReceiptHoweverItsProcessDies() throws Exception {
        CrashKit.inMemory()
                .tools(OnceSnippets.tools(world))
                .call("pay", "{\"to\": \"A\", \"cents\": 5}")
                .verify();
        assertThat(receipts).isNotEmpty();
    }
}

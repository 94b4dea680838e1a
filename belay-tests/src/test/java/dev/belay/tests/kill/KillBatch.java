package dev.belay.tests.kill;

import dev.belay.runtime.dispatch.CallRequest;
import java.util.List;

/** The calls of every batch, so that the worker and the test agree on them. */
final class KillBatch {

    static final List<String> TOOLS = List.of("look", "put", "pay", "ask", "lock", "lock", "steps",
            "glance", "glance", "charge", "glance");

    private KillBatch() {}

    static List<CallRequest> calls(String batch) {
        return java.util.stream.IntStream.range(0, TOOLS.size())
                .mapToObj(i -> new CallRequest(TOOLS.get(i),
                        "{\"key\":\"" + key(batch, i) + "\",\"resource\":\"shared\"}"))
                .toList();
    }

    static String key(String batch, int index) {
        return batch + "." + index;
    }
}

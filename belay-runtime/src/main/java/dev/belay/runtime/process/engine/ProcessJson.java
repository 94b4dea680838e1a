package dev.belay.runtime.process.engine;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.json.JsonLimits;
import dev.belay.runtime.store.journal.LargeResult;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;

/** Bounds the values that records of processes hold. */
public final class ProcessJson {

    /** The deepest value that a body may return; the record around it adds a few levels. */
    private static final int DEEPEST = 480;

    /** The largest value that a process may end with; the record around it takes some room too. */
    private static final int LARGEST = LargeResult.LARGEST - (4 << 10);

    private ProcessJson() {}

    /** Refuses a value that is larger or deeper than the arguments of a call may be: {@code resource_limit}. */
    public static Json bounded(String what, Json value) {
        try {
            return Json.of(value.text(), JsonLimits.ARGUMENTS);
        } catch (JsonException e) {
            throw new BelayException("resource_limit", what + " has at most "
                    + JsonLimits.ARGUMENTS.maxBytes() + " bytes and a depth of "
                    + JsonLimits.ARGUMENTS.maxDepth() + "; keep it elsewhere and hand over its name: "
                    + e.getMessage(), e);
        }
    }

    /** Refuses a value that does not fit into a record: its depth is added to the depth of the record. */
    public static Json recordable(Json value) {
        if (value.text().length() < 2 * DEEPEST) {
            return value; // each level takes two characters at least
        }
        try {
            return Json.of(value.text(), new JsonLimits(LARGEST, DEEPEST));
        } catch (JsonException e) {
            throw new ToolException(ToolFailure.ofRuntime(ToolFailure.Kind.RESOURCE_LIMIT, "resource_limit",
                    "the value of a process has at most " + LARGEST
                            + " bytes and a depth of "
                            + DEEPEST + ": " + e.getMessage()),
                    e);
        }
    }
}

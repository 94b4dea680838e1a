package dev.belay.runtime.operate;

import dev.belay.BelayException;
import dev.belay.Wait;
import dev.belay.json.Json;
import dev.belay.runtime.policy.ApprovalRequest;
import dev.belay.runtime.policy.ShownText;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.law.OperatorReads.OpenKey;
import dev.belay.schema.ShownLines;
import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Waits as people and programs are told of them: escaped, on one line, with what answers them.
 *
 * @param address how a command names the store; empty if none can open it
 * @param requests reads what a person is asked
 * @param arguments reads the final arguments of a call from what was prepared
 * @param session of the turn, or null
 * @param turn its number; 0 outside turns
 */
record ShownWaits(String address, Approvals.Requests requests, UnaryOperator<Json> arguments,
        @Nullable SessionId session, long turn) {

    private static final int LONGEST = 200;

    /** A wait that is told. */
    private record Told(Kind kind, String session, long turn, String tool, String arguments, String detail,
            String keyId, String digest, Instant since, Optional<Instant> until, String code, String command)
            implements
                Wait {

        @Override
        public String toString() {
            return Wait.line(this);
        }
    }

    /** A wait that has a key. */
    Wait open(OpenKey key) {
        var recorded = key.recorded();
        String tool = recorded == null ? null : recorded.identity().peekText("name");
        ApprovalRequest request = recorded == null || recorded.input() == null
                ? null
                : requests.read(recorded.input(), recorded.result()).orElse(null);
        PendingWait.Kind kind = PendingWaits.kind(key.opened().name().value());
        String digest = kind == PendingWait.Kind.APPROVAL && request != null ? request.digest() : "";
        String announced = key.opened().announcement();
        String detail = kind == PendingWait.Kind.APPROVAL && request != null
                ? "asked by " + request.by().words()
                : announced == null ? "" : announced;
        return new Told(kind(kind), name(), turn, line(tool == null ? "" : tool), arguments(recorded == null
                ? null
                : recorded.input()), line(detail), key.keyId(), digest, key.since(),
                Optional.ofNullable(key.opened().deadline()), code(kind, key.keyId(), digest),
                command(kind, key.keyId(), digest));
    }

    /** A turn that no program serves. */
    Wait unserved(WaitsFor waits) {
        Wait.Kind kind = Wait.Kind.valueOf(waits.what().name());
        return new Told(kind, name(), turn, "", "", line(waits.detail()), "", "", waits.since(),
                Optional.ofNullable(waits.until()), switch (kind) {
                    case PAUSE ->
                        "belay.unpause(" + "Pause.Target.of(\"" + line(waits.detail()) + "\"), \"why\")";
                    case PROGRAM -> "session(\"" + name() + "\").begin(…), or belay.onReady(…)";
                    case PLUGIN -> "start a program with a build of the plugin that reads its state";
                    case CONFIGURATION ->
                        "start a program that is configured so that the turn can run: belay.misconfigured()";
                    default -> "start a program that defines the agent";
                }, kind == Wait.Kind.PAUSE && !address.isEmpty() ? "belay pauses" + store() : "");
    }

    private String name() {
        return session == null ? "" : session.value();
    }

    private static Wait.Kind kind(PendingWait.Kind kind) {
        return switch (kind) {
            case COMPLETION -> Wait.Kind.COMPLETION;
            case APPROVAL -> Wait.Kind.APPROVAL;
            case DOUBT -> Wait.Kind.DOUBT;
            case EVENT, INPUT -> Wait.Kind.EVENT;
        };
    }

    private static String code(PendingWait.Kind kind, String keyId, String digest) {
        return switch (kind) {
            case APPROVAL -> "belay.approvals().decide(\"" + keyId + "\", \"" + digest
                    + "\", ApprovalAnswer.once())";
            case DOUBT -> "belay.doubts()";
            case COMPLETION, EVENT, INPUT -> "belay.resolve(key, …); belay.reissue(\"" + keyId
                    + "\") gives the key again";
        };
    }

    private String command(PendingWait.Kind kind, String keyId, String digest) {
        return address.isEmpty() ? "" : switch (kind) {
            case APPROVAL -> "belay approve " + keyId + " --digest " + digest + store();
            case DOUBT -> "belay doubts" + store();
            case COMPLETION, EVENT, INPUT -> "belay resolve " + keyId + " --value JSON" + store();
        };
    }

    private String store() {
        boolean isPlain = address.matches("[\\w./$@:+-]+");
        return " --store " + (isPlain ? address : "'" + address.replace("'", "'\\''") + "'");
    }

    private String arguments(@Nullable Json prepared) {
        try {
            return prepared == null ? "" : line(arguments.apply(prepared).compact());
        } catch (BelayException unreadable) {
            return "";
        }
    }

    private static String line(String text) {
        String escaped = ShownLines.marked(ShownText.escaped(text));
        return escaped.length() <= LONGEST ? escaped : escaped.substring(0, LONGEST) + "...";
    }
}

package dev.belay.cli.talk;

import dev.belay.json.Json;
import dev.belay.schema.Shown;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.call.PrepareCall;
import dev.belay.tool.call.PreparedCall;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Tools whose calls that change something are decided first: by a mode, or by a person. The question is asked while the call is
 * prepared, before anything of it is recorded as started: a process that dies at the question leaves a call that has not begun, and the
 * next process asks again. Thread-safe.
 */
final class AskedTools implements ToolProvider {

    private static final String DENIED = "approval_denied";

    private final ToolProvider tools;
    private final ApproveMode mode;
    private final Person person;
    private final Set<String> allowed = ConcurrentHashMap.newKeySet();
    private final CountDownLatch unanswered = new CountDownLatch(1);

    AskedTools(ToolProvider tools, ApproveMode mode, Person person) {
        this.tools = tools;
        this.mode = mode;
        this.person = person;
    }

    /** Whether a question found the end of input, so that the turn cannot go on in this process. */
    boolean isUnanswered() {
        return unanswered.getCount() == 0;
    }

    @Override
    public List<ToolDefinition> definitions() {
        return tools.definitions();
    }

    @Override
    public PrepareCall.Prepared prepare(PrepareCall call) throws Exception {
        PrepareCall.Prepared prepared = tools.prepare(call);
        ToolDefinition tool = call.definition();
        if (mode.lets(tool.manifest().effect()) || allowed.contains(tool.name())) {
            return prepared;
        }
        if (mode != ApproveMode.ASK) {
            throw denied("calls that change something are not allowed in this run (--approve "
                    + mode.name().toLowerCase(Locale.ROOT)
                    + "); do without, and say in your answer what you would do");
        }
        ask(tool, prepared.replaced() == null ? call.arguments() : prepared.replaced());
        return prepared;
    }

    private void ask(ToolDefinition tool, Json arguments) throws InterruptedException {
        var question = new StringBuilder("\nThe model wants to call " + tool.name() + ":\n");
        for (Map.Entry<String, Json> argument : arguments.fields().entrySet()) {
            Json value = argument.getValue();
            String text = value.kind() == Json.Kind.STRING ? value.asString() : value.compact();
            question.append("  ")
                    .append(Shown.name(argument.getKey()))
                    .append(": ")
                    .append(Shown.text(text).replace("\n", "\n    "))
                    .append('\n');
        }
        question.append("Allow it? [y] once, [s] this tool until the end, [n] no, or words for the model: ");
        String answer = person.ask(question.toString());
        if (answer == null) {
            unanswered.countDown();
            holdUntilTheProcessEnds();
        }
        String said = String.valueOf(answer).strip();
        switch (said.toLowerCase(Locale.ROOT)) {
            case "y", "yes" -> {
            }
            case "s" -> allowed.add(tool.name());
            case "", "n", "no" -> throw denied("the person said no");
            default -> throw denied("the person said no: " + said);
        }
    }

    /** An interrupt would become the outcome of the call; a call without an answer has none, as if the process had died here. */
    private static void holdUntilTheProcessEnds() {
        while (true) {
            LockSupport.park();
            Thread.interrupted();
        }
    }

    private static ToolException denied(String words) {
        return new ToolException(ToolFailure.of(ToolFailure.Kind.PERMISSION_DENIED, DENIED, words));
    }

    @Override
    public @Nullable Object execute(PreparedCall call) throws Exception {
        return tools.execute(call);
    }
}

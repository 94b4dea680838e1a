package dev.belay.examples.longrun;

import dev.belay.model.FinishReason;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelException;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part.CallPart;
import dev.belay.model.TokenFamily;
import dev.belay.model.Usage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A model of a script: reads one log in each turn, looks into those that were cut, then answers; refuses what is longer than its context.
 * Thread-safe.
 */
final class ReadingModel implements Model {

    private static final Pattern HANDLE = Pattern.compile("read_output\\(\"(out-[^\"]+)\"\\)");

    private final TokenFamily family;
    private final AtomicLong largest = new AtomicLong();
    private final AtomicInteger summaries = new AtomicInteger();
    private final AtomicInteger pages = new AtomicInteger();

    ReadingModel(TokenFamily family) {
        this.family = family;
    }

    @Override
    public String id() {
        return "reader";
    }

    /** The largest request so far, in tokens. */
    long largest() {
        return largest.get();
    }

    /** How many summaries it has made. */
    int summaries() {
        return summaries.get();
    }

    /** How many pages of outputs that were cut it has read. */
    int pages() {
        return pages.get();
    }

    @Override
    public ModelResponse complete(ModelRequest request, ModelListener listener) {
        long tokens = family.tokens(request);
        largest.accumulateAndGet(tokens, Math::max);
        if (tokens > Main.CONTEXT) {
            throw new ModelException(ModelException.Kind.CONTEXT_TOO_LONG, tokens + " tokens are too many");
        }
        if (request.tools().isEmpty()) {
            return said(Message.assistant("Days 0 to " + summaries.incrementAndGet() + "0 were quiet."),
                    tokens);
        }
        Message last = request.messages().getLast();
        if (last instanceof Message.UserMessage asked) {
            String day = asked.text().replaceAll("\\D", "");
            return called(new CallPart("day-" + day, "read_log", "{\"day\":" + day + "}"), tokens);
        }
        String read = ((Message.ToolMessage) last).replies().getFirst().text();
        Matcher cut = HANDLE.matcher(read);
        if (cut.find()) {
            return called(new CallPart("end-" + tokens, "search_output",
                    "{\"handle\":\"" + cut.group(1) + "\",\"pattern\":\"ERROR\"}"), tokens);
        }
        pages.addAndGet(read.startsWith("No line from line ") ? 1 : 0);
        return said(Message.assistant("Nothing happened on that day."), tokens);
    }

    private ModelResponse called(CallPart call, long tokens) {
        return new ModelResponse(Message.assistant(call), FinishReason.TOOL_CALLS, Usage.of(tokens, 10), id(),
                "");
    }

    private ModelResponse said(Message.AssistantMessage message, long tokens) {
        return new ModelResponse(message, FinishReason.STOP, Usage.of(tokens, 10), id(), "");
    }
}

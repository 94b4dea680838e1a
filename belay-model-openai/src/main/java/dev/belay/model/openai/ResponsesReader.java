package dev.belay.model.openai;

import dev.belay.json.Json;
import dev.belay.json.Json.Kind;
import dev.belay.model.FinishReason;
import dev.belay.model.ModelEvent;
import dev.belay.model.ModelEvent.CallArguments;
import dev.belay.model.ModelEvent.CallStarted;
import dev.belay.model.ModelEvent.Finished;
import dev.belay.model.ModelEvent.ReasoningDelta;
import dev.belay.model.ModelEvent.RefusalDelta;
import dev.belay.model.ModelEvent.Started;
import dev.belay.model.ModelEvent.TextDelta;
import dev.belay.model.ModelEvent.UsageReported;
import dev.belay.model.NativePayload;
import dev.belay.model.http.AnswerReader;
import dev.belay.model.http.ArrivingAnswer;
import dev.belay.model.http.ServerEvent;
import dev.belay.model.http.wire.WireFields;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Reads an answer of the Responses API: a list of items, each a message, reasoning or a call. Content that arrives only with a
 * finished item, or only with the finished answer, is told then; so a whole answer takes the same path.
 */
final class ResponsesReader implements AnswerReader {

    private static final String BETWEEN_SUMMARIES = "\n\n";
    /** The states of an answer that came to its end. */
    private static final Set<String> ENDED = Set.of("completed", "incomplete");

    private final String asked;
    /** Finished items by their place, for servers that do not repeat them at the end. */
    private final SortedMap<Integer, Json> items = new TreeMap<>();
    private final Set<Integer> begunCalls = new HashSet<>();
    private final Set<Integer> heard = new HashSet<>();
    private final Set<String> callIds = new HashSet<>();
    private final Map<String, Integer> places = new HashMap<>();
    private boolean called;
    private boolean refused;

    ResponsesReader(String asked) {
        this.asked = asked;
    }

    @Override
    public void event(ServerEvent event, ArrivingAnswer answer) {
        Json body = event.json();
        int at = place(body);
        switch (WireFields.type(body)) {
            case "response.created", "response.queued", "response.in_progress" ->
                WireFields.field(body, "response").ifPresent(response -> start(response, answer));
            case "response.output_item.added" ->
                WireFields.field(body, "item").ifPresent(item -> begin(at, item, answer));
            case "response.output_text.delta" ->
                delta(at, new TextDelta(WireFields.text(body, "delta")), answer);
            case "response.refusal.delta" ->
                delta(at, new RefusalDelta(WireFields.text(body, "delta")), answer);
            case "response.reasoning_summary_text.delta", "response.reasoning_text.delta" ->
                delta(at, new ReasoningDelta(WireFields.text(body, "delta")), answer);
            case "response.reasoning_summary_part.added" -> {
                if (WireFields.index(body, "summary_index").orElse(0) > 0) {
                    delta(at, new ReasoningDelta(BETWEEN_SUMMARIES), answer);
                }
            }
            case "response.function_call_arguments.delta" ->
                delta(at, new CallArguments(at, WireFields.text(body, "delta")), answer);
            case "response.output_item.done" ->
                WireFields.field(body, "item").ifPresent(item -> item(at, item, answer));
            case "response.completed", "response.incomplete", "response.failed", "response.cancelled" ->
                WireFields.field(body, "response")
                        .ifPresent(
                                response -> end(response, status(response, WireFields.type(body)), answer));
            default -> {
                // the other kinds of events repeat or decorate these
            }
        }
    }

    @Override
    public void whole(Json body, ArrivingAnswer answer) {
        String status = WireFields.text(body, "status");
        boolean listed = WireFields.field(body, "output")
                .filter(list -> list.kind() == Kind.ARRAY)
                .isPresent();
        if (listed
                ? !status.isEmpty()
                : WireFields.text(body, "object").equals("response") && isOpen(status)) {
            end(body, status, answer);
        }
    }

    private static boolean isOpen(String status) {
        return !status.isEmpty() && !ENDED.contains(status);
    }

    /** The status of an answer; a server that leaves it out names it in the type of the event. */
    private static String status(Json response, String type) {
        String said = WireFields.text(response, "status");
        return said.isEmpty() ? type.substring("response.".length()) : said;
    }

    private void end(Json response, String status, ArrivingAnswer answer) {
        start(response, answer);
        List<Json> output = WireFields.typed(response, "output");
        boolean streamed = !heard.isEmpty() || !begunCalls.isEmpty();
        for (int at = 0; at < output.size(); at++) {
            if (!streamed) {
                item(at, output.get(at), answer);
            } else if (isUnheardCall(output.get(at))) {
                // text may have been streamed under another place; only calls have ids by which to tell
                item(free(), output.get(at), answer);
            }
        }
        usage(response, answer);
        answer.requireNoError(response);
        if (!ENDED.contains(status)) {
            throw answer.failure("the provider returned an answer of status \"" + status + "\"");
        }
        Json said = WireFields.field(response, "output")
                .filter(list -> !output.isEmpty())
                .orElseGet(() -> Json.array(new ArrayList<>(items.values())));
        answer.tell(new Finished(reason(response, status), new NativePayload(ResponsesProtocol.NAME, said)));
    }

    /** The place of an item; if the server leaves it out, the item's id determines it. */
    private int place(Json body) {
        OptionalInt said = WireFields.index(body, "output_index");
        String id = WireFields.text(body, "item_id");
        if (id.isEmpty()) {
            id = WireFields.field(body, "item").map(item -> WireFields.text(item, "id")).orElse("");
        }
        return said.isPresent() || id.isEmpty()
                ? said.orElse(0)
                : places.computeIfAbsent(id, one -> places.size());
    }

    private boolean isUnheardCall(Json item) {
        return WireFields.type(item).equals("function_call")
                && !callIds.contains(WireFields.text(item, "call_id"));
    }

    /** A place that no item has. */
    private int free() {
        return IntStream.iterate(0, at -> at + 1)
                .filter(at -> !heard.contains(at) && !begunCalls.contains(at) && !items.containsKey(at))
                .findFirst()
                .orElseThrow();
    }

    private void start(Json response, ArrivingAnswer answer) {
        if (!answer.isStarted()) {
            String model = WireFields.text(response, "model");
            answer.tell(new Started(model.isEmpty() ? asked : model, WireFields.text(response, "id")));
        }
    }

    private void begin(int at, Json item, ArrivingAnswer answer) {
        if (WireFields.type(item).equals("function_call") && begunCalls.add(at)) {
            start(Json.EMPTY_OBJECT, answer);
            called = true;
            callIds.add(WireFields.text(item, "call_id"));
            answer.tell(new CallStarted(at, WireFields.text(item, "call_id"), WireFields.text(item, "name")));
        }
    }

    private void delta(int at, ModelEvent event, ArrivingAnswer answer) {
        start(Json.EMPTY_OBJECT, answer);
        heard.add(at);
        refused |= event instanceof RefusalDelta;
        answer.tell(event);
    }

    /** Takes a finished item and tells the content that no delta has told. */
    private void item(int at, Json item, ArrivingAnswer answer) {
        WireFields.requireType(item);
        begin(at, item, answer);
        if (items.put(at, item) != null || heard.contains(at)) {
            return;
        }
        switch (WireFields.type(item)) {
            case "message" -> WireFields.typed(item, "content").forEach(part -> content(at, part, answer));
            case "reasoning" -> reasoning(at, item, answer);
            case "function_call" ->
                delta(at, new CallArguments(at, WireFields.text(item, "arguments")), answer);
            default -> {
                // searches and other items: kept in the native form
            }
        }
    }

    private void content(int at, Json part, ArrivingAnswer answer) {
        switch (WireFields.type(part)) {
            case "output_text" -> delta(at, new TextDelta(WireFields.text(part, "text")), answer);
            case "refusal" -> delta(at, new RefusalDelta(WireFields.text(part, "refusal")), answer);
            default -> {
                // no text to tell
            }
        }
    }

    private void reasoning(int at, Json item, ArrivingAnswer answer) {
        List<Json> summary = WireFields.items(item, "summary");
        for (int i = 0; i < summary.size(); i++) {
            delta(at, new ReasoningDelta(
                    (i == 0 ? "" : BETWEEN_SUMMARIES) + WireFields.text(summary.get(i), "text")), answer);
        }
        WireFields.items(item, "content")
                .forEach(part -> delta(at, new ReasoningDelta(WireFields.text(part, "text")), answer));
    }

    private static void usage(Json response, ArrivingAnswer answer) {
        WireFields.field(response, "usage")
                .ifPresent(
                        usage -> answer.tell(
                                new UsageReported(TokenUsage.of(usage, "input_tokens", "output_tokens"))));
    }

    private FinishReason reason(Json response, String status) {
        String why = WireFields.field(response, "incomplete_details")
                .map(details -> WireFields.text(details, "reason"))
                .orElse("");
        return switch (why) {
            case "max_output_tokens" -> FinishReason.LENGTH;
            case "content_filter" -> FinishReason.CONTENT_FILTER;
            case "" ->
                status.equals("incomplete") ? FinishReason.OTHER : reason();
            default -> FinishReason.OTHER;
        };
    }

    private FinishReason reason() {
        return called ? FinishReason.TOOL_CALLS : refused ? FinishReason.REFUSAL : FinishReason.STOP;
    }
}

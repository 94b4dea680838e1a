package dev.belay.runtime.session.state;

import dev.belay.json.FramedHash;
import dev.belay.json.Json;
import dev.belay.json.JsonWriter;
import dev.belay.model.MessageJson;
import dev.belay.model.MessageLog;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.Usage;
import dev.belay.runtime.output.engine.BatchViews;
import dev.belay.runtime.plugin.engine.RoundHooks;
import dev.belay.runtime.session.TurnEnd;
import dev.belay.runtime.session.asking.Models;
import dev.belay.runtime.session.inbox.JoinedArrivals;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.journal.RecordReader;
import dev.belay.tool.ToolOutcome;
import dev.belay.toolset.loop.LoopHost;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that one round decided. When a turn is entered again none of it is computed anew: what was offered, what joined,
 * what the model said. The form is pinned by a golden file.
 *
 * @param before what became of the round before: always in a loop that is not the runtime's; in the runtime's own if the model was not
 *        told everything, otherwise null
 * @param joined arrivals that were taken into the turn before the model was asked
 * @param asked which model was asked and what was offered, or null if none was
 * @param reply what the model said, or null
 * @param lost what failed requests of this round have cost
 * @param unrecorded whether the model may have been asked before by a process that died with the answer
 * @param end how the round ends the turn, or null if the turn goes on
 * @param wrong what is wrong with the form of the answer, as the model is told; null if it is right, or no form was asked for
 * @param hooks what hooks of plugins have decided
 */
public record RoundRecord(@Nullable Before before, List<Arrival> joined, @Nullable Asked asked,
        @Nullable ModelResponse reply, Usage lost, boolean unrecorded, @Nullable TurnEnd end,
        @Nullable String wrong, RoundHooks hooks) {

    /**
     * What became of a round in a program's loop, which may answer calls without running them and drop answers.
     *
     * @param kept whether its message is in the conversation
     * @param replies what the model was told of its calls; none if it had none
     * @param history what the history keeps of its calls; none if that is what the model was told
     * @param outputs whether outputs of its calls were kept whole, to be read by handle
     */
    public record Before(boolean kept, List<LoopHost.Told> replies, List<String> history, boolean outputs) {

        public Before {
            replies = List.copyOf(replies);
            history = List.copyOf(history);
        }

        /** Of a round whose outputs were shown as they are. */
        public Before(boolean kept, List<LoopHost.Told> replies) {
            this(kept, replies, List.of(), false);
        }

        /** What a model is told of outcomes. */
        public static Before of(List<ToolOutcome> outcomes, BatchViews views) {
            var replies = new ArrayList<LoopHost.Told>(outcomes.size());
            for (int i = 0; i < outcomes.size(); i++) {
                replies.add(new LoopHost.Told(outcomes.get(i).status(), views.model().get(i)));
            }
            return new Before(true, replies,
                    views.history().equals(views.model()) ? List.of() : views.history(),
                    views.kept());
        }
    }

    /**
     * A request.
     *
     * @param model the name under which the model was found
     * @param variant the name of the way in which it was asked
     * @param generation of the catalog that was offered
     * @param offered hash of the names and fingerprints that were offered
     * @param request hash of the messages that were sent
     * @param cost what all requests of the round have cost, or null if the model had no price
     * @param plugins what plugins have put around the request and left out of it, or null
     * @param estimate of the tokens that were sent; 0 if the size of the context is not known
     */
    public record Asked(String model, String variant, long generation, String offered, String request,
            @Nullable BigDecimal cost, @Nullable Json plugins, long estimate) {

        /** A request that was not estimated. */
        public Asked(String model, String variant, long generation, String offered, String request,
                @Nullable BigDecimal cost, @Nullable Json plugins) {
            this(model, variant, generation, offered, request, cost, plugins, 0);
        }

        /** A request without plugins. */
        public Asked(String model, String variant, long generation, String offered, String request,
                @Nullable BigDecimal cost) {
            this(model, variant, generation, offered, request, cost, null);
        }
    }

    public RoundRecord {
        joined = List.copyOf(joined);
    }

    /** A round whose answer has the right form. */
    public RoundRecord(@Nullable Before before, List<Arrival> joined, @Nullable Asked asked,
            @Nullable ModelResponse reply, Usage lost, boolean unrecorded, @Nullable TurnEnd end) {
        this(before, joined, asked, reply, lost, unrecorded, end, null, RoundHooks.NONE);
    }

    /** The same with what hooks have decided. */
    public RoundRecord with(RoundHooks decided) {
        return new RoundRecord(before, joined, asked, reply, lost, unrecorded, end, wrong, decided);
    }

    /** Whether the answer has no calls and the turn goes on all the same. */
    public boolean goesOn() {
        return end == null && wrong == null && reply != null && reply.calls().isEmpty();
    }

    /** A round that asked no model, because the turn stops before. */
    public static RoundRecord ended(@Nullable Before before, boolean unrecorded, TurnEnd end) {
        return new RoundRecord(before, List.of(), null, null, Usage.NONE, unrecorded, end);
    }

    /** What is recorded of a request and its answer, if there is one; what a model does not say it has used has no price. */
    public static Asked asked(Models models, Question question, Usage lost,
            @Nullable ModelResponse reply) {
        String model = question.choice().model();
        BigDecimal cost = models.cost(model, lost);
        if (reply != null && cost != null) {
            BigDecimal answer = reply.usage().total().isEmpty() ? null : models.cost(model, reply.usage());
            cost = answer == null ? null : cost.add(answer);
        }
        return new Asked(model, question.choice().variant(), question.generation(), question.offered(),
                question.request().messages() instanceof MessageLog log ? log.hash() : "", cost,
                question.plugins(), question.estimate());
    }

    /** What all requests of the round have cost. */
    public Usage usage() {
        return reply == null ? lost : lost.plus(reply.usage());
    }

    /** Identifies a record. */
    public static String hash(Json record) {
        return new FramedHash().add(record.text()).hex();
    }

    public Json toJson() {
        return Json.write(out -> {
            out.beginObject().name("v").value(RecordReader.VERSION);
            if (before != null) {
                out.name("before").beginObject().name("kept").value(before.kept());
                out.name("replies").beginArray();
                before.replies()
                        .forEach(told -> out.beginObject()
                                .name("status")
                                .value(told.status().name())
                                .name("text")
                                .value(told.text(), RecordReader.HALF)
                                .endObject());
                out.endArray();
                if (!before.history().isEmpty()) {
                    out.name("history").beginArray();
                    before.history().forEach(text -> out.value(text, RecordReader.HALF));
                    out.endArray();
                }
                if (before.outputs()) {
                    out.name("outputs").value(true);
                }
                out.endObject();
            }
            JoinedArrivals.write(out, joined);
            if (asked != null) {
                write(out.name("asked"), asked);
            }
            if (reply != null) {
                MessageJson.write(out.name("reply"), reply);
            }
            if (!lost.equals(Usage.NONE)) {
                MessageJson.write(out.name("lost"), lost);
            }
            if (unrecorded) {
                out.name("unrecorded").value(true);
            }
            if (end != null) {
                end.write(out.name("end"));
            }
            if (wrong != null) {
                out.name("wrong").value(wrong, RecordReader.HALF);
            }
            if (!hooks.isEmpty()) {
                out.name("hooks").value(hooks.toJson());
            }
            out.endObject();
        });
    }

    private static void write(JsonWriter out, Asked asked) {
        out.beginObject().name("model").value(asked.model());
        if (!asked.variant().equals(Models.DEFAULT)) {
            out.name("variant").value(asked.variant());
        }
        out.name("generation").value(asked.generation()).name("offered").value(asked.offered());
        out.name("request").value(asked.request());
        if (asked.cost() != null) {
            out.name("cost").value(asked.cost());
        }
        if (asked.plugins() != null) {
            out.name("plugins").value(asked.plugins());
        }
        if (asked.estimate() != 0) {
            out.name("estimate").value(asked.estimate());
        }
        out.endObject();
    }

    public static RoundRecord of(Json recorded) {
        return RecordReader.versioned("round", recorded, () -> {
            return new RoundRecord(recorded.get("before").map(RoundRecord::before).orElse(null),
                    JoinedArrivals.of(recorded),
                    recorded.get("asked").map(RoundRecord::asked).orElse(null),
                    recorded.get("reply").map(MessageJson::response).orElse(null),
                    recorded.get("lost").map(MessageJson::usage).orElse(Usage.NONE),
                    recorded.get("unrecorded").map(Json::asBoolean).orElse(false),
                    recorded.get("end").map(TurnEnd::of).orElse(null),
                    RecordReader.optionalText(recorded, "wrong"), RoundHooks.of(recorded.get("hooks")));
        });
    }

    private static Before before(Json recorded) {
        return new Before(RecordReader.field(recorded, "kept").asBoolean(), RecordReader
                .items(recorded, "replies")
                .stream()
                .map(told -> new LoopHost.Told(ReplyPart.Status.valueOf(RecordReader.text(told, "status")),
                        RecordReader.text(told, "text")))
                .toList(), RecordReader.items(recorded, "history").stream().map(Json::asString).toList(),
                recorded.get("outputs").isPresent());
    }

    private static Asked asked(Json asked) {
        return new Asked(RecordReader.text(asked, "model"),
                asked.get("variant").map(Json::asString).orElse(Models.DEFAULT),
                RecordReader.field(asked, "generation").asLong(), RecordReader.text(asked, "offered"),
                RecordReader.text(asked, "request"), asked.get("cost").map(Json::asBigDecimal).orElse(null),
                asked.get("plugins").orElse(null), asked.get("estimate").map(Json::asLong).orElse(0L));
    }
}

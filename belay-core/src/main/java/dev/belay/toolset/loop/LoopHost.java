package dev.belay.toolset.loop;

import dev.belay.Wait;
import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part.ReplyPart;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.call.Arguments;
import dev.belay.tool.context.CallId;
import dev.belay.tool.context.HostValues;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Asks the model, runs the bodies and records the outcomes for a loop of your own. The runtime implements it; programs do not.
 *
 * <p>An implementer promises: {@link #ask} and {@link #commit} are called by one thread at a time, {@link #run} by many; recorded
 * answers and outcomes are returned, not made again.
 */
public interface LoopHost {

    /**
     * Asks the model for the next round.
     *
     * @param request the request; the host adds messages that arrived meanwhile
     * @param offered the tools of the request
     * @param listener hears the answer; hears nothing of a recorded answer
     */
    Asked ask(ModelRequest request, Collection<ToolEntry<?>> offered, ModelListener listener);

    /**
     * Runs the body of a call.
     *
     * @return how it ended; empty if it waits to be completed from outside
     */
    Optional<ToolOutcome> run(HostedCall call);

    /**
     * Settles a round whose calls all have an answer or wait.
     *
     * @param round its number
     * @param outcomes in the model's order; empty where a call waits
     * @param arguments of the call at a place, after hooks; null if it could not be run
     * @return what the model is told, in its order; empty if calls still wait, so that the loop has to return
     */
    Optional<List<Told>> commit(int round, List<Optional<ToolOutcome>> outcomes,
            IntFunction<@Nullable Json> arguments);

    /** What a round that parked waits for; empty if something of the turn goes on. */
    List<Wait> waits();

    /** Whether the tool of a name may be offered and called now; what the newest question has joined counts. */
    boolean allows(String tool);

    /** What the host supplies to bodies. */
    HostValues hostValues();

    /**
     * An answer.
     *
     * @param round the number of the round, from 1
     * @param joined messages that were added before the model was asked
     * @param response what it said
     * @param recorded whether the response was read from a record, without asking the model
     * @param decided what the host has decided about calls of the response, by their places
     */
    record Asked(int round, List<Message> joined, ModelResponse response, boolean recorded,
            Map<Integer, Decided> decided) {

        /** Copies the collections. */
        public Asked {
            joined = List.copyOf(joined);
            decided = Map.copyOf(decided);
        }
    }

    /**
     * A decision about a call.
     *
     * @param arguments in place of the model's, or null for the model's own
     * @param proposed the text of the arguments with which a person was asked, if that person has put others in their place; else null
     * @param outcome of a call that ends without its body, or null
     */
    record Decided(@Nullable Json arguments, @Nullable String proposed, @Nullable ToolOutcome outcome) {}

    /**
     * What the model is told of a call.
     *
     * @param status how it ended
     * @param text in words
     */
    record Told(ReplyPart.Status status, String text) {}

    /**
     * A call whose body is to be run.
     *
     * @param round the number of the round
     * @param index its place in the message
     * @param id what the model calls it
     * @param entry the tool
     * @param arguments after hooks; the call is recorded under them
     * @param decoded the same arguments as the round read them, or null if hooks or a person have changed them
     * @param approved the arguments that a person has put in their place, or null
     * @param host what this request supplies to bodies
     * @param body yours
     */
    record HostedCall(int round, int index, CallId id, ToolEntry<?> entry, String arguments,
            Arguments.@Nullable Valid decoded, @Nullable Json approved, HostValues host,
            RoundBackend.Body body) {

        /** The tool under the name that the model knows. */
        public ToolDefinition definition() {
            return entry.definition();
        }
    }
}

package dev.belay.tests.policy;

import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.Message.ToolMessage;
import dev.belay.model.Message.UserMessage;
import dev.belay.model.Model;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part.CallPart;
import dev.belay.tests.policy.PolicyOracle.Paid;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.call.PrepareCall;
import dev.belay.tool.call.PreparedCall;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Refunds of names that may be spelled in several ways, and a model that makes the calls that its input plans. */
final class PlannedRefunds {

    private PlannedRefunds() {}

    /** Tools whose calls get one spelling of a name before policies see them. */
    record Spelled(ToolProvider tools) implements ToolProvider {

        @Override
        public List<ToolDefinition> definitions() {
            return tools.definitions();
        }

        @Override
        public PrepareCall.Prepared prepare(PrepareCall call) {
            return call.arguments()
                    .get("to")
                    .map(Json::asString)
                    .filter(to -> !to.equals(plain(to)))
                    .map(to -> call.replace(arguments(call.arguments().get("amount").orElseThrow().asInt(),
                            plain(to))))
                    .orElseGet(call::unchanged);
        }

        @Override
        public @Nullable Object execute(PreparedCall call) throws Exception {
            return tools.execute(call);
        }
    }

    static String plain(String to) {
        return to.strip().toLowerCase(Locale.ROOT);
    }

    static Json arguments(int amount, String to) {
        return Json.object(Map.of("amount", Json.number(amount), "to", Json.string(to)));
    }

    static boolean isPlain(Json arguments) {
        return arguments.equals(arguments(paid(arguments).amount(), paid(arguments).to()));
    }

    static Paid paid(Json arguments) {
        return new Paid(arguments.get("amount").orElseThrow().asBigDecimal().intValueExact(),
                plain(arguments.get("to").orElseThrow().asString()));
    }

    /** A model that makes the rounds of calls that it was told last. */
    static Model planned() {
        return model(PlannedRefunds::next);
    }

    private static ModelResponse next(ModelRequest request) {
        int done = 0;
        for (Message message : request.messages().reversed()) {
            if (message instanceof UserMessage said && said.text().startsWith("[")) {
                List<Json> rounds = Json.of(said.text()).items();
                return done == rounds.size()
                        ? text("done")
                        : calls(rounds.get(done)
                                .items()
                                .stream()
                                .map(call -> new CallPart(call.items().get(0).asString(),
                                        call.items().get(1).asString(), call.items().get(2).asString()))
                                .toList());
            }
            done += message instanceof ToolMessage ? 1 : 0;
        }
        throw new AssertionError("no plan in " + request.messages());
    }
}

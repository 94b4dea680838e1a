package dev.belay.tests.snippets;

import static dev.belay.toolset.Decision.proceed;
import static dev.belay.toolset.Decision.reject;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelEvent;
import dev.belay.tool.Dynamic;
import dev.belay.tool.FromHost;
import dev.belay.tool.Nested;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolInput;
import dev.belay.tool.ToolMethods;
import dev.belay.tool.Tools;
import dev.belay.toolset.Answer;
import dev.belay.toolset.CallIssue;
import dev.belay.toolset.HookedCall;
import dev.belay.toolset.Round;
import dev.belay.toolset.RoundPlan;
import dev.belay.toolset.Step;
import dev.belay.toolset.StepEvent;
import dev.belay.toolset.StepListener;
import dev.belay.toolset.StructuredOutput;
import dev.belay.toolset.ToolCall;
import dev.belay.toolset.ToolGroup;
import dev.belay.toolset.ToolHooks;
import dev.belay.toolset.ToolReply;
import dev.belay.toolset.ToolSelector;
import dev.belay.toolset.Toolset;
import dev.belay.toolset.Transcript;
import dev.belay.toolset.budget.BudgetPool;
import dev.belay.toolset.budget.Prices;
import dev.belay.toolset.budget.SpendLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The code of {@code docs/your-own-loop.md} and the pages after it that is not in {@code examples/typed-loop}. */
final class LoopSnippets {

    private LoopSnippets() {}

    /** Who the customer is. */
    @Tools
    sealed interface CrmTools {

        /** Looks up a customer. */
        record GetCustomer(String email) implements CrmTools, ToolInput<String> {}
    }

    // region set
    @Tools
    sealed interface ShopTools {

        /** Finds the orders of a customer. */
        record FindOrders(String customer) implements ShopTools, ToolInput<List<Long>> {}

        /** Pays money back. */
        @Tool(defaultOn = false)
        record Refund(long order) implements ShopTools, ToolInput<String> {}

        @Nested(prefix = "buyer_")
        record Buyers(CrmTools tools) implements ShopTools {}

        @Nested(prefix = "seller_", defaultOn = false)
        record Sellers(CrmTools tools) implements ShopTools {}

        @Nested
        record Extra(Dynamic call) implements ShopTools {}
    }

    static final Toolset<ShopTools> TOOLS = Toolset.of(ShopTools.class);
    static final ToolGroup<ShopTools, CrmTools> SELLERS = TOOLS.group(ShopTools.Sellers.class,
            ShopTools.Sellers::tools);
    // endregion

    /** Whose shop it is. */
    record Tenant(String name) {}

    // region methods
    static final class Parcels {

        /** Tells where a parcel is. */
        @Tool
        String trackParcel(@FromHost Tenant tenant, String parcel) {
            return parcel + " of " + tenant.name() + " is in Oslo";
        }
    }
    // endregion

    static ToolReply methods(Transcript transcript, Model model) {
        // region slot
        ToolMethods parcels = ToolMethods.of(new Parcels());

        Step<ShopTools, String> step = transcript.step(model)
                .tools(TOOLS)
                .fill(ShopTools.Extra.class, parcels)
                .supply(Tenant.class, () -> new Tenant("acme"))
                .run();
        // endregion
        ToolCall<ShopTools> call = round(step).expectOne();
        return switch (call.input()) {
            // region attempt
            case ShopTools.Extra(var in) -> call.attempt(in, context -> parcels.execute(in, context));
            // endregion
            case ShopTools other -> call.fail("not asked for");
        };
    }

    static void definitions(Transcript transcript, Model model) {
        // region definitions
        ToolDefinition ping = ToolDefinition.raw("ping", "Asks for a sign of life.",
                Json.of("{\"type\": \"object\", \"properties\": {\"host\": {\"type\": \"string\"}}}"));

        transcript.step(model).tools(TOOLS).fill(ShopTools.Extra.class, List.of(ping)).run();
        // endregion
    }

    static Step<ShopTools, String> offer(Transcript transcript, Model model) {
        // region offer
        return transcript.step(model)
                .tools(TOOLS)
                .plus(ShopTools.Refund.class)
                .plus(SELLERS.select(CrmTools.GetCustomer.class))
                .require(ShopTools.Refund.class)
                .describe(ShopTools.Refund.class, "Pays money back, up to 100 euros.")
                .run();
        // endregion
    }

    static Step<ShopTools, String> selection(Transcript transcript, Model model) {
        // region selection
        Answer<List<ToolSelector<ShopTools>>> choice = transcript.step(model)
                .as(StructuredOutput.selection(TOOLS))
                .answer();

        List<ToolSelector<ShopTools>> chosen = switch (choice) {
            case Answer.Given(var tools) -> tools;
            case Answer.Refused(String why) -> List.of();
        };
        return transcript.step(model).tools(TOOLS).only(chosen).run();
        // endregion
    }

    // region structured
    record Contact(String name, String email) {}

    static String contact(Transcript transcript, Model model) {
        return switch (transcript.step(model).as(Contact.class).answer()) {
            case Answer.Given(Contact contact) -> contact.name() + " <" + contact.email() + ">";
            case Answer.Refused(String why) -> "refused: " + why;
        };
    }
    // endregion

    static String listen(Transcript transcript, Model model, StringBuilder screen) {
        // region listen
        StepListener onScreen = event -> {
            switch (event) {
                case StepEvent.Streamed(ModelEvent.TextDelta(String text)) -> screen.append(text);
                case StepEvent.Streamed other -> {
                }
                case StepEvent.NotOffered(int index, String name, var failure) -> screen.append("?");
                case StepEvent.AskedAgain(String problem) -> screen.setLength(0);
            }
        };
        Answer<String> answer = transcript.step(model).listener(onScreen).answer();
        // endregion
        return answer.toString();
    }

    static BudgetPool budget(Transcript transcript, Model model) {
        // region budget
        BudgetPool today = BudgetPool
                .of(SpendLimit.cost("5.00", Prices.of("0.50", "2.00")).andTokens(2_000_000));

        transcript.step(model).budget(today).limit(SpendLimit.tokens(10_000)).answer();
        // endregion
        return today;
    }

    static List<String> forks(Transcript transcript, Model model) {
        // region forks
        transcript.ephemeral(Message.system("Today is Friday."));
        Transcript other = transcript.fork();

        transcript.step(model).answer();
        other.user("Answer in French.").step(model).answer();
        // endregion
        return List.of(transcript.messages().toString(), other.messages().toString());
    }

    // region parallel
    static void parallel(Round<ShopTools> round) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<ToolReply>> running = new ArrayList<>();
            for (ToolCall<ShopTools> call : round.calls()) {
                running.add(threads.submit(() -> execute(call)));
            }
            List<ToolReply> replies = new ArrayList<>();
            for (Future<ToolReply> reply : running) {
                replies.add(reply.get());
            }
            round.commit(replies);
        }
    }
    // endregion

    // region issues
    static void answerIssues(Round<ShopTools> round) {
        List<ToolReply> replies = new ArrayList<>();
        for (CallIssue issue : round.issues()) {
            if (issue.failure().code().equals("tool_unavailable")) {
                replies.add(issue.reject("ask a person to " + issue.name()));
            } // all others are answered automatically
        }
        round.calls().forEach(call -> replies.add(execute(call)));
        round.commit(replies);
    }
    // endregion

    // region passes
    static RoundPlan<ShopTools> passes(Round<ShopTools> round, ToolHooks<ShopTools> ours,
            ToolHooks<ShopTools> theirs) {
        RoundPlan<ShopTools> first = round.apply(ours);
        return first.apply(theirs); // sees the calls pending after the first pass
    }
    // endregion

    // region alone
    static ToolReply alone(ToolCall<ShopTools> call, ToolHooks<ShopTools> hooks) {
        return switch (call.apply(hooks)) {
            case HookedCall.Pending(var pending) -> execute(pending);
            case HookedCall.Handled(var handled, ToolReply reply) -> reply;
            case HookedCall.Rejected(var rejected, ToolReply reply) -> reply;
        };
    }
    // endregion

    // region dynamic-hook
    static final ToolHooks<ShopTools> DYNAMIC = ToolHooks.of(TOOLS)
            .on(ShopTools.Extra.class, (call, in) -> in.call().arguments().at("/host").isPresent()
                    ? proceed(in)
                    : reject("say which host"));
    // endregion

    // region close
    static void close(Round<ShopTools> asked) {
        try (Round<ShopTools> round = asked) {
            round.commit(round.calls().stream().map(LoopSnippets::execute).toList());
        } // an exception before the commit discards the round
    }
    // endregion

    static ToolReply execute(ToolCall<ShopTools> call) {
        return switch (call.input()) {
            case ShopTools.FindOrders in -> call.run(in, context -> List.of(42L));
            case ShopTools.Refund in -> call.run(in, context -> "paid under " + context.callId());
            case ShopTools.Buyers(CrmTools.GetCustomer in) -> call.complete(in, "buyer " + in.email());
            case ShopTools.Sellers(CrmTools.GetCustomer in) -> call.complete(in, "seller " + in.email());
            case ShopTools.Extra(var in) -> call.fail("nobody runs " + in.tool().name());
        };
    }

    static Round<ShopTools> round(Step<ShopTools, String> step) {
        return switch (step) {
            case Step.NeedsTools(var round) -> round;
            case Step.Finished(String text) -> throw new AssertionError(text);
            case Step.Refused(String why) -> throw new AssertionError(why);
        };
    }
}

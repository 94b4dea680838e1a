package dev.belay.examples.typedloop;

import static dev.belay.toolset.Decision.complete;
import static dev.belay.toolset.Decision.proceed;
import static dev.belay.toolset.Decision.reject;

import dev.belay.model.Part.CallPart;
import dev.belay.model.ToolSpec;
import dev.belay.model.script.ScriptStep;
import dev.belay.model.script.ScriptedModel;
import dev.belay.tool.ToolMethods;
import dev.belay.tool.context.IdempotencyKey;
import dev.belay.toolset.CallIssue;
import dev.belay.toolset.CommitException;
import dev.belay.toolset.HookedCall;
import dev.belay.toolset.Round;
import dev.belay.toolset.RoundEnd;
import dev.belay.toolset.RoundPlan;
import dev.belay.toolset.Step;
import dev.belay.toolset.StepEvent;
import dev.belay.toolset.ToolCall;
import dev.belay.toolset.ToolGroup;
import dev.belay.toolset.ToolHooks;
import dev.belay.toolset.ToolReply;
import dev.belay.toolset.Toolset;
import dev.belay.toolset.Transcript;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Owns the loop between a scripted model and typed tools, and prints every step of it. No network, no key. */
public final class Main {

    // region set
    static final Toolset<DeskTools> TOOLS = Toolset.of(DeskTools.class);
    static final ToolGroup<DeskTools, CrmTools> CRM = TOOLS.group(DeskTools.Crm.class, DeskTools.Crm::tools);
    // endregion

    // region hooks
    static final ToolHooks<CrmTools> CRM_HOOKS = ToolHooks.of(CRM.toolset())
            .on(CrmTools.GetCustomer.class, (call, in) -> in.email().equals("ada@example.com")
                    ? complete(in, new CrmTools.Customer("Ada", "2019"))
                    : proceed(in));

    static final ToolHooks<DeskTools> HOOKS = ToolHooks.of(TOOLS)
            .on(DeskTools.FindOrders.class, (call, in) -> proceed(new DeskTools.FindOrders(
                    in.customer().strip().toLowerCase(Locale.ROOT), in.limit())))
            .on(DeskTools.Refund.class, (call, in) -> in.cents() > 10_000
                    ? reject("at most 10000 cents without a person")
                    : proceed(in))
            .in(CRM, CRM_HOOKS);
    // endregion

    /** The form of the last answer. */
    record Summary(String customer, long refundedCents) {}

    private final PrintStream out;
    private final ScriptedModel model;
    private final Transcript transcript = new Transcript();
    private final Map<IdempotencyKey, DeskTools.Receipt> paid = new HashMap<>();
    private final ToolMethods parcels = ToolMethods.of(new Parcels());

    private Main(PrintStream out, ScriptedModel model) {
        this.out = out;
        this.model = model;
    }

    public static void main(String[] args) {
        run(System.out);
    }

    static void run(PrintStream out) {
        new Main(out, script()).serve();
    }

    /** The model's script: six calls at once, then two, then an answer of the wrong form, then the right one. */
    private static ScriptedModel script() {
        return new ScriptedModel()
                .then(ScriptStep.text("Let me look.")
                        .andCall("find_orders", "{\"customer\": \" Ada@Example.com \"}")
                        .andCall("find_orders", "{\"custommer\": \"ada@example.com\", \"limit\": 99}")
                        .andCall("find_order", "{}")
                        .andCall("refund", "{\"order\": 42, \"cents\": 8950}")
                        .andCall("crm_get_customer", "{\"email\": \"ada@example.com\"}")
                        .andCall("track_parcel", "{\"parcel\": \"P7\"}"))
                .then(ScriptStep.call("refund", "{\"order\": 42, \"cents\": 89500}")
                        .andCall("refund", "{\"order\": 42, \"cents\": 8950}"))
                .reply("Ada got 89.50 back.")
                .reply("{\"customer\": \"Ada\", \"refundedCents\": 8950}");
    }

    // region loop
    private void serve() {
        transcript.user("Ada wants her money back for the rope.");
        boolean mayRefund = false;
        for (int number = 1;; number++) {
            out.println("== Step " + number + ": the model is asked");
            var request = transcript.step(model)
                    .tools(TOOLS)
                    .fill(DeskTools.Extra.class, parcels)
                    .supply(Parcels.Tenant.class, () -> new Parcels.Tenant("acme"))
                    .describe(CRM.select(CrmTools.GetCustomer.class), "Looks up one of our customers.")
                    .as(Summary.class)
                    .listener(this::heard);
            if (mayRefund) {
                request.plus(DeskTools.Refund.class);
            }
            switch (request.run()) {
                case Step.Finished(Summary answer) -> {
                    out.println(
                            "finished: " + answer.customer() + " got " + answer.refundedCents() + " cents");
                    return;
                }
                case Step.Refused(String why) -> {
                    out.println("refused: " + why);
                    return;
                }
                case Step.NeedsTools(var round) -> {
                    asked(round);
                    RoundPlan<DeskTools> plan = round.apply(HOOKS);
                    planned(plan);
                    out.println("-- your code runs what is pending");
                    List<ToolReply> replies = new ArrayList<>();
                    plan.pending().forEach(call -> replies.add(execute(call)));
                    commit(plan, replies);
                    mayRefund = true;
                }
            }
        }
    }
    // endregion

    // region execute
    private ToolReply execute(ToolCall<DeskTools> call) {
        out.println("running:  " + call);
        return switch (call.input()) { // must be exhaustive: a new tool does not compile
            case DeskTools.FindOrders in -> call.run(in, context -> orders(in.customer()));
            case DeskTools.Refund in -> call.run(in, context -> pay(in, context.idempotencyKey()));
            case DeskTools.Crm(CrmTools.GetCustomer in) -> call.fail("there is no customer " + in.email());
            case DeskTools.Extra(var in) -> call.attempt(in, context -> parcels.execute(in, context));
        };
    }
    // endregion

    private static List<DeskTools.Order> orders(String customer) {
        return customer.equals("ada@example.com")
                ? List.of(new DeskTools.Order(42, "rope", 8950))
                : List.of();
    }

    /** The key is the same on every attempt, so a service that remembers it pays once. */
    private DeskTools.Receipt pay(DeskTools.Refund refund, IdempotencyKey key) {
        return paid.computeIfAbsent(key, first -> new DeskTools.Receipt("R-" + refund.order()));
    }

    // region commit
    /** Forgets the first reply and gives the last one twice, sees what is wrong, and commits again. */
    private void commit(RoundPlan<DeskTools> plan, List<ToolReply> replies) {
        if (replies.size() > 1) {
            out.println("-- a commit with mistakes is refused, and nothing is lost");
            try {
                plan.commit(List.of(replies.getLast(), replies.getLast()));
            } catch (CommitException refused) {
                for (CommitException.Problem problem : refused.problems()) {
                    out.println("problem:  " + problem.code() + ": " + problem.message());
                }
            }
        }
        out.println("-- the round is committed; this is what the model is told");
        switch (plan.commit(replies)) { // a refused commit leaves the round open
            case RoundEnd.Committed(var told) -> told.forEach(reply -> out.println(
                    "told:     " + reply.callId() + " " + reply.status() + " " + indented(reply.text())));
            case RoundEnd.Parked parked ->
                throw new IllegalStateException("only a session parks");
        }
    }
    // endregion

    /** A stream is a listener; this one prints the events that others would show on a screen. */
    private void heard(StepEvent event) {
        switch (event) {
            case StepEvent.Streamed streamed -> {
                // every piece of text and of arguments, as it arrives
            }
            case StepEvent.NotOffered(int index, String name, var failure) ->
                out.println("heard:    call " + index + " of " + name + " is " + failure.code());
            case StepEvent.AskedAgain(String problem) -> out.println("again:    " + indented(problem));
        }
    }

    private void asked(Round<DeskTools> round) {
        out.println("offered:  " + names(model.requests().getLast().tools()));
        out.println("said:     " + (round.text().isEmpty() ? "(nothing)" : round.text()));
        for (CallPart call : transcript.lastResponse().orElseThrow().calls()) {
            out.println("asked:    " + call.id() + " " + call.name() + " " + call.arguments());
        }
        out.println("-- hooks have seen the calls that are valid");
    }

    private void planned(RoundPlan<DeskTools> plan) {
        plan.pending().forEach(call -> out.println("pending:  " + call));
        for (HookedCall.Handled<DeskTools> handled : plan.handled()) {
            out.println("handled:  " + handled.call());
        }
        for (HookedCall.Rejected<DeskTools> rejected : plan.rejected()) {
            out.println("rejected: " + rejected.call());
        }
        for (CallIssue issue : plan.issues()) {
            out.println("issue:    " + issue);
        }
        plan.continueSuggestion().ifPresent(text -> out.println("hint:     " + text));
    }

    private static String names(List<ToolSpec> tools) {
        return tools.stream().map(ToolSpec::name).collect(Collectors.joining(", "));
    }

    private static String indented(String text) {
        return text.replace("\n", "\n          ");
    }
}

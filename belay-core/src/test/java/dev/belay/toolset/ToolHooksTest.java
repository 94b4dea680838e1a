package dev.belay.toolset;

import static dev.belay.toolset.Decision.complete;
import static dev.belay.toolset.Decision.proceed;
import static dev.belay.toolset.Decision.reject;
import static dev.belay.toolset.Shop.CRM;
import static dev.belay.toolset.Shop.TOOLS;
import static dev.belay.toolset.Shop.call;
import static dev.belay.toolset.Shop.findOrders;
import static dev.belay.toolset.Shop.refusalCode;
import static dev.belay.toolset.Shop.round;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.tool.ToolOutcome;
import dev.belay.toolset.Shop.CrmTools.GetUser;
import dev.belay.toolset.Shop.Order;
import dev.belay.toolset.Shop.Receipt;
import dev.belay.toolset.Shop.ShopTools;
import dev.belay.toolset.Shop.ShopTools.Crm;
import dev.belay.toolset.Shop.ShopTools.Echo;
import dev.belay.toolset.Shop.ShopTools.FindOrders;
import dev.belay.toolset.Shop.ShopTools.Refund;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Contract H.1 and N.6: what one hook, and one hook after another, make of a call. */
class ToolHooksTest {

    private static final ToolHooks<ShopTools> NONE = ToolHooks.of(TOOLS);

    private static ToolCall<ShopTools> orders() {
        return call("find_orders", "{ \"customer\" : \"42\" }");
    }

    private static <T> ToolCall<T> pending(HookedCall<T> hooked) {
        assertThat(hooked).isInstanceOf(HookedCall.Pending.class);
        return ((HookedCall.Pending<T>) hooked).call();
    }

    /** The reply of a call that a hook stopped by failing. */
    static void assertStopped(HookedCall<?> hooked) {
        assertThat(hooked).isInstanceOfSatisfying(HookedCall.Rejected.class, stopped -> {
            assertThat(stopped.reply().outcome()).isInstanceOfSatisfying(ToolOutcome.Failure.class,
                    failure -> assertThat(failure.failure().code()).isEqualTo("before_hook_failed"));
            assertThat(stopped.reply().outcome().text()).startsWith("Error (before_hook_failed): ");
        });
    }

    /** Row 33. */
    @Test
    void withoutAHookTheCallStaysPendingUntouched() {
        ToolCall<ShopTools> call = orders();
        assertThat(pending(call.apply(NONE))).isSameAs(call);
        var other = NONE.on(Echo.class, (info, in) -> reject("no"));
        assertThat(pending(call.apply(other)).input()).isEqualTo(new FindOrders("42"));
    }

    /** Row 34. */
    @Test
    void aHookThatCompletesHandsOverCallInputAndOutput() {
        var hooks = NONE.on(FindOrders.class,
                (info, in) -> complete(in, List.of(new Order(7, in.customer()))));
        assertThat(orders().apply(hooks)).isInstanceOfSatisfying(HookedCall.Handled.class, handled -> {
            assertThat(handled.call().id().value()).isEqualTo("scripted_1");
            assertThat(handled.call().name()).isEqualTo("find_orders");
            assertThat(handled.call().input()).isEqualTo(new FindOrders("42"));
            assertThat(handled.reply().callId()).isEqualTo(handled.call().id());
            assertThat(handled.reply().outcome()).isEqualTo(
                    new ToolOutcome.Success(Json.of("[{\"id\":7,\"customer\":\"42\"}]")));
        });
    }

    /** Row 35. */
    @Test
    void aHookThatEditsChangesTheInputAndNotTheArguments() {
        var hooks = NONE.on(FindOrders.class, (info, in) -> proceed(new FindOrders(in.customer() + "!")));
        ToolCall<ShopTools> edited = pending(orders().apply(hooks));
        assertThat(edited.input()).isEqualTo(new FindOrders("42!"));
        assertThat(edited.arguments()).isEqualTo("{ \"customer\" : \"42\" }");
        assertThat(edited.info().arguments()).isEqualTo("{ \"customer\" : \"42\" }");
        assertThat(edited.run(new FindOrders("42!"), ctx -> List.of()).outcome().text()).isEqualTo("[]");
    }

    /** Row 36. */
    @Test
    void aHookThatRejectsGivesReasonAndCall() {
        var hooks = NONE.on(FindOrders.class, (info, in) -> reject("not on Sundays"));
        assertThat(orders().apply(hooks)).isInstanceOfSatisfying(HookedCall.Rejected.class, rejected -> {
            assertThat(rejected.call().input()).isEqualTo(new FindOrders("42"));
            assertThat(rejected.reply().outcome()).isEqualTo(new ToolOutcome.Rejected("not on Sundays"));
        });
    }

    @Test
    void aHookRunsOnTheThreadThatAppliesIt() {
        List<Thread> ran = new ArrayList<>();
        orders().apply(NONE.on(FindOrders.class, (info, in) -> {
            ran.add(Thread.currentThread());
            return proceed(in);
        }));
        assertThat(ran).containsExactly(Thread.currentThread());
    }

    /** Row 37. */
    @Test
    void threeHooksRunInOrderEachOnWhatTheOneBeforeProceededWith() {
        List<String> seen = new ArrayList<>();
        var hooks = NONE.on(FindOrders.class, (info, in) -> {
            seen.add("first " + in.customer());
            return proceed(new FindOrders(in.customer() + "a"));
        }).on(FindOrders.class, (info, in) -> {
            seen.add("second " + in.customer());
            return proceed(new FindOrders(in.customer() + "b"));
        }).on(FindOrders.class, (info, in) -> {
            seen.add("third " + in.customer() + " of " + info.arguments());
            return complete(in, List.of());
        }).on(FindOrders.class, (info, in) -> {
            throw new AssertionError("asked after the matter was ended");
        });
        assertThat(orders().apply(hooks)).isInstanceOfSatisfying(HookedCall.Handled.class,
                handled -> assertThat(handled.call().input()).isEqualTo(new FindOrders("42ab")));
        assertThat(seen).containsExactly("first 42", "second 42a",
                "third 42ab of { \"customer\" : \"42\" }");
    }

    @Test
    void theFirstRejectionEndsTheMatter() {
        List<String> seen = new ArrayList<>();
        var hooks = NONE.on(FindOrders.class, (info, in) -> reject("first"))
                .on(FindOrders.class, (info, in) -> {
                    seen.add("asked");
                    return complete(in, List.of());
                });
        assertThat(orders().apply(hooks)).isInstanceOfSatisfying(HookedCall.Rejected.class,
                rejected -> assertThat(rejected.reply().outcome())
                        .isEqualTo(new ToolOutcome.Rejected("first")));
        assertThat(seen).isEmpty();
    }

    @Test
    void aHookIsToldIdNameToolAndOriginalArguments() {
        List<CallInfo> seen = new ArrayList<>();
        pending(orders().apply(NONE.on(FindOrders.class, (info, in) -> {
            seen.add(info);
            return proceed(in);
        })));
        assertThat(seen.getFirst().id().value()).isEqualTo("scripted_1");
        assertThat(seen.getFirst().name()).isEqualTo("find_orders");
        assertThat(seen.getFirst().tool()).isSameAs(TOOLS.byName("find_orders").definition());
        assertThat(seen.getFirst().arguments()).isEqualTo("{ \"customer\" : \"42\" }");
    }

    @Test
    void anEditIsValidatedAgain() {
        var tooMany = NONE.on(FindOrders.class,
                (info, in) -> proceed(new FindOrders(in.customer(), OptionalInt.of(51))));
        assertStopped(orders().apply(tooMany));
        var justRight = NONE.on(FindOrders.class,
                (info, in) -> proceed(new FindOrders(in.customer(), OptionalInt.of(50))));
        assertThat(pending(orders().apply(justRight)).input())
                .isEqualTo(new FindOrders("42", OptionalInt.of(50)));
    }

    @Test
    void anInvalidEditIsStoppedBeforeTheNextHookSeesIt() {
        List<String> seen = new ArrayList<>();
        var hooks = NONE.on(FindOrders.class, (info, in) -> proceed(new FindOrders("x", OptionalInt.of(0))))
                .on(FindOrders.class, (info, in) -> noted(seen, "asked", in));
        assertStopped(orders().apply(hooks));
        assertThat(seen).isEmpty();
    }

    @Test
    void theInputOfAnotherToolIsNoEdit() {
        assertStopped(orders().apply(NONE.onEvery((info, in) -> proceed(new Echo("x")))));
        assertStopped(orders().apply(NONE.onEvery((info, in) -> proceed(new Crm(new GetUser(1))))));
        assertStopped(call("crm_get_user", "{\"userId\":1}")
                .apply(NONE.onEvery((info, in) -> proceed(new ShopTools.OldCrm(new GetUser(1))))));
        assertStopped(call("crm_get_user", "{\"userId\":1}").apply(
                NONE.onEvery((info, in) -> proceed(new Crm(new Shop.CrmTools.Forget(1))))));
    }

    @Test
    void aHookThatThrowsOrReturnsNullStopsItsCall() {
        assertStopped(orders().apply(NONE.on(FindOrders.class, (info, in) -> {
            throw new IllegalStateException("broken");
        })));
        assertStopped(orders().apply(NONE.on(FindOrders.class, (info, in) -> nothing())));
        assertStopped(orders().apply(NONE.onEvery((info, in) -> nothing())));
        assertStopped(orders().apply(NONE.onEvery((info, in) -> proceed(nothing()))));
        assertStopped(orders().apply(NONE.on(FindOrders.class, (info, in) -> {
            throw new AssertionError("an error that is none of the virtual machine");
        })));
    }

    @Test
    void aHookThatRecursesForEverStopsItsCall() {
        assertStopped(orders().apply(NONE.onEvery((info, in) -> recurse(info, in))));
    }

    @Test
    void whatBrokeAHookIsNotToldToTheModel() {
        var hooks = NONE.onEvery((info, in) -> {
            throw new IllegalStateException("password 1234");
        });
        assertThat(orders().apply(hooks)).isInstanceOfSatisfying(HookedCall.Rejected.class,
                stopped -> assertThat(stopped.reply().outcome().text()).doesNotContain("1234"));
    }

    @Test
    void anErrorOfTheVirtualMachinePassesThrough() {
        var error = new OutOfMemoryError("thrown by a test");
        var hooks = NONE.onEvery((info, in) -> {
            throw error;
        });
        assertThatThrownBy(() -> orders().apply(hooks)).isSameAs(error);
        assertThatThrownBy(() -> round(findOrders()).apply(hooks)).isSameAs(error);
    }

    /** Row 40. */
    @Test
    void oneLambdaServesEveryTool() {
        List<String> seen = new ArrayList<>();
        var hooks = NONE.onEvery((info, in) -> {
            seen.add(info.name());
            return switch (in) {
                case Refund refund when refund.amount().signum() <= 0 -> reject("amount must be positive");
                case ShopTools other -> proceed(other);
            };
        });
        var plan = round(findOrders().andCall("refund", "{\"orderId\":1,\"amount\":0}")
                .andCall("crm_get_user", "{\"userId\":1}")).apply(hooks);
        assertThat(seen).containsExactly("find_orders", "refund", "crm_get_user");
        assertThat(plan.pending()).hasSize(2);
        assertThat(plan.rejected()).hasSize(1);
    }

    /** Row 40. */
    @Test
    void everyAndPerToolHooksRunInTheOrderOfRegistration() {
        List<String> seen = new ArrayList<>();
        var hooks = NONE.on(FindOrders.class, (info, in) -> noted(seen, "tool", in))
                .onEvery((info, in) -> noted(seen, "every", in))
                .on(FindOrders.class, (info, in) -> noted(seen, "again", in));
        pending(orders().apply(hooks));
        assertThat(seen).containsExactly("tool", "every", "again");
    }

    @Test
    void plusPutsOthersBehind() {
        List<String> seen = new ArrayList<>();
        var first = NONE.on(FindOrders.class, (info, in) -> noted(seen, "first", in));
        var second = NONE.on(FindOrders.class, (info, in) -> noted(seen, "second", in));
        pending(orders().apply(first.plus(second)));
        pending(orders().apply(second.plus(first)));
        pending(orders().apply(first));
        assertThat(seen).containsExactly("first", "second", "second", "first", "first");
    }

    /** Row 41. */
    @Test
    void aPolicyObjectDecidesForTheToolItKnowsAndKeepsItsState() {
        var limit = new RefundLimit(new BigDecimal("100"));
        var hooks = NONE.on(Refund.class, limit);
        assertThat(call("refund", "{\"orderId\":1,\"amount\":60}").apply(hooks))
                .isInstanceOf(HookedCall.Pending.class);
        assertThat(call("refund", "{\"orderId\":2,\"amount\":60}").apply(hooks))
                .isInstanceOfSatisfying(HookedCall.Rejected.class, rejected -> assertThat(
                        rejected.reply().outcome())
                        .isEqualTo(new ToolOutcome.Rejected("only 40 of 100 are left")));
        assertThat(orders().apply(hooks)).isInstanceOf(HookedCall.Pending.class);
        assertThat(limit.left).isEqualByComparingTo("40");
    }

    /** Row 41: an object for the whole set writes only the cases it cares for. */
    @Test
    void aPolicyObjectForTheWholeSetProceedsByDefault() {
        ToolHooks.Hook<ShopTools> policy = new NoRefunds();
        var plan = round(findOrders().andCall("refund", "{\"orderId\":1,\"amount\":5}"))
                .apply(NONE.onEvery(policy));
        assertThat(plan.pending().stream().map(ToolCall::name)).containsExactly("find_orders");
        assertThat(plan.rejected()).hasSize(1);
    }

    @Test
    void aHookOnAGroupSeesTheWholePlace() {
        var hooks = NONE.on(Crm.class,
                (info, in) -> in.tools() instanceof GetUser(int id)
                        ? proceed(new Crm(new GetUser(id + 1)))
                        : reject("users only"));
        assertThat(pending(call("crm_get_user", "{\"userId\":1}").apply(hooks)).input())
                .isEqualTo(new Crm(new GetUser(2)));
        assertThat(call("crm_forget", "{\"userId\":1}").apply(hooks)).isInstanceOf(HookedCall.Rejected.class);
        assertThat(call("old_forget", "{\"userId\":1}").apply(hooks)).isInstanceOf(HookedCall.Pending.class);
    }

    @Test
    void anOutputThatItsSchemaForbidsIsToldAsSuch() {
        var hooks = NONE.on(Refund.class, (info, in) -> complete(in, new Receipt(nothing())));
        assertThat(call("refund", "{\"orderId\":1,\"amount\":5}").apply(hooks))
                .isInstanceOfSatisfying(HookedCall.Handled.class,
                        handled -> assertThat(handled.reply().outcome().text())
                                .startsWith("Error (invalid_tool_output): "));
    }

    @Test
    void hooksAreNotAppliedToARoundThatIsOver() {
        Round<ShopTools> round = round(findOrders());
        round.discard();
        assertThat(refusalCode(() -> round.apply(NONE))).isEqualTo("round_closed");
    }

    @Test
    void hooksAreImmutable() {
        var hooks = NONE.on(FindOrders.class, (info, in) -> proceed(in));
        hooks.on(FindOrders.class, (info, in) -> reject("no"));
        hooks.onEvery((info, in) -> reject("no"));
        hooks.in(CRM, ToolHooks.of(CRM.toolset()).onEvery((info, in) -> reject("no")));
        hooks.plus(NONE.onEvery((info, in) -> reject("no")));
        pending(orders().apply(hooks));
    }

    private static final class RefundLimit implements ToolHooks.Hook<Refund> {

        private final BigDecimal limit;
        private BigDecimal left;

        RefundLimit(BigDecimal limit) {
            this.limit = limit;
            this.left = limit;
        }

        @Override
        public Decision<Refund> decide(CallInfo call, Refund input) {
            if (input.amount().compareTo(left) > 0) {
                return reject("only " + left + " of " + limit + " are left");
            }
            left = left.subtract(input.amount());
            return proceed(input);
        }
    }

    private static final class NoRefunds implements ToolHooks.Hook<ShopTools> {

        @Override
        public Decision<ShopTools> decide(CallInfo call, ShopTools input) {
            return input instanceof Refund ? reject("no refunds") : proceed(input);
        }
    }

    private static <I> Decision<I> noted(List<String> seen, String word, I input) {
        seen.add(word);
        return proceed(input);
    }

    @SuppressWarnings("InfiniteRecursion")
    private static <I> Decision<I> recurse(CallInfo call, I input) {
        return recurse(call, input);
    }

    /** Null, as careless code returns it. */
    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    private static <V> V nothing() {
        return (V) null;
    }
}

package dev.belay.toolset;

import static dev.belay.toolset.Shop.CRM;
import static dev.belay.toolset.Shop.OLD_CRM;
import static dev.belay.toolset.Shop.TOOLS;
import static dev.belay.toolset.Shop.ask;
import static dev.belay.toolset.Shop.last;
import static dev.belay.toolset.Shop.refusal;
import static dev.belay.toolset.Shop.refusalCode;
import static dev.belay.toolset.Shop.sent;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.ModelRequest;
import dev.belay.model.ToolChoice;
import dev.belay.model.Usage;
import dev.belay.model.script.ScriptedModel;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolInput;
import dev.belay.tool.Tools;
import dev.belay.tool.option.Visibility;
import dev.belay.toolset.Shop.CrmTools;
import dev.belay.toolset.Shop.ShopTools;
import dev.belay.toolset.Shop.ShopTools.Crm;
import dev.belay.toolset.Shop.ShopTools.Echo;
import dev.belay.toolset.Shop.ShopTools.FindOrders;
import dev.belay.toolset.Shop.ShopTools.OldCrm;
import dev.belay.toolset.Shop.ShopTools.Refund;
import dev.belay.toolset.budget.BudgetPool;
import dev.belay.toolset.budget.SpendLimit;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Contract N.2: what is offered, and what is demanded of the model. */
class AvailabilityTest {

    private static List<String> offered(UnaryOperator<ToolStepRequest<ShopTools, String>> options) {
        var model = new ScriptedModel().reply("ok");
        options.apply(ask(model).tools(TOOLS)).run();
        return sent(model);
    }

    private static ModelRequest request(UnaryOperator<ToolStepRequest<ShopTools, String>> options) {
        var model = new ScriptedModel().reply("ok");
        options.apply(ask(model).tools(TOOLS)).run();
        return last(model);
    }

    /** Row 13. */
    @Test
    void defaultHidesToolsAndGroupsThatAreOff() {
        assertThat(offered(request -> request)).containsExactly("find_orders", "crm_get_user",
                "crm_mail_send",
                "echo");
    }

    /** Row 13. */
    @Test
    void allOffersEverything() {
        assertThat(offered(ToolStepRequest::all)).containsExactly("find_orders", "refund", "crm_get_user",
                "crm_forget", "crm_mail_send", "echo", "old_get_user", "old_forget", "old_mail_send");
    }

    /** Row 13. */
    @Test
    void onlyOffersToolsAndGroupsThatAreOff() {
        assertThat(offered(request -> request.only(Refund.class))).containsExactly("refund");
        assertThat(offered(request -> request.only(OldCrm.class))).containsExactly("old_get_user",
                "old_forget",
                "old_mail_send");
        assertThat(offered(request -> request.only(OLD_CRM.select(CrmTools.Forget.class))))
                .containsExactly("old_forget");
    }

    /** Rows 13 and 15. */
    @Test
    void defaultPlusOffersToolsAndGroupsThatAreOffBesideTheDefault() {
        assertThat(offered(request -> request.plus(Refund.class))).containsExactly("find_orders", "refund",
                "crm_get_user", "crm_mail_send", "echo");
        assertThat(offered(request -> request.plus(OldCrm.class))).containsExactly("find_orders",
                "crm_get_user", "crm_mail_send", "echo", "old_get_user", "old_forget", "old_mail_send");
        assertThat(offered(request -> request.plus(OLD_CRM.select(CrmTools.GetUser.class))))
                .containsExactly("find_orders", "crm_get_user", "crm_mail_send", "echo",
                        "old_get_user");
    }

    /** Row 15. */
    @Test
    void defaultPlusKeepsDeclarationOrderAndHoldsNothingTwice() {
        assertThat(offered(request -> request.plus(Refund.class)
                .plus(TOOLS.select(Refund.class))
                .plus(List.of(TOOLS.select(Echo.class), TOOLS.select(FindOrders.class)))))
                .containsExactly("find_orders", "refund", "crm_get_user", "crm_mail_send", "echo");
    }

    /** Row 14. */
    @Test
    void onlyKeepsTheCallersOrderWithoutDuplicates() {
        assertThat(offered(request -> request.only(Echo.class)
                .only(Refund.class)
                .only(Echo.class)
                .only(List.of(CRM.select(CrmTools.GetUser.class), TOOLS.select(FindOrders.class),
                        TOOLS.select(Refund.class)))))
                .containsExactly("echo", "refund", "crm_get_user", "find_orders");
        assertThat(offered(request -> request.only(Crm.class).only(FindOrders.class))).containsExactly(
                "crm_get_user", "crm_forget", "crm_mail_send", "find_orders");
    }

    @Test
    void onlyMeansOnlyWhateverWasAskedForBefore() {
        assertThat(offered(request -> request.plus(Refund.class).only(Echo.class))).containsExactly("echo");
        assertThat(offered(request -> request.all().only(Echo.class))).containsExactly("echo");
        assertThat(offered(request -> request.plus(Refund.class).only(List.of()))).isEmpty();
    }

    @Test
    void plusAfterOnlyAddsToIt() {
        assertThat(offered(request -> request.only(Echo.class).plus(Refund.class))).containsExactly("echo",
                "refund");
    }

    /** Row 16. */
    @Test
    void nothingAvailableSendsNeitherToolsNorAChoice() {
        ModelRequest request = request(all -> all.only(List.of()));
        assertThat(request.tools()).isEmpty();
        assertThat(request.toolChoice()).isEqualTo(ToolChoice.auto());
        assertThat(request).isEqualTo(ModelRequest.of(request.messages().getFirst()));
    }

    @Test
    void theRequirementIsSentAsTheChoice() {
        assertThat(request(all -> all).toolChoice()).isEqualTo(ToolChoice.auto());
        assertThat(request(ToolStepRequest::requireAny).toolChoice()).isEqualTo(ToolChoice.any());
        assertThat(request(all -> all.require(Echo.class)).toolChoice())
                .isEqualTo(ToolChoice.specific("echo"));
        assertThat(request(all -> all.require(CRM.select(CrmTools.GetUser.class))).toolChoice())
                .isEqualTo(ToolChoice.specific("crm_get_user"));
    }

    @Test
    void theLastRequirementCounts() {
        assertThat(request(all -> all.require(Echo.class).requireAny()).toolChoice())
                .isEqualTo(ToolChoice.any());
        assertThat(request(all -> all.requireAny().require(Echo.class)).toolChoice())
                .isEqualTo(ToolChoice.specific("echo"));
    }

    /** Row 17. */
    @Test
    void requiringAToolThatIsNotOfferedFailsBeforeAnyRequestAndBudget() {
        var model = new ScriptedModel().reply("ok");
        var pool = BudgetPool.of(SpendLimit.tokens(0));
        var request = ask(model).budget(pool)
                .listener(event -> {
                    throw new AssertionError("heard " + event);
                })
                .tools(TOOLS)
                .require(Refund.class);
        var thrown = refusal(request::run);
        assertThat(thrown.code()).isEqualTo("invalid_tool_constraints");
        assertThat(thrown).hasMessageContainingAll("refund", "find_orders");
        assertThat(model.requests()).isEmpty();
        assertThat(pool.reserved()).isEqualTo(Usage.of(0, 0));
        assertThat(pool.spent()).isEqualTo(Usage.of(0, 0));
        assertThat(refusalCode(() -> ask(model).budget(pool).tools(TOOLS).run())).isEqualTo("resource_limit");
    }

    /** Row 18. */
    @Test
    void requiringAnyToolWhereNoneIsOfferedFailsBeforeAnyRequestAndBudget() {
        var model = new ScriptedModel().reply("ok");
        var pool = BudgetPool.of(SpendLimit.tokens(0));
        assertThat(refusalCode(() -> ask(model).budget(pool).tools(TOOLS).only(List.of()).requireAny().run()))
                .isEqualTo("invalid_tool_constraints");
        assertThat(model.requests()).isEmpty();
        assertThat(pool.spent()).isEqualTo(Usage.of(0, 0));
    }

    @Test
    void anImpossibleRequirementLeavesTheTranscriptAlone() {
        Transcript transcript = Shop.asked();
        long version = transcript.version();
        assertThat(refusalCode(
                () -> transcript.step(new ScriptedModel()).tools(TOOLS).require(Refund.class).run()))
                .isEqualTo("invalid_tool_constraints");
        assertThat(transcript.version()).isEqualTo(version);
    }

    @Tools
    sealed interface Hidden {
        @Tool(undescribed = true, visibility = Visibility.INTERNAL)
        record ForTheHost() implements Hidden, ToolInput<String> {}

        @Tool(undescribed = true)
        record ForTheModel() implements Hidden, ToolInput<String> {}
    }

    /** Contract A.3. */
    @Test
    void aToolForTheHostAloneIsNeverOffered() {
        var model = new ScriptedModel().reply("ok");
        ask(model).tools(Toolset.of(Hidden.class)).all().plus(Hidden.ForTheHost.class).run();
        assertThat(sent(model)).containsExactly("for_the_model");
        var calling = new ScriptedModel().call("for_the_host", "{}");
        assertThat(Shop.round(ask(calling).tools(Toolset.of(Hidden.class)).all()).calls()).isEmpty();
    }
}

package dev.belay.toolset;

import static dev.belay.toolset.Shop.CRM;
import static dev.belay.toolset.Shop.TOOLS;
import static dev.belay.toolset.Shop.names;
import static dev.belay.toolset.Shop.refusal;
import static dev.belay.toolset.Shop.refusalCode;
import static dev.belay.toolset.Shop.sent;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.OutputSpec;
import dev.belay.model.script.ScriptedModel;
import dev.belay.toolset.Shop.ShopTools;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Contract N.8: selectors from class, group and name, as JSON, as a schema, and chosen by a model. */
class ToolSelectorTest {

    private static final List<String> LEAVES = List.of("find_orders", "refund", "crm_get_user", "crm_forget",
            "crm_mail_send", "echo", "old_get_user", "old_forget", "old_mail_send");

    /** Row 9. */
    @Test
    void everyLeafGoesFromNameToSelectorToJsonAndBack() {
        for (String leaf : LEAVES) {
            ToolSelector<ShopTools> selector = TOOLS.byName(leaf);
            assertThat(selector.name()).isEqualTo(leaf);
            assertThat(selector.json()).isEqualTo(Json.of("\"" + leaf + "\""));
            assertThat(selector.definition().name()).isEqualTo(leaf);
            assertThat(TOOLS.find(leaf)).contains(selector);
            assertThat(TOOLS.selectors(Json.of("[\"" + leaf + "\"]"))).containsExactly(selector);
        }
    }

    /** Row 5. */
    @Test
    void theSchemaAllowsExactlyTheNames() {
        assertThat(TOOLS.selectorSchema()).isEqualTo(Json.of("""
                {"type":"string","enum":["find_orders","refund","crm_get_user","crm_forget","crm_mail_send",
                "echo","old_get_user","old_forget","old_mail_send"]}"""));
    }

    @Test
    void aClassAndANameAreTheSameSelector() {
        assertThat(TOOLS.select(ShopTools.Refund.class)).isEqualTo(TOOLS.byName("refund"))
                .hasSameHashCodeAs(TOOLS.byName("refund"))
                .hasToString("refund");
        assertThat(Toolset.of(ShopTools.class).byName("refund")).isEqualTo(TOOLS.byName("refund"));
    }

    @Test
    void selectorsOfTwoSetsAreNeverEqual() {
        var elsewhere = Toolset.of(ToolsetTest.Plain.class).byName("send");
        assertThat((Object) elsewhere).isNotEqualTo(Toolset.of(Shop.MailTools.class).byName("send"));
    }

    @Test
    void anUnknownNameIsEmptyToFindAndAnErrorToByName() {
        assertThat(TOOLS.find("find_order")).isEmpty();
        var thrown = refusal(() -> TOOLS.byName("find_order"));
        assertThat(thrown.code()).isEqualTo("unknown_tool");
        assertThat(thrown).hasMessageContainingAll("\"find_order\"", "find_orders");
        assertThat(refusalCode(() -> TOOLS.selectors(Json.of("[\"refund\",\"nonsense\"]"))))
                .isEqualTo("unknown_tool");
    }

    @Test
    void aClassThatStandsForSeveralToolsOrNoneIsNoSelector() {
        assertThat(refusalCode(() -> TOOLS.select(ShopTools.Crm.class))).isEqualTo("not_a_tool");
        assertThat(refusalCode(() -> TOOLS.select(ShopTools.Mcp.class))).isEqualTo("not_a_tool");
        assertThat(refusalCode(() -> TOOLS.select(ShopTools.class))).isEqualTo("not_a_tool");
    }

    @Test
    void namesChosenTwiceCountOnceInTheOrderOfTheFirst() {
        assertThat(names(TOOLS.selectors(Json.of("[\"refund\",\"echo\",\"refund\"]"))))
                .containsExactly("refund", "echo");
    }

    /** Row 5. */
    @Test
    void aModelChoosesTheToolsOfTheNextStep() {
        var transcript = Shop.asked();
        var model = new ScriptedModel().reply("{\"tools\":[\"old_get_user\",\"refund\",\"refund\"]}")
                .reply("done");
        List<ToolSelector<ShopTools>> chosen = switch (transcript.step(model)
                .as(StructuredOutput.selection(TOOLS))
                .answer()) {
            case Answer.Given<List<ToolSelector<ShopTools>>>(var selectors) -> selectors;
            case Answer.Refused<List<ToolSelector<ShopTools>>>(var reason) ->
                throw new AssertionError(reason);
        };
        assertThat(model.requests().getFirst().output()).isInstanceOfSatisfying(OutputSpec.Schema.class,
                spec -> assertThat(spec.schema().at("/properties/tools/items"))
                        .contains(TOOLS.selectorSchema()));
        transcript.step(model).tools(TOOLS).only(chosen).run();
        assertThat(sent(model)).containsExactly("old_get_user", "refund");
        assertThat(chosen.getFirst()).isNotEqualTo(CRM.select(Shop.CrmTools.GetUser.class));
    }

    @Test
    void aNameThatAModelInventsInItsChoiceIsToldToItOnce() {
        var model = new ScriptedModel().reply("{\"tools\":[\"refunds\"]}").reply("{\"tools\":[\"refund\"]}");
        assertThat(Shop.ask(model).as(StructuredOutput.selection(TOOLS)).answer())
                .isEqualTo(new Answer.Given<>(List.of(TOOLS.byName("refund"))));
        assertThat(model.requests()).hasSize(2);
    }
}

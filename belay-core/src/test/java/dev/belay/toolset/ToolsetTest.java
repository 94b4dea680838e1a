package dev.belay.toolset;

import static dev.belay.toolset.Shop.TOOLS;
import static dev.belay.toolset.Shop.ask;
import static dev.belay.toolset.Shop.call;
import static dev.belay.toolset.Shop.names;
import static dev.belay.toolset.Shop.refusal;
import static dev.belay.toolset.Shop.refusalCode;
import static dev.belay.toolset.Shop.round;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.script.ScriptStep;
import dev.belay.model.script.ScriptedModel;
import dev.belay.schema.Description;
import dev.belay.tool.Nested;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolInput;
import dev.belay.tool.Tools;
import dev.belay.toolset.Shop.CrmTools;
import dev.belay.toolset.Shop.MailTools;
import dev.belay.toolset.Shop.ShopTools;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Contract N.1: what a set consists of, under which names, and what makes it no set. */
class ToolsetTest {

    /** Row 7. */
    @Test
    void definitionsStandInDeclarationOrderWithNestedSetsInPlace() {
        assertThat(TOOLS.definitions().stream().map(ToolDefinition::name)).containsExactly("find_orders",
                "refund", "crm_get_user", "crm_forget", "crm_mail_send", "echo", "old_get_user", "old_forget",
                "old_mail_send");
        assertThat(names(TOOLS.selectors()))
                .isEqualTo(TOOLS.definitions().stream().map(ToolDefinition::name).toList());
        assertThat(TOOLS.type()).isEqualTo(ShopTools.class);
    }

    @Test
    void withoutPrefixANestedToolKeepsItsName() {
        assertThat(Toolset.of(CrmTools.class).definitions().stream().map(ToolDefinition::name))
                .containsExactly("get_user", "forget", "mail_send");
        assertThat(Toolset.of(Plain.class).definitions().stream().map(ToolDefinition::name))
                .containsExactly("send", "after");
    }

    @Tools
    sealed interface Plain {
        @Nested
        record Mail(MailTools tools) implements Plain {}

        @Tool(undescribed = true)
        record After() implements Plain, ToolInput<String> {}
    }

    /** Row 8. */
    @Test
    void callsOfNestedSetsAreDecodedThroughTheirPlace() {
        assertThat(call("crm_get_user", "{\"userId\":7}").input())
                .isEqualTo(new ShopTools.Crm(new CrmTools.GetUser(7)));
        assertThat(call("crm_mail_send", "{\"to\":\"a@b.example\"}").input())
                .isEqualTo(new ShopTools.Crm(new CrmTools.Mail(new MailTools.Send("a@b.example"))));
    }

    @Test
    void oneSetStandsInTwoPlacesAndACallSaysInWhich() {
        assertThat(call("old_get_user", "{\"userId\":7}").input())
                .isEqualTo(new ShopTools.OldCrm(new CrmTools.GetUser(7)));
        assertThat(TOOLS.byName("old_get_user").definition().id())
                .isNotEqualTo(TOOLS.byName("crm_get_user").definition().id());
    }

    /** Row 8. */
    @Test
    void badNestedArgumentsAreInvalidArgumentsAndNotAnUnknownTool() {
        Round<ShopTools> round = round(ScriptStep.call("crm_mail_send", "{\"to\":5}"));
        assertThat(round.calls()).isEmpty();
        assertThat(round.issues().getFirst().failure().code()).isEqualTo("invalid_arguments");
        assertThat(round.issues().getFirst().failure().message()).contains("/to", "crm_mail_send");
    }

    /** Rows 3 and 4, by annotation; Javadoc needs the processor. */
    @Test
    void descriptionsOfToolsAndFieldsAreSent() {
        var model = new ScriptedModel().reply("ok");
        ask(model).tools(TOOLS).run();
        var spec = Shop.last(model).tools().getFirst();
        assertThat(spec.description()).isEqualTo("Finds orders of a customer.");
        assertThat(spec.inputSchema().at("/properties/customer/description"))
                .contains(Json.string("e-mail or customer number"));
    }

    @Test
    void sealedInterfacesInsideASetOnlyGroup() {
        Toolset<Grouped> set = Toolset.of(Grouped.class);
        assertThat(names(set.selectors())).containsExactly("look", "write", "erase");
        assertThat(names(set.selectAll(Grouped.Change.class))).containsExactly("write", "erase");
        assertThat(refusal(() -> set.select(Grouped.Change.class))).hasMessageContaining("2 tools")
                .extracting("code")
                .isEqualTo("not_a_tool");
    }

    @Tools
    sealed interface Grouped {
        @Tool(undescribed = true)
        record Look() implements Grouped, ToolInput<String> {}

        sealed interface Change extends Grouped {}

        @Tool(undescribed = true)
        record Write(String text) implements Change, ToolInput<String> {}

        @Tool(undescribed = true)
        record Erase() implements Change, ToolInput<String> {}
    }

    /** Contract A.9. */
    @Test
    void aSealedInterfaceMarkedToolAndAnEnumAreOneToolEach() {
        Toolset<Unions> set = Toolset.of(Unions.class);
        assertThat(names(set.selectors())).containsExactly("shape", "light");
        Round<Unions> round = round(ask(new ScriptedModel()
                .then(ScriptStep.call("shape", "{\"type\":\"circle\",\"radius\":2}")
                        .andCall("light", "{\"type\":\"RED\"}")))
                .tools(set));
        assertThat(round.issues()).isEmpty();
        assertThat(round.calls().stream().map(ToolCall::input)).containsExactly(new Unions.Circle(2),
                Unions.Light.RED);
    }

    @Tools
    sealed interface Unions {
        @Tool(undescribed = true)
        sealed interface Shape extends Unions, ToolInput<String> {}

        record Circle(int radius) implements Shape {}

        record Square(int side) implements Shape {}

        @Tool(undescribed = true)
        enum Light implements Unions, ToolInput<String> {
            RED, GREEN
        }
    }

    @Test
    void aConstructorThatRefusesItsValuesMakesAnIssue() {
        Round<Picky> round = round(ask(new ScriptedModel().then(
                ScriptStep.call("even", "{\"number\":3}").andCall("even", "{\"number\":4}")))
                .tools(Toolset.of(Picky.class)));
        assertThat(round.calls().stream().map(ToolCall::input)).containsExactly(new Picky.Even(4));
        assertThat(round.issues().getFirst().failure().code()).isEqualTo("invalid_arguments");
        assertThat(round.issues().getFirst().failure().message()).contains("3 is odd");
    }

    @Tools
    sealed interface Picky {
        @Tool(undescribed = true)
        record Even(int number) implements Picky, ToolInput<String> {
            public Even {
                if (number % 2 != 0) {
                    throw new IllegalArgumentException(number + " is odd");
                }
            }
        }
    }

    /** Row 12, at run time; where the processor runs it does not compile. */
    @Test
    void aNameThatStandsTwiceIsRefusedAndBothClassesAreNamed() {
        var within = refusal(() -> Toolset.of(Twice.class));
        assertThat(within.code()).isEqualTo("duplicate_tool_name");
        assertThat(within).hasMessageContainingAll("\"same\"", "Twice$One", "Twice$Two");
        var across = refusal(() -> Toolset.of(TwiceAcross.class));
        assertThat(across.code()).isEqualTo("duplicate_tool_name");
        assertThat(across).hasMessageContainingAll("\"send\"", "TwiceAcross$Send", "MailTools$Send",
                "prefix");
    }

    @Tools
    sealed interface Twice {
        @Tool(undescribed = true, name = "same")
        record One() implements Twice, ToolInput<String> {}

        @Tool(undescribed = true, name = "same")
        record Two() implements Twice, ToolInput<String> {}
    }

    @Tools
    sealed interface TwiceAcross {
        @Tool(undescribed = true)
        record Send() implements TwiceAcross, ToolInput<String> {}

        @Nested
        record Mail(MailTools tools) implements TwiceAcross {}
    }

    @Test
    void oneSetInTwoPlacesNeedsAPrefix() {
        assertThat(refusalCode(() -> Toolset.of(TwoMails.class))).isEqualTo("duplicate_tool_name");
    }

    @Tools
    sealed interface TwoMails {
        @Nested
        record First(MailTools tools) implements TwoMails {}

        @Nested
        record Second(MailTools tools) implements TwoMails {}
    }

    @Test
    void aSetNestedInItselfIsACycle() {
        var thrown = refusal(() -> Toolset.of(Hen.class));
        assertThat(thrown.code()).isEqualTo("nested_cycle");
        assertThat(thrown).hasMessageContaining("Hen");
    }

    @Tools
    sealed interface Hen {
        @Nested(prefix = "e_")
        record InEgg(Egg tools) implements Hen {}
    }

    @Tools
    sealed interface Egg {
        @Nested(prefix = "h_")
        record InHen(Hen tools) implements Egg {}
    }

    @Test
    void aNestedPlaceHoldsOneSetAndNothingElse() {
        for (Class<?> wrong : List.of(TwoInOne.class, NoSet.class, Nothing.class)) {
            var thrown = refusal(() -> Toolset.of(wrong));
            assertThat(thrown.code()).as(wrong.getSimpleName()).isEqualTo("bad_nested");
            assertThat(thrown).hasMessageContaining("Place");
        }
    }

    @Tools
    sealed interface TwoInOne {
        @Nested
        record Place(MailTools tools, MailTools more) implements TwoInOne {}
    }

    @Tools
    sealed interface NoSet {
        @Nested
        record Place(String text) implements NoSet {}
    }

    @Tools
    sealed interface Nothing {
        @Nested
        record Place() implements Nothing {}
    }

    @Test
    void whatIsNoSealedSetOfToolsSaysWhatToWrite() {
        assertThat(refusalCode(() -> Toolset.of(Runnable.class))).isEqualTo("tools_not_sealed");
        assertThat(refusalCode(() -> Toolset.of(Unmarked.class))).isEqualTo("tools_not_sealed");
        var silent = refusal(() -> Toolset.of(Silent.class));
        assertThat(silent.code()).isEqualTo("tool_without_output");
        assertThat(silent).hasMessageContaining("@Nested");
    }

    sealed interface Unmarked {
        @Tool(undescribed = true)
        record One() implements Unmarked, ToolInput<String> {}
    }

    @Tools
    sealed interface Silent {
        @Description("Says nothing about its output.")
        record One(String text) implements Silent {}
    }
}

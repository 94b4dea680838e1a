package dev.belay.toolset;

import static dev.belay.toolset.Shop.CRM;
import static dev.belay.toolset.Shop.CRM_MAIL;
import static dev.belay.toolset.Shop.OLD_CRM;
import static dev.belay.toolset.Shop.TOOLS;
import static dev.belay.toolset.Shop.ask;
import static dev.belay.toolset.Shop.last;
import static dev.belay.toolset.Shop.refusal;
import static dev.belay.toolset.Shop.refusalCode;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.ToolSpec;
import dev.belay.model.script.ScriptedModel;
import dev.belay.tool.ToolDefinition;
import dev.belay.toolset.Shop.CrmTools;
import dev.belay.toolset.Shop.MailTools;
import dev.belay.toolset.Shop.ShopTools;
import dev.belay.toolset.Shop.ShopTools.Echo;
import dev.belay.toolset.Shop.ShopTools.FindOrders;
import dev.belay.toolset.Shop.ShopTools.Refund;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Contract N.7: words for one request, direct or by a hook. */
class DescriptionTest {

    private static Map<String, String> words(UnaryOperator<ToolStepRequest<ShopTools, String>> options) {
        var model = new ScriptedModel().reply("ok");
        options.apply(ask(model).tools(TOOLS).all()).run();
        Map<String, String> words = new LinkedHashMap<>();
        for (ToolSpec spec : last(model).tools()) {
            words.put(spec.name(), spec.description());
        }
        return words;
    }

    /** Row 19. */
    @Test
    void oneToolIsRewordedAndTheOthersAreNot() {
        var words = words(request -> request.describe(Echo.class, "Parrots."));
        assertThat(words).containsEntry("echo", "Parrots.")
                .containsEntry("find_orders", "Finds orders of a customer.");
        assertThat(words(request -> request)).containsEntry("echo", "Says a text back.");
    }

    /** Row 19. */
    @Test
    void severalToolsAreRewordedAtOnce() {
        var words = words(request -> request.describe(Map.of(TOOLS.select(Echo.class), "Parrots.",
                CRM.select(CrmTools.GetUser.class), "Knows people.")));
        assertThat(words).containsEntry("echo", "Parrots.")
                .containsEntry("crm_get_user", "Knows people.")
                .containsEntry("old_get_user", "Looks up a user.");
    }

    /** Row 19. */
    @Test
    void theLastWordWins() {
        var hooks = ToolHooks.of(TOOLS).describe(Echo.class, tool -> Optional.of("By a hook."));
        assertThat(words(request -> request.describe(Echo.class, "First.").describe(Echo.class, "Second.")))
                .containsEntry("echo", "Second.");
        assertThat(words(request -> request.describe(Echo.class, "Direct.").describe(hooks.descriptions())))
                .containsEntry("echo", "By a hook.");
        assertThat(words(request -> request.describe(hooks.descriptions()).describe(Echo.class, "Direct.")))
                .containsEntry("echo", "Direct.");
    }

    @Test
    void wordsForAToolThatIsNotOfferedDoNothing() {
        var words = words(request -> request.only(FindOrders.class).describe(Refund.class, "Pays."));
        assertThat(words).containsOnlyKeys("find_orders");
    }

    @Test
    void newWordsChangeNothingElseOfATool() {
        var model = new ScriptedModel().reply("ok").reply("ok");
        ask(model).tools(TOOLS).run();
        ToolSpec before = last(model).tools().getFirst();
        ask(model).tools(TOOLS).describe(FindOrders.class, "Other.").run();
        assertThat(last(model).tools().getFirst())
                .isEqualTo(new ToolSpec("find_orders", "Other.", before.inputSchema()));
        assertThat(TOOLS.select(FindOrders.class).definition().manifest().description())
                .isEqualTo("Finds orders of a customer.");
    }

    /** Row 20. */
    @Test
    void aDescriptionHookSeesTheStaticDefinition() {
        List<ToolDefinition> seen = new ArrayList<>();
        var hooks = ToolHooks.of(TOOLS).describe(Echo.class, tool -> {
            seen.add(tool);
            return Optional.of(tool.manifest().description() + " Loudly.");
        });
        words(request -> request.describe(Echo.class, "Overridden.").describe(hooks.descriptions()));
        assertThat(seen).containsExactly(TOOLS.select(Echo.class).definition());
        assertThat(hooks.descriptions())
                .containsExactly(Map.entry(TOOLS.select(Echo.class), "Says a text back. Loudly."));
    }

    @Test
    void aDescriptionHookIsAskedEachTimeAndMaySayNothing() {
        List<String> said = new ArrayList<>(List.of("one", "two"));
        var hooks = ToolHooks.of(TOOLS)
                .describe(Echo.class, tool -> Optional.of(said.removeFirst()))
                .describe(FindOrders.class, tool -> Optional.empty());
        assertThat(hooks.descriptions()).containsOnly(Map.entry(TOOLS.select(Echo.class), "one"));
        assertThat(hooks.descriptions()).containsOnly(Map.entry(TOOLS.select(Echo.class), "two"));
    }

    @Test
    void descriptionHooksDoNothingUntilARequestTakesThem() {
        var hooks = ToolHooks.of(TOOLS).describe(Echo.class, tool -> Optional.of("Parrots."));
        assertThat(words(request -> request)).containsEntry("echo", "Says a text back.");
        assertThat(words(request -> request.describe(hooks.descriptions()))).containsEntry("echo",
                "Parrots.");
    }

    /** Row 20. */
    @Test
    void aSecondDescriptionHookOfOneToolIsRefused() {
        var hooks = ToolHooks.of(TOOLS).describe(Echo.class, tool -> Optional.of("One."));
        var thrown = refusal(() -> hooks.describe(Echo.class, tool -> Optional.of("Two.")));
        assertThat(thrown.code()).isEqualTo("duplicate_description_hook");
        assertThat(thrown).hasMessageContaining("echo");
        assertThat(refusalCode(() -> hooks.plus(hooks))).isEqualTo("duplicate_description_hook");
        var nested = ToolHooks.of(CRM.toolset())
                .describe(CrmTools.GetUser.class, tool -> Optional.of("One."));
        assertThat(refusalCode(() -> ToolHooks.of(TOOLS).in(CRM, nested).in(CRM, nested)))
                .isEqualTo("duplicate_description_hook");
    }

    /** Row 11. */
    @Test
    void nestedDescriptionHooksStandUnderTheOuterSelector() {
        List<String> seen = new ArrayList<>();
        var nested = ToolHooks.of(CRM.toolset()).describe(CrmTools.GetUser.class, tool -> {
            seen.add(tool.name());
            return Optional.of("Knows people.");
        });
        var hooks = ToolHooks.of(TOOLS).in(CRM, nested);
        assertThat(hooks.descriptions())
                .containsOnly(Map.entry(CRM.select(CrmTools.GetUser.class), "Knows people."));
        assertThat(seen).containsExactly("crm_get_user");
        assertThat(words(request -> request.describe(hooks.descriptions())))
                .containsEntry("crm_get_user", "Knows people.")
                .containsEntry("old_get_user", "Looks up a user.");
        assertThat(hooks.in(OLD_CRM, nested).descriptions())
                .containsOnlyKeys(CRM.select(CrmTools.GetUser.class), OLD_CRM.select(CrmTools.GetUser.class));
    }

    /** Row 11. */
    @Test
    void descriptionHooksOfAGroupInAGroupReachTheOutermostSet() {
        var mail = ToolHooks.of(CRM_MAIL.toolset())
                .describe(MailTools.Send.class, tool -> Optional.of("Posts."));
        assertThat(ToolHooks.of(TOOLS).in(CRM_MAIL, mail).descriptions())
                .containsOnly(Map.entry(TOOLS.byName("crm_mail_send"), "Posts."));
    }

    @Test
    void blankWordsAreRefused() {
        var request = ask(new ScriptedModel()).tools(TOOLS);
        assertThat(refusalCode(() -> request.describe(ShopTools.Echo.class, "  ")))
                .isEqualTo("missing_description");
    }
}

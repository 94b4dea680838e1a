package dev.belay.toolset;

import static dev.belay.toolset.Shop.CRM;
import static dev.belay.toolset.Shop.CRM_MAIL;
import static dev.belay.toolset.Shop.OLD_CRM;
import static dev.belay.toolset.Shop.TOOLS;
import static dev.belay.toolset.Shop.names;
import static dev.belay.toolset.Shop.refusalCode;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.toolset.Shop.CrmTools;
import dev.belay.toolset.Shop.MailTools;
import dev.belay.toolset.Shop.ShopTools;
import org.junit.jupiter.api.Test;

/** Contract N.1 and N.8: a nested set at one place of an outer one. */
class ToolGroupTest {

    @Test
    void aNestedToolIsSelectedThroughItsPlace() {
        assertThat(CRM.select(CrmTools.GetUser.class)).isEqualTo(TOOLS.byName("crm_get_user"));
        assertThat(OLD_CRM.select(CrmTools.GetUser.class)).isEqualTo(TOOLS.byName("old_get_user"));
    }

    @Test
    void aGroupInAGroupSelectsToo() {
        assertThat(CRM_MAIL.select(MailTools.Send.class)).isEqualTo(TOOLS.byName("crm_mail_send"));
        assertThat(CRM.select(CrmTools.Mail.class)).isEqualTo(TOOLS.byName("crm_mail_send"));
    }

    @Test
    void aSelectorOfTheNestedSetBecomesTheOuterOne() {
        ToolSelector<CrmTools> inner = CRM.toolset().byName("mail_send");
        assertThat(CRM.select(inner).name()).isEqualTo("crm_mail_send");
        assertThat(OLD_CRM.select(inner).name()).isEqualTo("old_mail_send");
    }

    @Test
    void selectorsAreAllNestedToolsInOrder() {
        assertThat(names(CRM.selectors())).containsExactly("crm_get_user", "crm_forget", "crm_mail_send");
        assertThat(names(OLD_CRM.selectors())).containsExactly("old_get_user", "old_forget", "old_mail_send");
        assertThat(names(CRM_MAIL.selectors())).containsExactly("crm_mail_send");
        assertThat(names(TOOLS.selectAll(ShopTools.Crm.class))).isEqualTo(names(CRM.selectors()));
    }

    @Test
    void theNestedSetItselfKeepsItsOwnNames() {
        assertThat(names(CRM.toolset().selectors())).containsExactly("get_user", "forget", "mail_send");
        assertThat(CRM.toolset().type()).isEqualTo(CrmTools.class);
    }

    @Test
    void aToolAndASlotAreNoGroups() {
        assertThat(refusalCode(() -> TOOLS.group(ShopTools.FindOrders.class, ShopTools.FindOrders::customer)))
                .isEqualTo("bad_nested");
        assertThat(refusalCode(() -> TOOLS.group(ShopTools.Mcp.class, ShopTools.Mcp::call)))
                .isEqualTo("tools_not_sealed");
    }
}

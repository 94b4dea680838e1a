package dev.belay.toolset;

import static dev.belay.toolset.Decision.complete;
import static dev.belay.toolset.Decision.proceed;
import static dev.belay.toolset.Decision.reject;
import static dev.belay.toolset.Shop.CRM;
import static dev.belay.toolset.Shop.CRM_MAIL;
import static dev.belay.toolset.Shop.OLD_CRM;
import static dev.belay.toolset.Shop.TOOLS;
import static dev.belay.toolset.Shop.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.tool.ToolOutcome;
import dev.belay.toolset.Shop.CrmTools;
import dev.belay.toolset.Shop.CrmTools.Forget;
import dev.belay.toolset.Shop.CrmTools.GetUser;
import dev.belay.toolset.Shop.MailTools;
import dev.belay.toolset.Shop.MailTools.Send;
import dev.belay.toolset.Shop.ShopTools;
import dev.belay.toolset.Shop.ShopTools.Crm;
import dev.belay.toolset.Shop.User;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Contract N.6, row 10: hooks of a nested set at one place of an outer one. */
class GroupHooksTest {

    private static final ToolHooks<CrmTools> INNER = ToolHooks.of(CRM.toolset());
    private static final ToolHooks<ShopTools> NONE = ToolHooks.of(TOOLS);

    private static ToolCall<ShopTools> getUser() {
        return call("crm_get_user", "{\"userId\":1}");
    }

    /** Row 10. */
    @Test
    void aNestedHookCompletesAnOuterCall() {
        var hooks = NONE.in(CRM,
                INNER.on(GetUser.class, (info, in) -> complete(in, new User("user " + in.userId()))));
        assertThat(getUser().apply(hooks)).isInstanceOfSatisfying(HookedCall.Handled.class, handled -> {
            assertThat(handled.call().input()).isEqualTo(new Crm(new GetUser(1)));
            assertThat(handled.reply().toolName()).isEqualTo("crm_get_user");
            assertThat(handled.reply().outcome())
                    .isEqualTo(new ToolOutcome.Success(Json.of("{\"name\":\"user 1\"}")));
        });
    }

    /** Row 10. */
    @Test
    void aNestedHookRejectsAnOuterCall() {
        var hooks = NONE.in(CRM, INNER.on(GetUser.class, (info, in) -> reject("private")));
        assertThat(getUser().apply(hooks)).isInstanceOfSatisfying(HookedCall.Rejected.class,
                rejected -> assertThat(
                        rejected.reply().outcome()).isEqualTo(new ToolOutcome.Rejected("private")));
    }

    /** Row 10. */
    @Test
    void anEditOfANestedHookIsWrappedAgain() {
        var hooks = NONE.in(CRM, INNER.on(GetUser.class, (info, in) -> proceed(new GetUser(in.userId() + 1))))
                .on(Crm.class, (info, in) -> {
                    assertThat(in).isEqualTo(new Crm(new GetUser(2)));
                    return proceed(in);
                });
        assertThat(getUser().apply(hooks)).isInstanceOfSatisfying(HookedCall.Pending.class,
                pending -> assertThat(
                        pending.call().input()).isEqualTo(new Crm(new GetUser(2))));
    }

    /** Row 10. */
    @Test
    void aNestedHookThatProceedsLeavesTheCallPending() {
        ToolCall<ShopTools> call = getUser();
        var hooks = NONE.in(CRM, INNER.onEvery((info, in) -> proceed(in)));
        assertThat(call.apply(hooks)).isEqualTo(new HookedCall.Pending<>(call));
    }

    @Test
    void hooksOfOnePlaceDoNotSeeTheSameSetAtAnother() {
        var hooks = NONE.in(OLD_CRM, INNER.onEvery((info, in) -> reject("old")));
        assertThat(getUser().apply(hooks)).isInstanceOf(HookedCall.Pending.class);
        assertThat(call("old_get_user", "{\"userId\":1}").apply(hooks))
                .isInstanceOf(HookedCall.Rejected.class);
        assertThat(call("echo", "{\"text\":\"x\"}").apply(hooks)).isInstanceOf(HookedCall.Pending.class);
    }

    @Test
    void hooksOfAGroupInAGroupReachTheLeaf() {
        List<String> seen = new ArrayList<>();
        ToolHooks<MailTools> mail = ToolHooks.of(CRM_MAIL.toolset()).on(Send.class, (info, in) -> {
            seen.add(info.name());
            return proceed(new Send(in.to() + ".example"));
        });
        var expected = new Crm(new CrmTools.Mail(new Send("a@b.example")));
        var direct = NONE.in(CRM_MAIL, mail);
        var byTheWay = NONE.in(CRM,
                INNER.in(CRM.toolset().group(CrmTools.Mail.class, CrmTools.Mail::tools), mail));
        for (var hooks : List.of(direct, byTheWay)) {
            assertThat(call("crm_mail_send", "{\"to\":\"a@b\"}").apply(hooks))
                    .isInstanceOfSatisfying(HookedCall.Pending.class,
                            pending -> assertThat(pending.call().input()).isEqualTo(expected));
        }
        assertThat(seen).containsExactly("crm_mail_send", "crm_mail_send");
    }

    @Test
    void nestedHooksStandWhereTheyWereRegistered() {
        List<String> seen = new ArrayList<>();
        var hooks = NONE.onEvery((info, in) -> {
            seen.add("outer before");
            return proceed(in);
        }).in(CRM, INNER.onEvery((info, in) -> {
            seen.add("nested one");
            return proceed(in);
        }).onEvery((info, in) -> {
            seen.add("nested two");
            return proceed(in);
        })).onEvery((info, in) -> {
            seen.add("outer after");
            return proceed(in);
        });
        getUser().apply(hooks);
        assertThat(seen).containsExactly("outer before", "nested one", "nested two", "outer after");
    }

    @Test
    void aNestedHookThatFailsStopsTheOuterCall() {
        ToolHooksTest.assertStopped(getUser().apply(NONE.in(CRM, INNER.onEvery((info, in) -> {
            throw new IllegalStateException("broken");
        }))));
        ToolHooksTest.assertStopped(
                getUser().apply(NONE.in(CRM, INNER.onEvery((info, in) -> proceed(new Forget(1))))));
    }
}

package dev.belay.cli.operate;

import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.TextTable;
import dev.belay.cli.verb.StoreVerb;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.operate.SessionEntry;
import dev.belay.runtime.policy.DecidingRule;
import dev.belay.runtime.policy.Grant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code belay grants}. */
@Command(name = "grants", header = "List approvals that hold for further calls; take one back.", description = {
    "",
    "A grant lets calls of a tool run about which a rule asks, in one session, for one turn or until it is revoked."})
final class GrantVerb extends StoreVerb {

    private static final int PAGE = 500;

    @Parameters(arity = "0..1", paramLabel = "SESSION", description = "Only those of this session.")
    private @Nullable String session;

    @Option(names = "--revoke", paramLabel = "GRANT", description = "Take this one of the session back: further calls ask again.")
    private @Nullable String revoked;

    @Override
    protected int with(BelayClient client) {
        if (revoked != null) {
            if (session == null) {
                throw CommandProblem.usage("name the session too: 'belay grants SESSION --revoke GRANT'");
            }
            return tell(existing(client, session).grants().revoke(revoked), "revoked " + revoked);
        }
        var table = new TextTable("GRANT", "SESSION", "AGENT", "TOOL", "RULE", "FOR", "BY", "AT");
        List<String> sessions = session == null
                ? Pages.all(after -> client.sessions(after, PAGE), Integer.MAX_VALUE)
                        .stream()
                        .map(SessionEntry::head)
                        .map(head -> head.id().value())
                        .toList()
                : List.of(existing(client, session).id().value());
        for (String one : sessions) {
            for (Grant grant : client.session(one).grants().list()) {
                if (isJson()) {
                    print(out -> {
                        out.name("session").value(one);
                        grant.toJson().fields().forEach((name, value) -> out.name(name).value(value));
                    });
                } else {
                    table.row(grant.id(), one, grant.agent(), grant.tool(),
                            Objects.requireNonNullElse(DecidingRule.names(grant.rules()), ""),
                            grant.turn() == null ? "session" : "turn " + grant.turn(), grant.by(),
                            grant.at());
                }
            }
        }
        if (!isJson()) {
            table.print(shell(), "no grants");
        }
        return ExitCode.DONE;
    }
}

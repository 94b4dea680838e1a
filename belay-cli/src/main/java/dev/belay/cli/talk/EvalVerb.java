package dev.belay.cli.talk;

import dev.belay.cli.settings.CommandAgent;
import dev.belay.cli.settings.LocalTools;
import dev.belay.cli.settings.ProjectText;
import dev.belay.cli.settings.Settings;
import dev.belay.cli.settings.Trust;
import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.TextTable;
import dev.belay.json.Json;
import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.policy.ApprovalMode;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.TurnResult;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code belay eval}. */
@Command(name = "eval", header = "Run cases several times, and say how often they pass.", description = {"",
    "A case is a line of JSON: {\"name\":…,\"input\":…,\"calls\":[…],\"answer\":{…}}. Calls are names, or objects with name and"
            + " arguments; they must be made in this order. An answer \"equals\", \"contains\" or \"matches\" a text, or is"
            + " \"json\" with these fields.",
    "",
    "Each run is a session of its own, in memory, with notes of its own. Tools are those of the workspace; calls that ask are refused, unless"
            + " --approve all lets them run. PASS@K: at least one of k runs passes; PASS^K: all of k runs pass. The exit code is 1"
            + " if the rate of runs that pass is below --min-rate."})
final class EvalVerb extends TalkVerb {

    private static final int USUAL_K = 3;

    @Parameters(paramLabel = "FILE", description = "The cases.")
    private Path file = Path.of("");

    @Option(names = "--runs", paramLabel = "N", defaultValue = "5", description = "How often each case runs. Default: ${DEFAULT-VALUE}.")
    private int runs;

    @Option(names = "--k", paramLabel = "K", defaultValue = "0", description = "The k of PASS@K and PASS^K. Default: 3, or the number of runs.")
    private int k;

    @Option(names = "--min-rate", paramLabel = "RATE", defaultValue = "1", description = "From 0 to 1. Default: ${DEFAULT-VALUE}.")
    private double minRate;

    @Option(names = "--json", description = "Print a line of JSON for each case, and one for all.")
    private boolean json;

    /**
     * How often a case passed.
     *
     * @param name of the case
     * @param passed how many runs
     * @param tokens of all runs
     * @param cost of all runs; null without prices
     */
    private record Score(String name, int passed, long tokens, @Nullable BigDecimal cost) {}

    @Override
    public Integer call() throws Exception {
        if (runs < 1 || k < 0 || k > runs || !(minRate >= 0 && minRate <= 1)) {
            throw CommandProblem.usage("--runs is at least 1, --k at most --runs, --min-rate from 0 to 1");
        }
        List<EvalCase> cases = EvalCase.read(shell().directory().resolve(file));
        Settings settings = Settings.of(shell(), workspace());
        new Trust(shell(), workspace()).require(settings);
        Model model = models(shell().person(() -> false))
                .apply(settings.usual().model());
        List<Score> scores = new ArrayList<>();
        for (EvalCase one : cases) {
            scores.add(score(one, settings, model));
        }
        return told(scores);
    }

    /** A runtime in memory, with notes that no other run sees. */
    private Belay belay(Settings settings, Model model, Path notes) {
        var trust = new Trust(shell(), workspace());
        Supplier<Optional<String>> objection = trust.changes(settings);
        trust.require(settings); // runs before this one may have taken long
        var builder = Belay.builder().approvals(ApprovalMode.REFUSE);
        new CommandAgent(settings, Settings.DEFAULT, workspace(),
                new ProjectText(shell(), workspace()).agreed(settings.usual().has(Settings.PROJECT_TEXT),
                        null))
                .define(builder, model,
                        model,
                        LocalTools.of(shell(), workspace(), settings, notes), approve()::alone);
        settings.mcp().attach(shell(), workspace(), objection).ifPresent(builder::plugin);
        return builder.build();
    }

    private Score score(EvalCase one, Settings settings, Model model)
            throws IOException, InterruptedException {
        int passed = 0;
        long tokens = 0;
        BigDecimal cost = null;
        for (int run = 1; run <= runs; run++) {
            Path notes = Files.createTempFile("belay-eval-", ".jsonl");
            try (Belay belay = belay(settings, model, notes)) {
                Session session = belay.session("eval/" + one.name() + "/" + run);
                TurnResult.Ended result = session.turn(one.input()).run().ended();
                tokens += result.usage().total().orElse(0);
                cost = sum(cost, result.cost());
                Optional<String> reason = one.failed(result, session.calls(result.turn()));
                passed += reason.isEmpty() ? 1 : 0;
                int number = run;
                reason.ifPresent(why -> shell().err().remark(one.name() + ", run " + number + ": " + why));
            } finally {
                Files.deleteIfExists(notes);
            }
        }
        return new Score(one.name(), passed, tokens, cost);
    }

    private int told(List<Score> scores) {
        int of = k == 0 ? Math.min(USUAL_K, runs) : k;
        var table = new TextTable("CASE", "PASSED", "RATE", "PASS@" + of, "PASS^" + of, "TOKENS", "COST");
        for (Score score : scores) {
            row(table, score, runs, any(score.passed(), of), all(score.passed(), of));
        }
        int passed = scores.stream().mapToInt(Score::passed).sum();
        BigDecimal cost = null;
        for (Score score : scores) {
            cost = sum(cost, score.cost());
        }
        row(table, new Score("all", passed, scores.stream().mapToLong(Score::tokens).sum(),
                cost),
                runs * scores.size(),
                scores.stream().mapToDouble(score -> any(score.passed(), of)).average().orElse(0),
                scores.stream().mapToDouble(score -> all(score.passed(), of)).average().orElse(0));
        if (!json) {
            table.print(shell(), "no cases");
        }
        return passed >= minRate * runs * scores.size() ? ExitCode.DONE : ExitCode.FAILED;
    }

    private void row(TextTable table, Score score, int total, double any, double all) {
        double rate = (double) score.passed() / total;
        if (json) {
            shell().out()
                    .line(Json.write(out -> {
                        out.beginObject()
                                .name("case")
                                .value(score.name())
                                .name("passed")
                                .value(score.passed())
                                .name("runs")
                                .value(total)
                                .name("rate")
                                .value(rate)
                                .name("pass_at_k")
                                .value(any)
                                .name("pass_all_k")
                                .value(all)
                                .name("tokens")
                                .value(score.tokens());
                        if (score.cost() != null) {
                            out.name("cost").value(score.cost());
                        }
                        out.endObject();
                    }).text());
        } else {
            table.row(score.name(), score.passed() + "/" + total, number(rate), number(any), number(all),
                    score.tokens(), score.cost() == null ? "-" : score.cost().toPlainString());
        }
    }

    private static @Nullable BigDecimal sum(@Nullable BigDecimal some, @Nullable BigDecimal more) {
        if (some == null || more == null) {
            return some == null ? more : some;
        }
        return some.add(more);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    /** The chance that at least one of k runs passes, drawn from those that were made. */
    private double any(int passed, int of) {
        return 1 - ratio(runs - passed, of);
    }

    /** The chance that all of k runs pass. */
    private double all(int passed, int of) {
        return ratio(passed, of);
    }

    /** The chance that k runs, drawn without putting back, are all among so many. */
    private double ratio(int among, int of) {
        double chance = 1;
        for (int i = 0; i < of; i++) {
            chance *= Math.max(0, among - i) / (double) (runs - i);
        }
        return chance;
    }
}

package dev.belay.schema.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.belay.json.Json;
import dev.belay.schema.BoundedPattern;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Node's RegExp is the judge of our patterns. 100,000 are compared with {@code -Plong}. */
class NodeAgreementTest {

    private static final int PATTERNS = Boolean.getBoolean("belay.long") ? 100_000 : 5_000;
    private static final int BATCH = 5_000;
    private static final int TEXTS = 12;
    /** More than any search of these short texts takes. */
    private static final long STEPS = 10_000_000;

    /** Parts that mean something else without the flag u. */
    private static final List<String> ONLY_WITH_U = List.of("\\p", "\\P", "\\u{", "\\ud83d", "😀");

    private static final Pattern EMPTY = Pattern.compile("\\\\B|\\(\\?<?[=!]");

    /** Answers with a digit for each text; an x before them if the flag u had to be left out, xx alone if that was no help. */
    private static final String JUDGE = """
            const lines = require('fs').readFileSync(0, 'utf8').split('\\n').filter(line => line);
            for (const line of lines) {
              const [pattern, texts] = JSON.parse(line);
              let answer = '', compiled = null;
              for (const flags of ['u', '']) {
                try { compiled = new RegExp(pattern, flags); break; } catch (refused) { answer += 'x'; }
              }
              if (compiled) for (const text of texts) answer += compiled.test(text) ? '1' : '0';
              console.log(answer);
            }
            """;

    private record Case(String pattern, List<String> texts) {

        Json json() {
            return Json.array(List.of(Json.string(pattern),
                    Json.array(texts.stream().map(Json::string).toList())));
        }

        String verdicts(BoundedPattern compiled) {
            return texts.stream()
                    .map(text -> compiled.firstEnd(text, 0, text.length(), STEPS) >= 0 ? "1" : "0")
                    .collect(Collectors.joining());
        }
    }

    @Test
    void sameVerdictAsNodeOnRandomPatterns(@TempDir Path folder) throws Exception {
        assumeTrue(version() != null, "there is no node on this machine to compare patterns with");
        Path script = Files.writeString(folder.resolve("judge.js"), JUDGE);
        int accepted = 0;
        for (int first = 0; first < PATTERNS; first += BATCH) {
            List<Case> cases = new ArrayList<>();
            for (long seed = first; seed < first + BATCH; seed++) {
                RandomPatterns random = new RandomPatterns(seed);
                String pattern = random.pattern();
                List<String> texts = new ArrayList<>();
                for (int i = 0; i < TEXTS; i++) {
                    texts.add(random.text());
                }
                cases.add(new Case(pattern, texts));
            }
            List<String> verdicts = judge(script, folder, cases);
            for (int i = 0; i < BATCH; i++) {
                accepted += agree("seed " + (first + i), cases.get(i), verdicts.get(i)) ? 1 : 0;
            }
        }
        assertThat(accepted).as("most patterns must be right").isGreaterThan(PATTERNS / 2);
    }

    /** Whether both sides accept the pattern. */
    private static boolean agree(String seed, Case each, String verdict) {
        String what = seed + ", pattern " + each.pattern;
        BoundedPattern compiled;
        try {
            compiled = BoundedPattern.of(each.pattern);
        } catch (IllegalArgumentException refused) {
            assertThat(verdict.startsWith("x")
                    || String.valueOf(refused.getMessage()).contains("back-reference"))
                    .as(what + ", we refuse: " + refused.getMessage())
                    .isTrue();
            return false;
        }
        boolean lenient = verdict.startsWith("x");
        if (lenient && ONLY_WITH_U.stream().anyMatch(each.pattern::contains)) {
            return true;
        }
        assertThat(verdict).as(what).isNotEqualTo("xx");
        String ours = each.verdicts(compiled);
        for (int i = 0; i < TEXTS; i++) {
            String text = each.texts.get(i);
            char expected = verdict.charAt(lenient ? i + 1 : i);
            // without u Node compares the halves of a pair, and with u it still finds an empty match between them
            boolean halves = (lenient || (expected == '1' && EMPTY.matcher(each.pattern).find()))
                    && text.codePoints().anyMatch(c -> c > 0xffff);
            if (!halves) {
                assertThat(ours.charAt(i)).as(what + ", text " + Json.string(text)).isEqualTo(expected);
            }
        }
        return true;
    }

    private static List<String> judge(Path script, Path folder, List<Case> cases) throws Exception {
        Path in = Files.write(folder.resolve("in"), cases.stream().map(each -> each.json().text()).toList());
        Path out = folder.resolve("out");
        Process node = new ProcessBuilder("node", script.toString()).redirectInput(in.toFile())
                .redirectOutput(out.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assertThat(node.waitFor(120, TimeUnit.SECONDS)).isTrue();
        } finally {
            node.destroyForcibly();
        }
        return Files.readAllLines(out);
    }

    private static @Nullable String version() throws InterruptedException {
        try {
            Process node = new ProcessBuilder("node", "--version").redirectErrorStream(true).start();
            String version = new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return node.waitFor() == 0 ? version : null;
        } catch (IOException missing) {
            return null;
        }
    }
}

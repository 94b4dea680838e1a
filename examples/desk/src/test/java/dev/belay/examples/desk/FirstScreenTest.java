package dev.belay.examples.desk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the commands of the README's first screen by its launcher, in real processes. What a run draws (keys, digests, times, places,
 * process ids) is learned where it is printed first, and must be the same wherever the README has the same word again.
 */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the launcher is a POSIX shell script")
class FirstScreenTest {

    private static final Path ROOT = Path.of("..", "..");
    private static final Pattern DRAWN = Pattern
            .compile("\\w*…(?:/desk\\.db)?|\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z|(?<=kill -9 )\\d+");

    @TempDir
    Path checkout;

    private final Map<String, String> drawn = new HashMap<>();
    private final StringBuilder printed = new StringBuilder();
    private String variables = "";

    /**
     * A command of the screen.
     *
     * @param line as shown behind {@code $}
     * @param prints the lines below it
     */
    private record Command(String line, List<String> prints) {

        boolean isKill() {
            return line.startsWith("kill ");
        }
    }

    /** The launcher and what a build leaves for it: class paths and stamps. */
    @BeforeEach
    void makeABuiltCheckout() throws IOException {
        for (String file : List.of("belay", "pom.xml", "examples/pom.xml", "examples/desk/pom.xml",
                "examples/desk/src/main/java/dev/belay/examples/desk/Main.java", "belay-cli/pom.xml")) {
            Files.createDirectories(checkout.resolve(file).getParent());
            Files.copy(ROOT.resolve(file), checkout.resolve(file), StandardCopyOption.COPY_ATTRIBUTES);
        }
        Files.createDirectories(checkout.resolve(".mvn"));
        for (String module : List.of("examples/desk", "belay-cli")) {
            Path target = Files.createDirectories(checkout.resolve(module).resolve("target"));
            Files.writeString(target.resolve("classpath"), System.getProperty("java.class.path"));
        }
        Files.writeString(Files.createDirectories(checkout.resolve("target")).resolve("belay-stamp"),
                checkout.toRealPath() + "\n");
    }

    @Test
    @Timeout(180)
    void itIsTrueWordForWord() throws Exception {
        List<Command> commands = commands(Files.readString(ROOT.resolve("README.md")));
        assertThat(commands).extracting(Command::line).filteredOn("./belay example desk"::equals).hasSize(3);
        for (int i = 0; i < commands.size(); i++) {
            Command command = commands.get(i);
            if (command.line().matches("[A-Z]+=.*")) {
                variables += command.line() + "; ";
                continue;
            }
            boolean isKilled = i + 1 < commands.size() && commands.get(i + 1).isKill();
            Process process = start(command);
            try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
                for (String shown : command.prints()) {
                    matches(shown, next(lines));
                }
                if (isKilled) {
                    i++;
                    assertThat(start(commands.get(i)).waitFor()).isZero();
                }
                assertThat(next(lines)).as("a line that the README does not show").isNull();
                assertThat(process.waitFor()).as(command.line()).isEqualTo(isKilled ? 137 : 0);
            } finally {
                process.destroyForcibly();
            }
        }
    }

    /** The block that runs the example. */
    private static List<Command> commands(String readme) {
        int run = readme.indexOf("$ ./belay example desk");
        int begin = readme.lastIndexOf("```console\n", run) + "```console\n".length();
        List<Command> commands = new ArrayList<>();
        for (String line : readme.substring(begin, readme.indexOf("```", run)).lines().toList()) {
            if (line.startsWith("$ ")) {
                commands.add(new Command(line.substring(2), new ArrayList<>()));
            } else {
                commands.getLast().prints().add(line);
            }
        }
        return commands;
    }

    /** The next line but that of the launcher, which archives classes of the command here and not in its build. */
    private static @Nullable String next(BufferedReader lines) throws IOException {
        String line = lines.readLine();
        return line != null && line.startsWith("Archiving classes ") ? lines.readLine() : line;
    }

    private Process start(Command command) throws IOException {
        String line = DRAWN.matcher(command.line()).replaceAll(word -> {
            assertThat(drawn).as("words that were printed before they are typed").containsKey(word.group());
            return Matcher.quoteReplacement(drawn.get(word.group()));
        });
        if (!line.equals(command.line())) {
            assertThat(printed).as("a command that a person copies").contains(line);
        }
        // with exec the process that is started is the command itself, and nothing stays when it is destroyed
        var builder = new ProcessBuilder("sh", "-c", variables + "exec " + line).directory(checkout.toFile())
                .redirectErrorStream(true);
        builder.environment().put("BELAY_JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("OPENAI_API_KEY", "a-key-that-is-not-sent");
        return builder.start();
    }

    private void matches(String shown, @Nullable String line) {
        assertThat(line).as(shown).isNotNull();
        printed.append(line).append('\n');
        List<String> words = new ArrayList<>();
        var pattern = new StringBuilder();
        Matcher word = DRAWN.matcher(shown);
        int from = 0;
        while (word.find()) {
            pattern.append(Pattern.quote(shown.substring(from, word.start())));
            pattern.append(word.group().startsWith("…") ? "(/\\S+/desk\\.db)" : "([\\w:.-]+)");
            words.add(word.group());
            from = word.end();
        }
        Matcher found = Pattern.compile(pattern + Pattern.quote(shown.substring(from))).matcher(line);
        assertThat(found.matches()).as("%s%nis shown, and printed is%n%s", shown, line).isTrue();
        for (int i = 0; i < words.size(); i++) {
            String before = drawn.putIfAbsent(words.get(i), found.group(i + 1));
            assertThat(before).as(shown).isIn(null, found.group(i + 1));
        }
    }
}

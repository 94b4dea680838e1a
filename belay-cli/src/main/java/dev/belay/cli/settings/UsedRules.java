package dev.belay.cli.settings;

import dev.belay.cli.shell.AgentWorkspace;
import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.OwnFiles;
import dev.belay.cli.shell.Shell;
import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.json.JsonWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The rules under which a workspace was used last, kept in the home directory: a workspace whose rules have become looser asks. Without a
 * home directory nothing is remembered. A workspace that was not used yet is compared with the nearest one above it that was: a pull may have
 * put it there.
 *
 * @param shell whose home
 * @param workspace which
 */
record UsedRules(Shell shell, AgentWorkspace workspace) {

    /** Rules of an agent stand under this and its name. */
    static final String AGENT = "agent ";
    /** Rules of the agent that counts if none is named. */
    static final String USUAL = AGENT + Settings.DEFAULT;
    /** Rules of the whole workspace. */
    static final String WORKSPACE = "workspace";

    /**
     * How rules differ from those of the last use.
     *
     * @param added grants that are new
     * @param gone limits that are gone
     */
    record Looser(Set<String> added, Set<String> gone) {

        boolean isNone() {
            return added.isEmpty() && gone.isEmpty();
        }
    }

    /** A line about an agent; those of the usual agent and of the workspace need no name. */
    static String named(String agent, String line) {
        return agent.equals(WORKSPACE) || agent.equals(USUAL) ? line : agent + ": " + line;
    }

    /** What has become looser. An agent that is new is compared with the usual one; the first use is compared with nothing. */
    Looser looser(Map<String, Rules> now) {
        Map<String, Rules> before = read();
        Set<String> added = new LinkedHashSet<>();
        Set<String> gone = new LinkedHashSet<>();
        Set<String> usual = new LinkedHashSet<>();
        now.forEach((agent, rules) -> {
            Rules old = before.getOrDefault(agent, before.get(USUAL));
            if (old != null) {
                rules.addedTo(old).forEach(grant -> added.add(named(agent, grant)));
                List<String> lost = rules.goneFrom(old);
                lost.stream()
                        .filter(limit -> !usual.contains(limit))
                        .forEach(limit -> gone.add(named(agent, limit)));
                if (agent.equals(USUAL)) {
                    usual.addAll(lost);
                }
            }
        });
        return new Looser(added, gone);
    }

    /** Remembers the rules of this use. */
    void remember(Map<String, Rules> now) {
        Map<String, Rules> before = read();
        boolean isUsual = now.values()
                .stream()
                .allMatch(rules -> rules.grants().isEmpty() && rules.limits().isEmpty());
        Path file = file();
        if ((now.equals(before) && Files.exists(file)) || (isUsual && before.isEmpty())) {
            return;
        }
        Path directory = new TrustFile(shell).directory();
        OwnFiles.makeDirectory(directory);
        try {
            Path written = Files.createTempFile(directory, "rules-", ".new");
            Files.writeString(written, json(now).text());
            Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new CommandProblem(ExitCode.FAILED,
                    "the file " + file + " cannot be written (" + e.getMessage()
                            + "); check its permissions and the room on the disk");
        }
    }

    private Path file() {
        return new TrustFile(shell).about(workspace, "rules-");
    }

    private Map<String, Rules> read() {
        try {
            for (Path at = workspace.root().toRealPath(); at != null; at = at.getParent()) {
                Path file = new TrustFile(shell).about(new AgentWorkspace(at), "rules-");
                if (Files.exists(file)) {
                    return rules(Json.of(Files.readString(file)));
                }
            }
            return Map.of();
        } catch (CommandProblem | IOException | JsonException notKept) {
            return Map.of();
        }
    }

    private static Json json(Map<String, Rules> all) {
        return Json.write(out -> {
            out.beginObject();
            all.forEach((agent, rules) -> {
                out.name(agent).beginObject();
                texts(out.name("grants"), rules.grants());
                texts(out.name("limits"), rules.limits());
                out.endObject();
            });
            out.endObject();
        });
    }

    private static void texts(JsonWriter out, Set<String> texts) {
        out.beginArray();
        texts.forEach(out::value);
        out.endArray();
    }

    private static Map<String, Rules> rules(Json all) {
        Map<String, Rules> rules = new LinkedHashMap<>();
        all.fields()
                .forEach((agent, one) -> rules.put(agent,
                        new Rules(texts(one, "grants"), texts(one, "limits"))));
        return rules;
    }

    private static Set<String> texts(Json one, String key) {
        return one.get(key)
                .stream()
                .flatMap(texts -> texts.items().stream())
                .map(Json::asString)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }
}

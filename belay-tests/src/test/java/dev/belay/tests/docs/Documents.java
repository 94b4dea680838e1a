package dev.belay.tests.docs;

import dev.belay.tests.Project;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The documents of a project and what is wrong with them: Java blocks that are not a region of compiled code, links that lead nowhere,
 * commands that name no example or module. On a page of {@code docs} a block begins with the imports of Belay's types that no block
 * before it has.
 *
 * @param project where they are
 */
record Documents(Project project) {

    private static final Pattern MARKER = Pattern.compile(" *<!-- snippet: ([^#\\s]+)#(\\S+) -->");
    private static final Pattern IMPORT = Pattern
            .compile("(?m)^import (?:static )?dev\\.belay\\.(?!tests\\b)(?:\\w+\\.)*(\\w+);$");
    private static final Pattern EXAMPLE = Pattern.compile("\\$ \\./belay example(?: (\\S+))?.*");
    private static final Pattern PROJECTS = Pattern.compile("\\$ mvn\\b.*(?: -pl| --projects)[ =](\\S+).*");

    List<String> files() {
        Stream<String> top = Stream.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")
                .filter(file -> Files.exists(project.root().resolve(file)));
        return Stream.concat(top, project.files("docs", ".md").stream()).toList();
    }

    /** Everything wrong with a document; empty if nothing is. */
    List<String> problems(String file) {
        Markdown document = Markdown.parse(project.read(file));
        List<String> problems = new ArrayList<>();
        Map<Markdown.Block, List<String>> expected = expected(file, document);
        for (Markdown.Block block : document.blocks()) {
            String where = file + ":" + (block.open() + 1) + ": ";
            if (block.close() == document.lines().size()) {
                problems.add(where + "the block is never closed");
            } else if (block.language().equals("java")) {
                snippetProblem(document, block, expected.get(block))
                        .ifPresent(problem -> problems.add(where + problem));
            } else if (block.language().equals("console")) {
                document.content(block)
                        .forEach(line -> commandProblem(line).ifPresent(p -> problems.add(where + p)));
            }
        }
        for (Markdown.Link link : document.links()) {
            linkProblem(file, link.target())
                    .ifPresent(p -> problems.add(file + ":" + link.line() + ": " + p));
        }
        return problems;
    }

    /** Writes imports and regions into the blocks that name one, and leaves other blocks alone. */
    void update(String file) {
        Markdown document = Markdown.parse(project.read(file));
        List<String> lines = new ArrayList<>(document.lines());
        List<Markdown.Block> fromTheEnd = new ArrayList<>(document.blocks());
        Collections.reverse(fromTheEnd);
        Map<Markdown.Block, List<String>> expected = expected(file, document);
        for (Markdown.Block block : fromTheEnd) {
            List<String> content = expected.get(block);
            if (content != null && block.close() < lines.size()) {
                List<String> body = lines.subList(block.open() + 1, block.close());
                body.clear();
                content.forEach(line -> body.add(line.isEmpty() ? "" : " ".repeat(block.indent()) + line));
            }
        }
        try {
            Files.writeString(project.root().resolve(file), String.join("\n", lines) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }

    private Optional<String> snippetProblem(Markdown document, Markdown.Block block,
            @Nullable List<String> expected) {
        Optional<Matcher> marker = marker(document, block);
        if (marker.isEmpty()) {
            return Optional.of("a Java block needs a line '<!-- snippet: PATH#REGION -->' right before it");
        }
        String source = marker.get().group(1);
        String name = marker.get().group(2);
        if (!isCompiled(source)) {
            return Optional.of(source + " is no Java file of a module of this build");
        }
        if (expected == null) {
            return Optional.of(source + " has no '// region " + name + "' that ends in '// endregion'");
        }
        if (expected.equals(document.content(block))) {
            return Optional.empty();
        }
        return Optional.of("the block differs from region " + name + " of " + source
                + " (-Dbelay.docs.update=true rewrites it)\n"
                + difference(document.content(block), expected));
    }

    /** What the blocks of a page should hold, where they name a region; the imports come before the region. */
    private Map<Markdown.Block, List<String>> expected(String file, Markdown document) {
        Map<Markdown.Block, List<String>> expected = new HashMap<>();
        Set<String> imported = new HashSet<>();
        for (Markdown.Block block : document.blocks()) {
            Optional<Matcher> marker = block.language().equals("java")
                    ? marker(document, block)
                    : Optional.empty();
            Optional<List<String>> region = marker.flatMap(this::region);
            if (region.isPresent()) {
                List<String> lines = new ArrayList<>();
                if (file.startsWith("docs/")) {
                    lines.addAll(imports(project.read(marker.get().group(1)), region.get(), imported));
                }
                if (!lines.isEmpty()) {
                    lines.add("");
                }
                lines.addAll(region.get());
                expected.put(block, lines);
            }
        }
        return expected;
    }

    /** The imports of Belay's types in a source that a region uses and does not write itself, without those of earlier blocks. */
    private static List<String> imports(String source, List<String> region, Set<String> imported) {
        String code = String.join("\n", region);
        return IMPORT.matcher(source)
                .results()
                .filter(found -> !region.contains(found.group()))
                .filter(found -> Pattern.compile("(?<![.\\w])" + found.group(1) + "\\b").matcher(code).find())
                .map(MatchResult::group)
                .filter(imported::add)
                .toList();
    }

    private static Optional<Matcher> marker(Markdown document, Markdown.Block block) {
        return block.open() == 0
                ? Optional.empty()
                : Optional.of(MARKER.matcher(document.lines().get(block.open() - 1).stripTrailing()))
                        .filter(Matcher::matches);
    }

    private Optional<List<String>> region(Matcher marker) {
        return isCompiled(marker.group(1))
                ? Region.find(project.read(marker.group(1)), marker.group(2))
                : Optional.empty();
    }

    private boolean isCompiled(String source) {
        return source.endsWith(".java") && Files.isRegularFile(project.root().resolve(source))
                && project.modules()
                        .stream()
                        .anyMatch(module -> source.startsWith(module + "/src/main/java/")
                                || source.startsWith(module + "/src/test/java/"));
    }

    private Optional<String> commandProblem(String line) {
        Matcher example = EXAMPLE.matcher(line);
        if (example.matches() && !project.examples().contains(String.valueOf(example.group(1)))) {
            return Optional.of("'" + line + "' names no example; there are " + project.examples());
        }
        Matcher projects = PROJECTS.matcher(line);
        if (projects.matches()) {
            return Stream.of(projects.group(1).split(","))
                    .filter(name -> !project.modules().contains(name))
                    .findFirst()
                    .map(name -> "'" + line + "' names no module; there are " + project.modules());
        }
        return Optional.empty();
    }

    private Optional<String> linkProblem(String file, String target) {
        if (target.matches("[a-z][a-z0-9+.-]*:.*")) {
            return Optional.empty();
        }
        String[] parts = target.split("#", 2);
        Path from = project.root().resolve(file);
        Path to = parts[0].isEmpty() ? from : from.resolveSibling(parts[0]).normalize();
        if (!Files.exists(to) || !to.startsWith(project.root())) {
            return Optional.of("the link to " + target + " leads nowhere");
        }
        if (parts.length == 2 && to.toString().endsWith(".md")
                && !Markdown.parse(project.read(project.root().relativize(to).toString()))
                        .anchors()
                        .contains(parts[1])) {
            return Optional.of("the link to " + target + " names no heading there");
        }
        return Optional.empty();
    }

    /** Common lines at both ends are left out; the rest is shown as taken away and added. */
    private static String difference(List<String> shown, List<String> compiled) {
        int head = 0;
        while (head < Math.min(shown.size(), compiled.size()) && shown.get(head).equals(compiled.get(head))) {
            head++;
        }
        int tail = 0;
        while (tail < Math.min(shown.size(), compiled.size()) - head
                && shown.get(shown.size() - 1 - tail).equals(compiled.get(compiled.size() - 1 - tail))) {
            tail++;
        }
        StringBuilder text = new StringBuilder("@@ line " + (head + 1) + " of the block\n");
        shown.subList(head, shown.size() - tail).forEach(line -> text.append("- ").append(line).append('\n'));
        compiled.subList(head, compiled.size() - tail)
                .forEach(line -> text.append("+ ").append(line).append('\n'));
        return text.toString();
    }
}

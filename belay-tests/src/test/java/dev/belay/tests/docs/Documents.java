package dev.belay.tests.docs;

import dev.belay.tests.Project;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The documents of a project and what is wrong with them: Java blocks that are not a region of compiled code, types whose package
 * the page does not name although it has no link to the source, links that lead nowhere, commands that name no example or module.
 *
 * @param project where they are
 */
record Documents(Project project) {

    private static final Pattern MARKER = Pattern.compile(" *<!-- snippet: ([^#\\s]+)#(\\S+) -->");
    private static final Pattern IMPORT = Pattern
            .compile("(?m)^import (?:static )?(dev\\.belay[a-z0-9.]*)\\.(?:\\w+\\.)*(\\w+);");
    private static final Pattern EXAMPLE = Pattern.compile("\\$ \\./belay example(?: (\\S+))?.*");
    private static final Pattern PROJECTS = Pattern.compile("\\$ mvn\\b.*(?: -pl| --projects)[ =](\\S+).*");

    List<String> files() {
        Stream<String> top = Stream.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
                .filter(file -> Files.exists(project.root().resolve(file)));
        return Stream.concat(top, project.files("docs", ".md").stream()).toList();
    }

    /** Everything wrong with a document; empty if nothing is. */
    List<String> problems(String file) {
        Markdown document = Markdown.parse(project.read(file));
        List<String> problems = new ArrayList<>();
        for (Markdown.Block block : document.blocks()) {
            String where = file + ":" + (block.open() + 1) + ": ";
            if (block.close() == document.lines().size()) {
                problems.add(where + "the block is never closed");
            } else if (block.language().equals("java")) {
                snippetProblem(document, block).ifPresent(problem -> problems.add(where + problem));
            } else if (block.language().equals("console")) {
                document.content(block)
                        .forEach(line -> commandProblem(line).ifPresent(p -> problems.add(where + p)));
            }
        }
        unnamedImports(file, document).forEach(
                (where, types) -> problems
                        .add(file + ": the page does not say that " + types + " are in `" + where
                                + "`; name the package, or link to the source"));
        for (Markdown.Link link : document.links()) {
            linkProblem(file, link.target())
                    .ifPresent(p -> problems.add(file + ":" + link.line() + ": " + p));
        }
        return problems;
    }

    /** Writes the regions into the blocks that name them, and leaves alone what names none. */
    void update(String file) {
        Markdown document = Markdown.parse(project.read(file));
        List<String> lines = new ArrayList<>(document.lines());
        List<Markdown.Block> fromTheEnd = new ArrayList<>(document.blocks());
        Collections.reverse(fromTheEnd);
        for (Markdown.Block block : fromTheEnd) {
            Optional<List<String>> region = block.language().equals("java")
                    ? marker(document, block).flatMap(this::region)
                    : Optional.empty();
            if (region.isPresent() && block.close() < lines.size()) {
                List<String> body = lines.subList(block.open() + 1, block.close());
                body.clear();
                region.get()
                        .forEach(line -> body.add(line.isEmpty() ? "" : " ".repeat(block.indent()) + line));
            }
        }
        try {
            Files.writeString(project.root().resolve(file), String.join("\n", lines) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }

    private Optional<String> snippetProblem(Markdown document, Markdown.Block block) {
        Optional<Matcher> marker = marker(document, block);
        if (marker.isEmpty()) {
            return Optional.of("a Java block needs a line '<!-- snippet: PATH#REGION -->' right before it");
        }
        String source = marker.get().group(1);
        String name = marker.get().group(2);
        if (!isCompiled(source)) {
            return Optional.of(source + " is no Java file of a module of this build");
        }
        Optional<List<String>> region = region(marker.get());
        if (region.isEmpty()) {
            return Optional.of(source + " has no '// region " + name + "' that ends in '// endregion'");
        }
        if (region.get().equals(document.content(block))) {
            return Optional.empty();
        }
        return Optional.of("the block differs from region " + name + " of " + source
                + " (-Dbelay.docs.update=true rewrites it)\n"
                + difference(document.content(block), region.get()));
    }

    /** Types of Belay that the snippets of a page use and whose package neither the page nor a source that it links to names, by package. */
    private Map<String, Set<String>> unnamedImports(String file, Markdown document) {
        Set<Path> linked = document.links()
                .stream()
                .map(link -> Path.of(file).resolveSibling(link.target()).normalize())
                .collect(Collectors.toSet());
        String page = String.join("\n", document.lines());
        Map<String, Set<String>> unnamed = new TreeMap<>();
        for (Markdown.Block block : document.blocks()) {
            String code = String.join("\n", document.content(block));
            marker(document, block)
                    .filter(marker -> isCompiled(marker.group(1))
                            && !linked.contains(Path.of(marker.group(1))))
                    .ifPresent(marker -> IMPORT
                            .matcher(project.read(marker.group(1)))
                            .results()
                            .filter(found -> Pattern.compile("\\b" + found.group(2) + "\\b")
                                    .matcher(code)
                                    .find())
                            .filter(found -> !page.contains("`" + found.group(1) + "`")
                                    && !code.contains("import " + found.group(1) + "."))
                            .forEach(found -> unnamed.computeIfAbsent(found.group(1), name -> new TreeSet<>())
                                    .add(found.group(2))));
        }
        return unnamed;
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

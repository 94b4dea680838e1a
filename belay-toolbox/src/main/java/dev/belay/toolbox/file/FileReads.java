package dev.belay.toolbox.file;

import dev.belay.schema.Shown;
import dev.belay.tool.ToolContext;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.ThreadFactory;

/** The bodies of the tools that only read. Thread-safe. */
final class FileReads {

    /** Names shown of one directory or search; more are of no use to a model. */
    private static final int MOST_SHOWN = 1000;
    private static final int LINES_FOUND = 100;
    /** More threads would only wait for the disk. */
    private static final int MOST_THREADS = 8;

    private final Workspace workspace;
    private final FileRules rules;
    private final ThreadFactory threads;

    FileReads(Workspace workspace, FileRules rules, ThreadFactory threads) {
        this.workspace = workspace;
        this.rules = rules;
        this.threads = threads;
    }

    String read(FileCalls.ReadFile in, Workspace.Place place, ToolContext context) throws Exception {
        try (Workspace.OpenFile file = workspace.openFile(place)) {
            var page = new TextPage(in.path(), in.from().orElse(1), in.lines().orElse(TextPage.LINES));
            long end = System.nanoTime() + rules.searchTime().toNanos();
            String text = page.read(file.channel(), TextPage.MOST_PASSED, () -> {
                context.cancellation().check();
                return System.nanoTime() - end > 0;
            });
            return changed(file)
                    ? rules.shown(text)
                            + "\n[the file changed while it was read; read it again for one state of it]\n"
                    : rules.shown(text);
        } catch (IOException e) {
            throw FileRefusal.because(in.path(), e);
        }
    }

    private boolean changed(Workspace.OpenFile file) throws IOException {
        BasicFileAttributes before = file.attributes();
        try {
            BasicFileAttributes after = file.folder().attributes(file.name());
            return before.size() != after.size()
                    || !before.lastModifiedTime().equals(after.lastModifiedTime())
                    || !Objects.equals(before.fileKey(), after.fileKey());
        } catch (NoSuchFileException gone) {
            return true;
        }
    }

    String list(Workspace.Place place) throws Exception {
        String prefix = prefix(place);
        try (Folder folder = workspace.openDirectory(place)) {
            List<Path> names = folder.names();
            int all = names.size();
            names.removeIf(name -> workspace.isSecret(prefix, name.toString()));
            int secret = all - names.size();
            names.sort(null);
            StringBuilder out = new StringBuilder();
            for (Path name : names.subList(0, Math.min(names.size(), MOST_SHOWN))) {
                out.append(Shown.name(name.toString())).append(mark(folder, name)).append('\n');
            }
            if (names.size() > MOST_SHOWN) {
                out.append("[and ")
                        .append(names.size() - MOST_SHOWN)
                        .append(" more; glob finds some of them]\n");
            }
            if (secret > 0) {
                out.append("[").append(secret).append(" protected names are not shown]\n");
            }
            return out.isEmpty() ? "[the directory is empty]" : out.toString();
        } catch (IOException e) {
            throw FileRefusal.because(place.text(), e);
        }
    }

    private static String mark(Folder folder, Path name) throws IOException {
        try {
            BasicFileAttributes attributes = folder.attributes(name);
            return attributes.isDirectory() ? "/" : attributes.isSymbolicLink() ? "@" : "";
        } catch (NoSuchFileException gone) {
            return "";
        }
    }

    String glob(FileCalls.Glob in, Workspace.Place place, ToolContext context) throws Exception {
        PathPattern pattern = pattern(in.pattern());
        TreeSet<String> first = new TreeSet<>();
        long[] found = {0};
        String prefix = prefix(place);
        TreeWalk walk = walk(prefix, context, (folder, name, file, attributes) -> {
            if (pattern.matches(file)) {
                synchronized (first) {
                    found[0]++;
                    first.add(file);
                    if (first.size() > MOST_SHOWN) {
                        first.pollLast();
                    }
                }
            }
        });
        try (Folder folder = workspace.openDirectory(place)) {
            walk.run(folder, "");
        } catch (IOException e) {
            throw FileRefusal.because(place.text(), e);
        }
        StringBuilder out = new StringBuilder();
        first.forEach(file -> out.append(Shown.name(prefix + file)).append('\n'));
        if (first.isEmpty()) {
            out.append("no files\n");
        }
        if (found[0] > first.size()) {
            out.append("[and ").append(found[0] - first.size()).append(" more; narrow the pattern]\n");
        }
        return out.append(walk.shortfall()).toString();
    }

    String grep(FileCalls.Grep in, Workspace.Place place, ToolContext context) throws Exception {
        var search = new GrepSearch(in.pattern(), in.ignoreCase().orElse(false),
                in.most().orElse(LINES_FOUND));
        PathPattern files = pattern(in.files().orElse("**"));
        TreeWalk walk = walk("", context, (folder, name, file, attributes) -> {
            if (in.files().isEmpty() || files.matches(file)) {
                search.file(folder, name, file, attributes);
            }
        });
        search.until(walk::isOver);
        try {
            if (isFile(place)) {
                try (Workspace.OpenFile file = workspace.openFile(place)) {
                    search.file(file.folder(), file.name(), place.shown(), file.attributes());
                }
            } else {
                try (Folder folder = workspace.openDirectory(place)) {
                    walk.run(folder, prefix(place));
                }
            }
        } catch (IOException e) {
            throw FileRefusal.because(place.text(), e);
        }
        return search.worded(walk.shortfall(), rules::shown);
    }

    private boolean isFile(Workspace.Place place) throws Exception {
        if (!place.exists() || place.found().isEmpty()) {
            return false;
        }
        try (Folder parent = workspace.open(place, place.found().subList(0, place.found().size() - 1))) {
            return !parent.attributes(place.found().getLast()).isDirectory();
        }
    }

    /** A walk whose paths begin below these names. */
    private TreeWalk walk(String below, ToolContext context, TreeWalk.Visitor visitor) {
        int spare = Math.min(MOST_THREADS, Runtime.getRuntime().availableProcessors()) - 1;
        return new TreeWalk((above, name) -> workspace.isSecret(below + above, name),
                new TreeWalk.Means(threads, spare, System::nanoTime, rules.searchTime(),
                        context.cancellation()),
                visitor);
    }

    private static String prefix(Workspace.Place place) {
        return place.found().isEmpty() ? "" : place.shown() + "/";
    }

    private static PathPattern pattern(String text) {
        try {
            return PathPattern.anywhere(text);
        } catch (IllegalArgumentException e) {
            throw FileRefusal.badPattern(text, String.valueOf(e.getMessage()));
        }
    }
}

package dev.belay.plugins;

import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.plugin.PluginSession;
import dev.belay.runtime.plugin.SessionPlugin;
import dev.belay.runtime.plugin.Slot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Instructions of a project in every prompt: files such as {@code AGENTS.md}, read once, when the factory is made. A session that is
 * opened later sees what the files said then; make another factory to read them again.
 */
public final class PromptContextPlugin implements PluginFactory {

    private final String text;

    private PromptContextPlugin(String text) {
        this.text = text;
    }

    /** A text. */
    public static PromptContextPlugin of(String text) {
        return new PromptContextPlugin(text);
    }

    /**
     * Files of a directory; a file that is not there is left out.
     *
     * @throws UncheckedIOException if a file is there and cannot be read as UTF-8
     */
    public static PromptContextPlugin files(Path directory, String... names) {
        List<String> texts = new ArrayList<>();
        for (String name : names) {
            Path file = directory.resolve(name);
            if (Files.isRegularFile(file)) {
                try {
                    texts.add("Contents of " + name + ":\n\n" + Files.readString(file).strip());
                } catch (IOException e) {
                    throw new UncheckedIOException("cannot read " + file + " for the prompt", e);
                }
            }
        }
        return new PromptContextPlugin(String.join("\n\n", texts));
    }

    @Override
    public String id() {
        return "prompt-context";
    }

    @Override
    public SessionPlugin build(PluginSession session) {
        return on -> on.prompt().contribute("context", Slot.ENVIRONMENT, view -> text);
    }
}

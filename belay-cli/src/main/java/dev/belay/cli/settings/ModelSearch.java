package dev.belay.cli.settings;

import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.Shell;
import dev.belay.model.Model;
import dev.belay.model.http.BaseUrl;
import dev.belay.model.http.Environment;
import dev.belay.model.http.HttpSettings;
import dev.belay.model.http.HttpTimeouts;
import dev.belay.model.http.LocalServers;
import dev.belay.model.http.ModelDiscovery;
import dev.belay.model.script.ScriptedModel;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds models. Stateless. */
public final class ModelSearch {

    private static final Pattern ADDRESS = Pattern.compile("https?://[^\\s\\]]+");

    private ModelSearch() {}

    /**
     * The model of a choice: the first that fits, from the settings, the environment, or a local server.
     *
     * @param ask asks a person whether another local model than the last one is meant; null if there is no answer
     */
    public static Model find(Shell shell, Settings.ModelChoice choice,
            Function<String, @Nullable String> ask) {
        return find(shell, choice, ask, LocalServers.overHttp());
    }

    static Model find(Shell shell, Settings.ModelChoice choice, Function<String, @Nullable String> ask,
            LocalServers servers) {
        var last = new LastModel(shell, ask);
        ModelDiscovery search = ModelDiscovery.start()
                .environment(variables(shell))
                .localServers(servers)
                .onLocal((at, model) -> last.found(choice.name().orElse(""), at.toString(), model));
        choice.provider().ifPresent(search::provider);
        choice.name().ifPresent(search::model);
        choice.baseUrl().ifPresent(search::baseUrl);
        choice.timeout()
                .ifPresent(time -> search.http(HttpSettings.DEFAULT
                        .withTimeouts(HttpTimeouts.DEFAULT.withTotal(time)
                                .withFirstByte(time)
                                .withBetweenChunks(time))));
        choice.keyVariable()
                .ifPresent(name -> search.apiKey(shell.variable(name)
                        .orElseThrow(() -> CommandProblem
                                .usage("the settings take the key of the model from " + name
                                        + ", which is not set; set it, or remove api_key_env")),
                        name));
        Model model = search.find();
        remoteAddress(model).ifPresent(
                address -> shell.err()
                        .line("Conversations are sent to " + address + ", which is not this machine."));
        return choice.calling().apply(model);
    }

    private static Environment variables(Shell shell) {
        return name -> shell.environment().get(name);
    }

    /** A script as a model. */
    public static ScriptedModel script(Shell shell, Path file) throws IOException {
        try (Reader lines = Files.newBufferedReader(shell.directory().resolve(file))) {
            return ScriptedModel.fromJsonl(lines);
        } catch (NoSuchFileException missing) {
            throw CommandProblem.notFound("there is no script " + file);
        }
    }

    /** Where a model is, if that is not this machine. */
    static Optional<String> remoteAddress(Model model) {
        Matcher address = ADDRESS.matcher(model.toString());
        if (!address.find()) {
            return Optional.empty();
        }
        return BaseUrl.of(address.group()).isLoopback() ? Optional.empty() : Optional.of(address.group());
    }
}

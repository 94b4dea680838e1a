package dev.belay.model.http;

import dev.belay.BelayException;
import dev.belay.model.Model;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds a model to ask, in this order: the address or key set on this object; the first provider whose key is in the environment
 * ({@code OPENAI_API_KEY}, {@code ANTHROPIC_API_KEY}); an address in the environment ({@code OPENAI_BASE_URL}); a local server on
 * its usual port. A key from the environment is sent only to the provider's own address or to one from the same environment,
 * never to an address set on this object. On Linux a local server is found only if it runs as this user or root. Confined to one thread.
 */
public final class ModelDiscovery {

    /** The code of the exception when there is no model. */
    public static final String NO_MODEL_FOUND = "no_model_found";

    private static final String KEY = "_API_KEY";
    private static final String ADDRESS = "_BASE_URL";
    private static final Logger LOG = LoggerFactory.getLogger(ModelDiscovery.class);

    private List<ModelSource> sources;
    private Environment environment = Environment.system();
    private LocalServers servers = LocalServers.overHttp();
    private HttpSettings http = HttpSettings.DEFAULT;
    private BiConsumer<BaseUrl, String> found = (at, name) -> {};
    private @Nullable String provider;
    private @Nullable String model;
    private @Nullable BaseUrl url;
    private @Nullable ApiKey key;

    private ModelDiscovery(List<ModelSource> sources) {
        this.sources = sources;
    }

    /** Starts a search among all providers on the class path or module path. */
    public static ModelDiscovery start() {
        return new ModelDiscovery(installed());
    }

    /** Takes this provider and no other, by its name such as {@code openai}; default: the first that is found. */
    public ModelDiscovery provider(String name) {
        provider = name;
        return this;
    }

    /** Takes the model of this name; default: the provider's usual one, or the first that a local server has. */
    public ModelDiscovery model(String name) {
        model = name;
        return this;
    }

    /** Takes the server at this address; default: as found. */
    public ModelDiscovery baseUrl(String address) {
        url = BaseUrl.of(address);
        return this;
    }

    /** Sends this key; default: as found. */
    public ModelDiscovery apiKey(String secret) {
        key = ApiKey.of(secret);
        return this;
    }

    /** Sends the key that an environment variable has; messages about a key that is refused name the variable. */
    public ModelDiscovery apiKey(String secret, String variable) {
        key = ApiKey.of(secret).from(variable);
        return this;
    }

    /** Says how requests of the model travel; default {@link HttpSettings#DEFAULT}. */
    public ModelDiscovery http(HttpSettings how) {
        http = Objects.requireNonNull(how, "how");
        return this;
    }

    /** Reads these variables; default those of the process. */
    public ModelDiscovery environment(Environment variables) {
        environment = Objects.requireNonNull(variables, "variables");
        return this;
    }

    /** Asks local servers in this way; default {@link LocalServers#overHttp}. */
    public ModelDiscovery localServers(LocalServers asked) {
        servers = Objects.requireNonNull(asked, "asked");
        return this;
    }

    /** Tells this the address and the model of a local server that was searched for and found; if it throws, no model is returned. */
    public ModelDiscovery onLocal(BiConsumer<BaseUrl, String> heard) {
        found = Objects.requireNonNull(heard, "heard");
        return this;
    }

    /** Looks among these providers; default all that are installed. */
    public ModelDiscovery sources(List<? extends ModelSource> offered) {
        sources = List.copyOf(offered);
        return this;
    }

    /**
     * Finds the model.
     *
     * @throws BelayException with code {@link #NO_MODEL_FOUND} and a sentence that says what to set
     */
    public Model find() {
        List<ModelSource> candidates = candidates();
        if (url != null || key != null) {
            return asSaid(candidates);
        }
        List<ModelSource> set = new ArrayList<>();
        candidates.stream().filter(source -> isSet(source, KEY)).forEach(set::add);
        candidates.stream().filter(source -> isSet(source, ADDRESS)).forEach(set::add);
        if (!set.isEmpty()) {
            return fromEnvironment(set.getFirst());
        }
        return local(candidates);
    }

    private boolean isSet(ModelSource source, String what) {
        return environment.find(source.prefix() + what).isPresent();
    }

    private Model fromEnvironment(ModelSource source) {
        return open(source, read(source, ADDRESS, BaseUrl::of).orElse(source.ownUrl()),
                read(source, KEY, secret -> ApiKey.of(secret).from(source.prefix() + KEY)).orElse(null),
                "the environment");
    }

    /** Reads a variable; the message about an unusable value names the variable, because the code does not show it. */
    private <T> Optional<T> read(ModelSource source, String what, Function<String, T> parse) {
        String variable = source.prefix() + what;
        try {
            return environment.find(variable).map(parse);
        } catch (IllegalArgumentException e) {
            throw notFound("the variable " + variable + " cannot be used: " + e.getMessage());
        }
    }

    private Model asSaid(List<ModelSource> candidates) {
        ModelSource source = candidates.stream()
                .filter(ModelSource::speaksLocally)
                .findFirst()
                .filter(local -> url != null && provider == null)
                .orElse(candidates.getFirst());
        if (provider == null && url == null && candidates.size() > 1) {
            throw notFound("an API key was given, but not for which provider; name the provider, one of "
                    + names(candidates)
                    + ", or the base URL of its server");
        }
        return open(source, url == null ? source.ownUrl() : url, key, "what was given");
    }

    private Model open(ModelSource source, BaseUrl at, @Nullable ApiKey secret, String from) {
        Optional<String> named = wanted(source)
                .or(() -> at.equals(source.ownUrl()) ? Optional.of(source.usualModel()) : Optional.empty())
                .or(() -> at.isLoopback()
                        ? servers.models(at).flatMap(ModelDiscovery::firstThatTalks)
                        : Optional.empty());
        String name = named.orElseThrow(() -> notFound("which model to ask at " + at
                + " is not known; name it, or set " + source.prefix() + "_MODEL"));
        LOG.debug("Model {} at {}, from {}", name, at, from);
        return source.open(new ModelTarget(name, at, secret, http));
    }

    private Model local(List<ModelSource> candidates) {
        Map<BaseUrl, List<String>> seen = new LinkedHashMap<>();
        var passed = new StringBuilder();
        Optional<ModelSource> source = candidates.stream().filter(ModelSource::speaksLocally).findFirst();
        if (source.isPresent()) {
            String wanted = wanted(source.get()).orElse(null);
            for (BaseUrl at : LocalServers.USUAL) {
                List<String> models = servers.models(at).orElse(null);
                if (models == null) {
                    continue;
                }
                Optional<String> stranger = servers.stranger(at);
                if (stranger.isPresent()) {
                    LOG.warn("The local server at {} is passed over: {}", at, stranger.get());
                    passed.append("; the server at ")
                            .append(at)
                            .append(" is passed over, because ")
                            .append(stranger.get())
                            .append(": give its address, if it is to be used (")
                            .append(source.get().prefix())
                            .append(ADDRESS)
                            .append(")");
                    continue;
                }
                seen.put(at, models);
                Optional<String> chosen = wanted == null
                        ? firstThatTalks(models)
                        : models.stream().filter(wanted::equals).findFirst();
                if (chosen.isPresent()) {
                    LOG.info("Model {} of the local server at {}", chosen.get(), at);
                    found.accept(at, chosen.get());
                    return source.get().open(new ModelTarget(chosen.get(), at, null, http));
                }
            }
        }
        throw notFound((seen.isEmpty()
                ? whatToSet(candidates)
                : whatIsThere(seen, source.flatMap(this::wanted).orElse(""))) + passed);
    }

    /** The name of the model, if it was set on this object or in the environment. */
    private Optional<String> wanted(ModelSource source) {
        return Optional.ofNullable(model).or(() -> environment.find(source.prefix() + "_MODEL"));
    }

    /** The first model that is no embedding model; those are in the list too and have "embed" in their names. */
    private static Optional<String> firstThatTalks(List<String> models) {
        return models.stream().filter(name -> !name.toLowerCase(Locale.ROOT).contains("embed")).findFirst();
    }

    private List<ModelSource> candidates() {
        List<ModelSource> chosen = sources.stream()
                .filter(source -> provider == null || source.prefix().equalsIgnoreCase(provider))
                .sorted(Comparator.comparingInt(ModelSource::rank))
                .toList();
        if (!chosen.isEmpty()) {
            return chosen;
        }
        throw notFound(sources.isEmpty()
                ? "no provider is installed; add belay-model-openai or belay-model-anthropic to the dependencies"
                : "no provider is named \"" + provider + "\"; installed are " + names(sources));
    }

    private static String whatToSet(List<ModelSource> candidates) {
        String keys = candidates.stream()
                .map(source -> source.prefix() + KEY)
                .collect(Collectors.joining(" or "));
        return "no model to ask: set " + keys + candidates.stream()
                .filter(ModelSource::speaksLocally)
                .findFirst()
                .map(source -> ", or start a local server (Ollama on port 11434, LM Studio on 1234, llama.cpp on 8080),"
                        + " or set " + source.prefix() + ADDRESS
                        + " (base_url of [model] in belay.toml) to the base URL of another one")
                .orElse("");
    }

    private static String whatIsThere(Map<BaseUrl, List<String>> seen, String wanted) {
        String lists = seen.entrySet()
                .stream()
                .map(entry -> entry.getKey() + " has "
                        + (entry.getValue().isEmpty() ? "none" : entry.getValue()))
                .collect(Collectors.joining(", "));
        return wanted.isEmpty()
                ? "the local server has no model to ask (" + lists
                        + "); load one, with Ollama: ollama pull qwen3:8b"
                : "no local server has the model \"" + wanted + "\" (" + lists
                        + "); load it, with Ollama: ollama pull " + wanted + ", or ask for one of these";
    }

    private static String names(List<ModelSource> sources) {
        return sources.stream()
                .map(source -> source.prefix().toLowerCase(Locale.ROOT))
                .sorted()
                .toList()
                .toString();
    }

    private static BelayException notFound(String sentence) {
        return new BelayException(NO_MODEL_FOUND, sentence);
    }

    /** Asks the thread's class loader, which sees the application, and this class's own, which sees the module layer. */
    private static List<ModelSource> installed() {
        Map<Class<?>, ModelSource> found = new LinkedHashMap<>();
        Stream.of(Thread.currentThread().getContextClassLoader(), ModelSource.class.getClassLoader())
                .filter(ModelDiscovery::knowsUs)
                .flatMap(loader -> ServiceLoader.load(ModelSource.class, loader).stream())
                .forEach(provider -> found.computeIfAbsent(provider.type(), type -> provider.get()));
        return List.copyOf(found.values());
    }

    /** A loader with another copy of this library has providers for that copy. */
    private static boolean knowsUs(@Nullable ClassLoader loader) {
        try {
            return loader != null && loader.loadClass(ModelSource.class.getName()) == ModelSource.class;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}

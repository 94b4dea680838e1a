package dev.belay.model.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.belay.BelayException;
import dev.belay.model.Model;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is found, in which order, and what is said when nothing is. */
class ModelDiscoveryTest {

    private static final String OLLAMA = "http://127.0.0.1:11434/v1";
    private static final String LLAMA_CPP = "http://127.0.0.1:8080/v1";

    private final Map<String, String> variables = new HashMap<>();
    private final Map<String, List<String>> local = new HashMap<>();
    private final Map<String, String> strangers = new HashMap<>();
    private final List<String> probed = new ArrayList<>();

    @Test
    void aKeyInTheEnvironmentIsTaken() {
        variables.put("BETA_API_KEY", "sk-beta");
        assertThat(found(discovery())).isEqualTo(target("beta-usual", "https://beta.example/v1", "sk-beta"));
        variables.put("ALPHA_API_KEY", " sk-alpha\n");
        assertThat(found(discovery()))
                .isEqualTo(target("alpha-usual", "https://alpha.example/v1", "sk-alpha"));
        assertThat(probed).isEmpty();
    }

    @Test
    void aBlankKeyIsNone() {
        variables.put("ALPHA_API_KEY", "  ");
        variables.put("BETA_API_KEY", "sk-beta");
        assertThat(found(discovery()).name()).isEqualTo("beta-usual");
    }

    @Test
    void modelAndAddressMayBeInTheEnvironmentToo() {
        variables.put("ALPHA_API_KEY", "sk-alpha");
        variables.put("ALPHA_MODEL", "large");
        variables.put("ALPHA_BASE_URL", "https://proxy.example/v1");
        assertThat(found(discovery())).isEqualTo(target("large", "https://proxy.example/v1", "sk-alpha"));
    }

    @Test
    void anAddressWithoutAKeyIsEnough() {
        variables.put("ALPHA_BASE_URL", "http://127.0.0.1:9999/v1");
        local.put("http://127.0.0.1:9999/v1", List.of("nomic-embed", "tiny"));
        assertThat(found(discovery())).isEqualTo(target("tiny", "http://127.0.0.1:9999/v1", null));
    }

    @Test
    void aKeyGoesBeforeAnAddressWithoutOne() {
        variables.put("ALPHA_BASE_URL", "http://127.0.0.1:9999/v1");
        variables.put("BETA_API_KEY", "sk-beta");
        assertThat(found(discovery())).isEqualTo(target("beta-usual", "https://beta.example/v1", "sk-beta"));
        assertThat(probed).isEmpty();
    }

    @Test
    void aVariableThatCannotBeUsedIsNamed() {
        variables.put("ALPHA_BASE_URL", "localhost:9999");
        assertThat(catchThrowableOfType(BelayException.class, () -> found(discovery())))
                .hasMessageStartingWith("the variable ALPHA_BASE_URL cannot be used: ")
                .extracting(BelayException::code)
                .isEqualTo(ModelDiscovery.NO_MODEL_FOUND);
        variables.put("ALPHA_BASE_URL", "https://alpha.example/v1");
        variables.put("ALPHA_API_KEY", "sk-\u00e4");
        assertThat(catchThrowableOfType(BelayException.class, () -> found(discovery())))
                .hasMessageStartingWith("the variable ALPHA_API_KEY cannot be used: ")
                .hasMessageNotContaining("sk-");
    }

    @Test
    void whatIsGivenWins() {
        variables.put("ALPHA_API_KEY", "sk-alpha");
        variables.put("ALPHA_MODEL", "large");
        assertThat(found(discovery().model("mine")))
                .isEqualTo(target("mine", "https://alpha.example/v1", "sk-alpha"));
        assertThat(found(discovery().provider("beta").apiKey("sk-mine")))
                .isEqualTo(target("beta-usual", "https://beta.example/v1", "sk-mine"));
    }

    @Test
    void aKeyOfTheEnvironmentIsNotSentToAnAddressThatIsGiven() {
        variables.put("ALPHA_API_KEY", "sk-alpha");
        assertThat(found(discovery().baseUrl("https://elsewhere.example/v1").model("m")))
                .isEqualTo(target("m", "https://elsewhere.example/v1", null));
    }

    @Test
    void aLocalServerIsTheLastResort() {
        local.put(LLAMA_CPP, List.of("text-embedding-small", "gemma", "other"));
        assertThat(found(discovery())).isEqualTo(target("gemma", LLAMA_CPP, null));
        assertThat(probed).containsExactly(OLLAMA, "http://127.0.0.1:1234/v1", LLAMA_CPP);
    }

    @Test
    void theLocalServerThatHasTheModelIsTaken() {
        local.put(OLLAMA, List.of("llama3"));
        local.put(LLAMA_CPP, List.of("gemma"));
        assertThat(found(discovery().model("gemma"))).isEqualTo(target("gemma", LLAMA_CPP, null));
    }

    @Test
    void aLocalServerOfAnotherUserIsPassedOver() {
        local.put(OLLAMA, List.of("planted"));
        strangers.put(OLLAMA, "it belongs to the user with the number 4242");
        assertThat(failure(discovery())).hasMessageContaining("ALPHA_API_KEY")
                .hasMessageContaining("the server at " + OLLAMA
                        + " is passed over, because it belongs to the user with the number 4242: give its address");
        local.put(LLAMA_CPP, List.of("gemma"));
        assertThat(found(discovery())).isEqualTo(target("gemma", LLAMA_CPP, null));
        assertThat(found(discovery().baseUrl(OLLAMA))).as("it is named")
                .isEqualTo(target("planted", OLLAMA, null));
    }

    @Test
    void aLocalServerThatIsFoundIsToldBeforeItsModelIsReturned() {
        local.put(LLAMA_CPP, List.of("gemma"));
        List<String> told = new ArrayList<>();
        found(discovery().onLocal((at, model) -> told.add(model + " at " + at)));
        assertThat(told).containsExactly("gemma at " + LLAMA_CPP);
        variables.put("ALPHA_API_KEY", "sk-alpha");
        found(discovery().onLocal((at, model) -> told.add("again")));
        assertThat(told).as("only if it was searched for").hasSize(1);
    }

    @Test
    void withNothingOneSentenceSaysWhatToSet() {
        assertThat(failure(discovery())).hasMessageContaining("ALPHA_API_KEY or BETA_API_KEY")
                .hasMessageContaining("11434")
                .hasMessageContaining("1234")
                .hasMessageContaining("8080")
                .hasMessageContaining("base URL");
    }

    @Test
    void aLocalServerWithoutTheModelIsNamed() {
        local.put(OLLAMA, List.of("llama3"));
        assertThat(failure(discovery().model("gemma"))).hasMessageContaining("\"gemma\"")
                .hasMessageContaining("llama3")
                .hasMessageContaining(OLLAMA)
                .hasMessageContaining("ollama pull gemma");
        local.put(OLLAMA, List.of());
        assertThat(failure(discovery())).hasMessageContaining(OLLAMA).hasMessageContaining("ollama pull");
    }

    @Test
    void whatIsNotKnownIsAsked() {
        assertThat(failure(discovery().apiKey("sk-x"))).hasMessageContaining("[alpha, beta]");
        assertThat(failure(discovery().baseUrl("https://elsewhere.example/v1")))
                .hasMessageContaining("ALPHA_MODEL")
                .hasMessageContaining("https://elsewhere.example/v1");
        assertThat(failure(discovery().provider("gamma"))).hasMessageContaining("\"gamma\"")
                .hasMessageContaining("[alpha, beta]");
        assertThat(failure(discovery().sources(List.of()))).hasMessageContaining("belay-model-openai");
    }

    private ModelDiscovery discovery() {
        return ModelDiscovery.start()
                .sources(List.of(new Source("BETA", 20, false), new Source("ALPHA", 10, true)))
                .environment(Environment.of(variables))
                .localServers(new LocalServers() {
                    @Override
                    public Optional<List<String>> models(BaseUrl url) {
                        probed.add(url.toString());
                        return Optional.ofNullable(local.get(url.toString()));
                    }

                    @Override
                    public Optional<String> stranger(BaseUrl url) {
                        return Optional.ofNullable(strangers.get(url.toString()));
                    }
                });
    }

    private static BelayException failure(ModelDiscovery discovery) {
        BelayException failure = catchThrowableOfType(BelayException.class, discovery::find);
        assertThat(failure).isNotNull();
        assertThat(failure.code()).isEqualTo("no_model_found");
        return failure;
    }

    private static Found found(ModelDiscovery discovery) {
        return (Found) discovery.find();
    }

    private static Found target(String model, String url, @Nullable String key) {
        return new Found(model, url, String.valueOf(key));
    }

    private record Found(String name, String url, String key) implements Model {

        @Override
        public String id() {
            return name;
        }

        @Override
        public ModelResponse complete(ModelRequest request, ModelListener listener) {
            throw new UnsupportedOperationException("never asked");
        }
    }

    private record Source(String prefix, int rank, boolean speaksLocally) implements ModelSource {

        @Override
        public BaseUrl ownUrl() {
            return BaseUrl.of("https://" + prefix.toLowerCase(Locale.ROOT) + ".example/v1");
        }

        @Override
        public String usualModel() {
            return prefix.toLowerCase(Locale.ROOT) + "-usual";
        }

        @Override
        public Model open(ModelTarget target) {
            return new Found(target.model(), target.url().toString(),
                    target.key() == null ? "null" : target.key().reveal());
        }
    }
}

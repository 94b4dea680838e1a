package dev.belay.model.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.model.Model;
import dev.belay.model.http.Environment;
import dev.belay.model.http.ModelDiscovery;
import dev.belay.model.http.ModelSource;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/** This module's part in discovery, on the class path and on the module path. */
class OpenAiDiscoveryTest {

    @Test
    void itIsFoundOnTheClassPath() {
        Model model = ModelDiscovery.start()
                .environment(Environment.of(Map.of("OPENAI_API_KEY", "sk-secret")))
                .find();
        assertThat(model).isInstanceOf(OpenAiModel.class)
                .hasToString("OpenAiModel[gpt-5-mini at https://api.openai.com/v1]");
    }

    @Test
    void itIsFoundOnTheModulePath() throws Exception {
        Path[] modules = {classes(OpenAiModel.class), classes(ModelSource.class), classes(Json.class),
            classes(Logger.class),
            classes(Nullable.class)};
        Configuration configuration = ModuleLayer.boot()
                .configuration()
                .resolveAndBind(ModuleFinder.of(modules),
                        ModuleFinder.of(), Set.of("dev.belay.model.http", "dev.belay.model.openai"));
        ModuleLayer layer = ModuleLayer.boot()
                .defineModulesWithOneLoader(configuration, ClassLoader.getPlatformClassLoader());
        Class<?> source = layer.findLoader("dev.belay.model.http").loadClass(ModelSource.class.getName());
        List<String> found = ServiceLoader.load(layer, source)
                .stream()
                .map(provider -> provider.type().getName())
                .toList();
        assertThat(found).containsExactly(OpenAiSource.class.getName());
        assertThat(source.getModule().getName()).isEqualTo("dev.belay.model.http");
        Class<?> discovery = layer.findLoader("dev.belay.model.http")
                .loadClass(ModelDiscovery.class.getName());
        Object started = discovery.getMethod("start").invoke(null);
        started = discovery.getMethod("apiKey", String.class).invoke(started, "sk-x");
        assertThat(discovery.getMethod("find").invoke(started))
                .hasToString("OpenAiModel[gpt-5-mini at https://api.openai.com/v1]");
    }

    @Test
    void aLocalServerNeedsNoKey() {
        Model model = ModelDiscovery.start()
                .environment(Environment.of(Map.of()))
                .localServers(url -> url.toString().contains(":1234")
                        ? Optional.of(List.of("qwen3-8b"))
                        : Optional.empty())
                .find();
        assertThat(model).hasToString("OpenAiModel[qwen3-8b at http://127.0.0.1:1234/v1]");
    }

    @Test
    void aModelNeedsAName() {
        assertThatThrownBy(() -> OpenAiModel.builder(" ")).isInstanceOf(IllegalArgumentException.class);
    }

    private static Path classes(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }
}

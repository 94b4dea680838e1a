package dev.belay.tests.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.tests.Project;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every published module is a module of the platform too. */
class ModuleInfoTest {

    private static final Project PROJECT = Project.here();

    @ParameterizedTest
    @MethodSource("publishedModules")
    void publishedModuleDeclaresItself(String module) {
        assertThat(PROJECT.files(module + "/src/main/java", "/module-info.java")).hasSize(1);
        assertThat(PROJECT.read(module + "/src/main/java/module-info.java"))
                .containsPattern("\\bmodule dev\\." + module.replace("-", "\\.") + "\\b");
    }

    @Test
    void noPackageIsInTwoModules() {
        Map<String, String> owners = new HashMap<>();
        for (String module : PROJECT.modules()) {
            String sources = module + "/src/main/java/";
            List<String> packages = PROJECT.files(sources, ".java")
                    .stream()
                    .map(file -> file.substring(sources.length()))
                    .filter(file -> file.contains("/"))
                    .map(file -> file.substring(0, file.lastIndexOf('/')))
                    .distinct()
                    .toList();
            for (String name : packages) {
                assertThat(owners.putIfAbsent(name, module)).as("another owner of " + name + " in " + module)
                        .isNull();
            }
        }
        assertThat(owners).containsEntry("dev/belay", "belay-core");
    }

    static List<String> publishedModules() {
        return PROJECT.published();
    }
}

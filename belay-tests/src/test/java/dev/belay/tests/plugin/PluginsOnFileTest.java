package dev.belay.tests.plugin;

import org.junit.jupiter.api.Nested;

/** Contract H and O: what other tests of plugins show in memory, on files. */
class PluginsOnFileTest {

    @Nested
    class Law extends HookLawTest implements PluginBench.OnFile {}

    @Nested
    class States extends PluginStateTest implements PluginBench.OnFile {}

    @Nested
    class Turns extends TurnHooksTest implements PluginBench.OnFile {}

    @Nested
    class Prompts extends PromptTest implements PluginBench.OnFile {}

    @Nested
    class Outputs extends OutputHooksTest implements PluginBench.OnFile {}

    @Nested
    class Configs extends ConfigHooksTest implements PluginBench.OnFile {}

    @Nested
    class BadOnes extends BadHooksTest implements PluginBench.OnFile {}

    @Nested
    class Lives extends PluginLifeTest implements PluginBench.OnFile {}
}

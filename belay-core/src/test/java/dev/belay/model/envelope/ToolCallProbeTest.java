package dev.belay.model.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.model.ModelException;
import dev.belay.model.ToolSpec;
import dev.belay.model.Usage;
import dev.belay.model.script.ScriptStep;
import dev.belay.model.script.ScriptedModel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The envelope is chosen by configuration or by a probe. */
class ToolCallProbeTest {

    private final ScriptedModel model = new ScriptedModel();

    @Test
    void aModelThatMakesTheCallNeedsNoEnvelope() {
        model.then(ScriptStep.call("belay_probe", "{\"word\":\"ready\"}").usage(Usage.of(9, 3)));
        assertThat(ToolCallProbe.probe(model))
                .isEqualTo(new ToolCallProbe.Finding(true, "it made the call", Usage.of(9, 3)));
        assertThat(model.requests()).hasSize(1);
        assertThat(model.requests().getFirst().tools()).extracting(ToolSpec::name)
                .containsExactly("belay_probe");
    }

    @Test
    void aModelThatAnswersInTextNeedsOne() {
        model.reply("{\"name\":\"belay_probe\"}");
        ToolCallProbe.Finding finding = ToolCallProbe.probe(model);
        assertThat(finding.nativeCalls()).isFalse();
        assertThat(finding.evidence()).contains("no call").contains("belay_probe");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ready", "[1]", "{\"word\":"})
    void aCallWithoutAnObjectDoesNotCount(String arguments) {
        model.call("belay_probe", arguments);
        assertThat(ToolCallProbe.probe(model).nativeCalls()).isFalse();
    }

    @Test
    void anotherCallDoesNotCount() {
        model.call("other", "{}");
        assertThat(ToolCallProbe.probe(model).evidence()).contains("another call").contains("other");
    }

    @ParameterizedTest
    @EnumSource(value = ModelException.Kind.class, names = {"TOOLS_UNSUPPORTED", "INVALID_REQUEST"})
    void aProviderThatRefusesToolsIsAFinding(ModelException.Kind kind) {
        model.error(new ModelException(kind, "does not support tools"));
        assertThat(ToolCallProbe.probe(model).evidence()).contains("does not support tools");
    }

    @ParameterizedTest
    @EnumSource(value = ModelException.Kind.class, names = {"TOOLS_UNSUPPORTED",
        "INVALID_REQUEST"}, mode = EnumSource.Mode.EXCLUDE)
    void everyOtherFailureIsThrown(ModelException.Kind kind) {
        ModelException error = new ModelException(kind, "no");
        model.error(error);
        assertThatThrownBy(() -> ToolCallProbe.probe(model)).isInstanceOfSatisfying(ModelException.class,
                thrown -> assertThat(thrown.kind()).isEqualTo(kind));
    }

    @Test
    void theSettingChooses() {
        assertThat(ToolCalling.NATIVE.apply(model)).isSameAs(model);
        assertThat(ToolCalling.TEXT.apply(model)).isInstanceOf(TextEnvelopeModel.class);
        assertThat(model.requests()).isEmpty();
        model.call("belay_probe", "{}").reply("I cannot");
        assertThat(ToolCalling.PROBE.apply(model)).isSameAs(model);
        assertThat(ToolCalling.PROBE.apply(model)).isInstanceOf(TextEnvelopeModel.class);
    }
}

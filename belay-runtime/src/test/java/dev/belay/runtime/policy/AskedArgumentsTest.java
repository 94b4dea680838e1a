package dev.belay.runtime.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import org.junit.jupiter.api.Test;

/** The form in which the ledger of a turn keeps the arguments of a call that asked. */
class AskedArgumentsTest {

    @Test
    void theKeptFormIsPinnedAndReadBack() {
        var ran = new AskedArguments(Json.of("{\"n\":1}"), Json.of("{\"n\":2}"), Json.of("{\"n\":2}"));
        var denied = new AskedArguments(Json.of("{\"n\":1}"), Json.of("{\"n\":1}"), null);
        assertThat(ran.toJson().text())
                .isEqualTo("{\"proposed\":{\"n\":1},\"decided\":{\"n\":2},\"effective\":{\"n\":2}}");
        assertThat(denied.toJson().text()).isEqualTo("{\"proposed\":{\"n\":1},\"decided\":{\"n\":1}}");
        assertThat(AskedArguments.of(ran.toJson())).isEqualTo(ran);
        assertThat(AskedArguments.of(denied.toJson())).isEqualTo(denied);
        assertThat(ran.isChanged()).isTrue();
        assertThat(denied.isChanged()).isFalse();
    }
}

package dev.belay.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Secrets are taken out of texts that others have written. */
class KnownSecretsTest {

    private final KnownSecrets secrets = KnownSecrets
            .of(List.of("s3cret", "Bearer s3cret", " a/b\"c-23 \n", "true", ""));

    @Test
    void theyAreTakenOutOfTexts() {
        assertThat(secrets.hideIn("s3cret Bearer s3cret, a/b\"c-23 is true"))
                .isEqualTo("(secret not shown) (secret not shown), (secret not shown) is true");
        assertThat(KnownSecrets.NONE.hideIn("s3cret")).isEqualTo("s3cret");
        assertThat(secrets.toString()).doesNotContain("s3cret");
    }

    @Test
    void theyAreTakenOutOfJsonHoweverTheyAreEscaped() {
        assertThat(secrets.hideIn(Json.of("{\"s3cret\":[\"x \\u00733cret\",\"a\\/b\\\"c-23\"],\"n\":1}")))
                .isEqualTo(Json.of(
                        "{\"(secret not shown)\":[\"x (secret not shown)\",\"(secret not shown)\"],\"n\":1}"));
    }

    @Test
    void numbersStayNumbers() {
        Json json = Json.of("{\"at\":1234567,\"text\":\"\\n\"}");
        assertThat(KnownSecrets.of(List.of("123456")).hideIn(json)).isSameAs(json);
    }
}

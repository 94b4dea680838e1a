package dev.belay.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.belay.json.Json;
import org.junit.jupiter.api.Test;

/** Another implementation of the draft is the judge of ours. */
class NetworkntAgreementTest {

    private static final int SCHEMAS = 4_000;
    private static final int VALUES = 12;

    private final SchemaRegistry judge = SchemaRegistry
            .withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

    @Test
    void sameVerdictOnRandomSchemasAndValues() {
        int valid = 0;
        for (long seed = 0; seed < SCHEMAS; seed++) {
            RandomSchemas random = new RandomSchemas(seed);
            String schemaText = random.schema();
            JsonSchema schema = JsonSchema.of(Json.of(schemaText));
            Schema other = judge.getSchema(schemaText, InputFormat.JSON);
            for (int i = 0; i < VALUES; i++) {
                String value = random.value();
                Violations violations = schema.validate(Json.of(value));
                boolean expected = other.validate(value, InputFormat.JSON).isEmpty();
                assertThat(violations.isEmpty())
                        .as("seed %d\nschema %s\nvalue %s\nwe say: %s", seed, schemaText, value,
                                violations)
                        .isEqualTo(expected);
                valid += expected ? 1 : 0;
            }
        }
        assertThat(valid).as("both verdicts must be common")
                .isBetween(SCHEMAS * VALUES / 10, SCHEMAS * VALUES * 9 / 10);
    }
}

package dev.belay.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.belay.json.Json;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Another implementation of the drafts is the judge of ours. */
class NetworkntAgreementTest {

    private static final int SCHEMAS = Boolean.getBoolean("belay.long") ? 50_000 : 400;
    private static final int VALUES = 12;

    @ParameterizedTest
    @EnumSource(Draft.class)
    void sameVerdictOnRandomSchemasAndValues(Draft draft) {
        SchemaRegistry judge = SchemaRegistry.withDefaultDialect(switch (draft) {
            case DRAFT_4 -> SpecificationVersion.DRAFT_4;
            case DRAFT_6 -> SpecificationVersion.DRAFT_6;
            case DRAFT_7 -> SpecificationVersion.DRAFT_7;
            case DRAFT_2019_09 -> SpecificationVersion.DRAFT_2019_09;
            case DRAFT_2020_12 -> SpecificationVersion.DRAFT_2020_12;
        });
        int valid = 0;
        for (long seed = 0; seed < SCHEMAS; seed++) {
            RandomSchemas random = new RandomSchemas(seed, draft);
            String schemaText = random.schema();
            JsonSchema schema = JsonSchema.of(Json.of(schemaText), draft);
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

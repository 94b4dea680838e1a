package dev.belay.schema;

import java.util.Map;
import java.util.Optional;

/**
 * A draft of JSON Schema, oldest first. A schema is compiled by the rules of the draft that its {@code $schema} names, else of
 * the one that its source names.
 */
public enum Draft {
    /** {@code http://json-schema.org/draft-04/schema#}. */
    DRAFT_4("json-schema.org/draft-04/schema"),
    /** {@code http://json-schema.org/draft-06/schema#}. */
    DRAFT_6("json-schema.org/draft-06/schema"),
    /** {@code http://json-schema.org/draft-07/schema#}. */
    DRAFT_7("json-schema.org/draft-07/schema"),
    /** {@code https://json-schema.org/draft/2019-09/schema}. */
    DRAFT_2019_09("json-schema.org/draft/2019-09/schema"),
    /** {@code https://json-schema.org/draft/2020-12/schema}. */
    DRAFT_2020_12("json-schema.org/draft/2020-12/schema");

    private static final Map<String, Draft> FIRST = Map.ofEntries(Map.entry("const", DRAFT_6),
            Map.entry("contains", DRAFT_6),
            Map.entry("propertyNames", DRAFT_6),
            Map.entry("$id", DRAFT_6),
            Map.entry("if", DRAFT_7),
            Map.entry("then", DRAFT_7),
            Map.entry("else", DRAFT_7),
            Map.entry("$anchor", DRAFT_2019_09),
            Map.entry("$defs", DRAFT_2019_09),
            Map.entry("$recursiveRef", DRAFT_2019_09),
            Map.entry("dependentRequired", DRAFT_2019_09),
            Map.entry("dependentSchemas", DRAFT_2019_09),
            Map.entry("maxContains", DRAFT_2019_09),
            Map.entry("minContains", DRAFT_2019_09),
            Map.entry("unevaluatedItems", DRAFT_2019_09),
            Map.entry("unevaluatedProperties", DRAFT_2019_09),
            Map.entry("prefixItems", DRAFT_2020_12),
            Map.entry("$dynamicAnchor", DRAFT_2020_12),
            Map.entry("$dynamicRef", DRAFT_2020_12));

    private static final Map<String, Draft> LAST = Map.of("id", DRAFT_4, "definitions", DRAFT_7,
            "additionalItems", DRAFT_2019_09, "$recursiveRef", DRAFT_2019_09);

    private final String address;

    Draft(String address) {
        this.address = address;
    }

    /**
     * Finds a draft.
     *
     * @param uri the value of {@code $schema}, with or without {@code #} at its end, as http or https
     */
    public static Optional<Draft> named(String uri) {
        for (Draft draft : values()) {
            if (uri.matches("https?://\\Q" + draft.address + "\\E#?")) {
                return Optional.of(draft);
            }
        }
        return Optional.empty();
    }

    /** Whether the draft gives the keyword a meaning; keywords of all drafts are not listed, and so are unknown ones. */
    public boolean knows(String keyword) {
        return compareTo(FIRST.getOrDefault(keyword, DRAFT_4)) >= 0
                && compareTo(LAST.getOrDefault(keyword, DRAFT_2020_12)) <= 0;
    }

    /** Whether a {@code $ref} stands alone: what is beside it does not count. */
    public boolean referenceStandsAlone() {
        return compareTo(DRAFT_7) <= 0;
    }

    /** The keyword that names a schema. */
    public String idKeyword() {
        return this == DRAFT_4 ? "id" : "$id";
    }
}

package dev.belay.runtime.policy;

import dev.belay.json.Json;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A rule that has decided about a call, as decisions, requests and grants carry it.
 *
 * @param id its name, or null for what is decided without a rule
 * @param reason why, for people, and for the model if the call is denied; may be empty
 * @param hash of the rule: an answer that was given under another form of the rule does not count
 */
public record DecidingRule(@Nullable String id, String reason, String hash) {

    /** Refuses null. */
    public DecidingRule {
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(hash, "hash");
    }

    /** The names of rules, parted by commas; null if none has one. */
    public static @Nullable String names(List<DecidingRule> rules) {
        String names = rules.stream()
                .map(DecidingRule::id)
                .filter(Objects::nonNull)
                .collect(Collectors.joining(", "));
        return names.isEmpty() ? null : names;
    }

    /** The rule and its reason, in words. */
    public String words() {
        String by = id == null ? "no rule" : "rule \"" + id + "\"";
        return reason.isEmpty() ? by : by + ": " + reason;
    }

    /** The form in which rules are stored. */
    public static Json toJson(List<DecidingRule> rules) {
        return Json.array(rules.stream().map(rule -> Json.write(out -> {
            out.beginObject();
            if (rule.id != null) {
                out.name("rule").value(rule.id);
            }
            out.name("reason").value(rule.reason).name("hash").value(rule.hash).endObject();
        })).toList());
    }

    /** The rules of their stored form. */
    public static List<DecidingRule> of(Json stored) {
        return stored.items()
                .stream()
                .map(rule -> new DecidingRule(rule.get("rule").map(Json::asString).orElse(null),
                        rule.get("reason").orElseThrow().asString(),
                        rule.get("hash").orElseThrow().asString()))
                .toList();
    }
}

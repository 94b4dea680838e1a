package dev.belay.runtime.store;

import dev.belay.json.Json;
import dev.belay.runtime.effect.StoredNames;
import dev.belay.runtime.policy.Grant;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What is said about a session, apart from its conversation. Immutable.
 *
 * @param agent which answers it
 * @param closedAt since when it takes no inputs, or null
 * @param labels short words for lists, in the order of their names
 * @param above the names of the sessions below which a call has made it, the topmost first
 * @param grants approvals that hold for further calls
 */
public record SessionProfile(String agent, @Nullable Instant closedAt, Map<String, String> labels,
        List<String> above, List<Grant> grants) {

    private static final Pattern AGENT = Pattern.compile("[a-z0-9_-]{1,64}");
    private static final int MOST_LABELS = 16;
    private static final int LONGEST_LABEL = 100;
    /** The field of stored labels that has the sessions above, and grants; no label has an empty name. */
    private static final String ABOVE = "";
    private static final String GRANTS = "grants";
    /** More approvals than a person gives for one session; the oldest goes. */
    private static final int MOST_GRANTS = 100;

    /** The agent of sessions that name none. */
    public static final String DEFAULT_AGENT = "default";
    /** A session of that agent, open and without labels. */
    public static final SessionProfile PLAIN = new SessionProfile(DEFAULT_AGENT, null, Map.of());

    /** Copies the labels, and refuses names that are not allowed. */
    public SessionProfile {
        requireAgent(agent);
        above = List.copyOf(above);
        grants = List.copyOf(grants);
        labels = Collections.unmodifiableMap(new TreeMap<>(labels));
        if (labels.size() > MOST_LABELS) {
            throw new IllegalArgumentException("a session has at most " + MOST_LABELS + " labels, found "
                    + labels.size());
        }
        labels.forEach((name, value) -> {
            StoredNames.check("the name of a label", name, LONGEST_LABEL);
            if (!value.isEmpty()) {
                StoredNames.check("a label", value, LONGEST_LABEL);
            }
        });
    }

    /** The profile of a session that no call has made. */
    public SessionProfile(String agent, @Nullable Instant closedAt, Map<String, String> labels) {
        this(agent, closedAt, labels, List.of(), List.of());
    }

    /** Refuses what is no name of an agent; the same name. */
    public static String requireAgent(String name) {
        if (!AGENT.matcher(name).matches()) {
            throw new IllegalArgumentException("an agent is named by 1 to 64 of a to z, 0 to 9, _ and -,"
                    + " found \"" + name + "\"");
        }
        return name;
    }

    /** The profile of stored values. */
    public static SessionProfile of(String agent, @Nullable Instant closedAt, Json labels) {
        Map<String, String> read = new TreeMap<>();
        List<String> above = new ArrayList<>();
        List<Grant> grants = new ArrayList<>();
        labels.fields().forEach((name, value) -> {
            if (name.equals(ABOVE)) {
                boolean names = value.kind() == Json.Kind.ARRAY;
                (names ? value : value.get("above").orElseThrow()).items()
                        .forEach(one -> above.add(one.asString()));
                if (!names) {
                    value.get(GRANTS).orElseThrow().items().forEach(one -> grants.add(Grant.of(one)));
                }
            } else {
                read.put(name, value.asString());
            }
        });
        return new SessionProfile(agent, closedAt, read, above, grants);
    }

    /** The same with another agent. */
    public SessionProfile withAgent(String other) {
        return new SessionProfile(other, closedAt, labels, above, grants);
    }

    /** The same, closed since a moment, or open for null. */
    public SessionProfile closed(@Nullable Instant since) {
        return new SessionProfile(agent, since, labels, above, grants);
    }

    /** The same with other labels. */
    public SessionProfile withLabels(Map<String, String> other) {
        return new SessionProfile(agent, closedAt, other, above, grants);
    }

    /** The same, made by a call below other sessions. */
    public SessionProfile below(List<String> sessions) {
        return new SessionProfile(agent, closedAt, labels, sessions, grants);
    }

    /** The same with one more grant; one of the same id is replaced, and those of other turns go. */
    public SessionProfile granted(Grant grant, long turn) {
        List<Grant> all = new ArrayList<>(grants);
        all.removeIf(one -> one.id().equals(grant.id()) || (one.turn() != null && one.turn() != turn));
        all.add(grant);
        return new SessionProfile(agent, closedAt, labels, above,
                all.subList(Math.max(0, all.size() - MOST_GRANTS), all.size()));
    }

    /** The same without a grant. */
    public SessionProfile revoked(String grant) {
        return new SessionProfile(agent, closedAt, labels, above,
                grants.stream().filter(one -> !one.id().equals(grant)).toList());
    }

    /** The labels, the sessions above and the grants, as they are stored. */
    public Json labelsJson() {
        Map<String, Json> written = new TreeMap<>();
        labels.forEach((name, value) -> written.put(name, Json.string(value)));
        Json names = Json.array(above.stream().map(Json::string).toList());
        if (!grants.isEmpty()) {
            written.put(ABOVE, Json.object(Map.of("above", names, GRANTS,
                    Json.array(grants.stream().map(Grant::toJson).toList()))));
        } else if (!above.isEmpty()) {
            written.put(ABOVE, names);
        }
        return Json.object(written);
    }
}

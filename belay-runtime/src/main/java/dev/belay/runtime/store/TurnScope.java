package dev.belay.runtime.store;

import dev.belay.json.Json;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.tool.context.Incarnation;
import java.util.Map;
import java.util.Optional;

/** The scope of a turn: how it is named and what it starts from. Its form is pinned by golden files. */
public final class TurnScope {

    /** The kind of a turn whose loop the runtime owns; that of another agent than the default one has its name behind a slash. */
    public static final String KIND = "turn/1";
    /** The kind of a turn whose loop a program owns; that of a loop with a name has it behind a slash. */
    public static final String OPEN_KIND = "open-turn/1";
    /** The field of an input that says whose loop its turn has: absent for the runtime's, empty for one without a name. */
    public static final String LOOP = "loop";

    /** The field of a start that names the agent it was accepted for; absent for the default one. The kind of a scope decides. */
    public static final String AGENT = "agent";

    private static final String ABOVE = "above";
    private static final String PREFIX = "turn/";
    /** Stands before the scopes of all turns in the order of names. */
    public static final ScopeId BEFORE_ALL = new ScopeId(PREFIX);
    /** Characters of an incarnation. */
    private static final int INCARNATION = 32;

    private TurnScope() {}

    /** The scope of a turn. Named after the incarnation, so that a session that is made again has scopes of its own. */
    public static ScopeId id(Incarnation session, long turn) {
        return new ScopeId(PREFIX + session + "/" + turn);
    }

    /** Whether a scope is that of some turn of a session. */
    public static boolean isOf(ScopeId scope, Incarnation session) {
        String name = scope.value();
        return isTurn(name, name.lastIndexOf('/')) && session.isAt(name, PREFIX.length());
    }

    /** Whether a scope is that of a turn. */
    public static boolean isOf(ScopeId scope, Incarnation session, long turn) {
        return isOf(scope, session) && scope.value().endsWith("/" + turn);
    }

    /** The number of the turn that a scope is of; empty if it is of none. */
    public static Optional<Long> turn(ScopeId scope) {
        String[] parts = scope.value().split("/", -1);
        try {
            return parts.length == 3 && parts[0].equals("turn")
                    ? Optional.of(Long.parseLong(parts[2]))
                    : Optional.empty();
        } catch (NumberFormatException other) {
            return Optional.empty();
        }
    }

    /** The incarnation of the session whose turn a scope is; throws {@link IllegalArgumentException} if it is of none. */
    public static Incarnation session(ScopeId scope) {
        String name = scope.value();
        int slash = name.lastIndexOf('/');
        if (!isTurn(name, slash)) {
            throw new IllegalArgumentException("this is the scope of no turn: " + scope);
        }
        return Incarnation.parse(name.substring(PREFIX.length(), slash));
    }

    /** What the scopes of all turns of a session begin with. */
    public static String prefix(Incarnation session) {
        return PREFIX + session + "/";
    }

    /** Under whose name a scope keeps attachments: a turn under that of its session, any other under its own. */
    public static String keeper(ScopeId scope) {
        String name = scope.value();
        int slash = name.lastIndexOf('/');
        return isTurn(name, slash) ? name.substring(0, slash + 1) : name;
    }

    private static boolean isTurn(String name, int lastSlash) {
        return lastSlash == PREFIX.length() + INCARNATION && name.startsWith(PREFIX);
    }

    /** The kind of turns whose loop a program owns, by the name of the loop; an empty one is no name. */
    public static String openKind(String loop) {
        return loop.isEmpty() ? OPEN_KIND : OPEN_KIND + "/" + loop;
    }

    /** Whether scopes of a kind are turns whose loop a program owns. */
    public static boolean isOpen(String kind) {
        return kind.equals(OPEN_KIND) || kind.startsWith(OPEN_KIND + "/");
    }

    /** The kind of turns that an agent answers. */
    public static String kind(String agent) {
        return agent.equals(SessionProfile.DEFAULT_AGENT) ? KIND : KIND + "/" + agent;
    }

    /** The agent that answers turns of a kind; empty if a program owns their loop, or they are no turns. */
    public static Optional<String> agent(String kind) {
        return kind.equals(KIND)
                ? Optional.of(SessionProfile.DEFAULT_AGENT)
                : kind.startsWith(KIND + "/")
                        ? Optional.of(kind.substring(KIND.length() + 1))
                        : Optional.empty();
    }

    /** Whether scopes of a kind are turns, with a loop of the runtime or of a program. */
    public static boolean isTurn(String kind) {
        return agent(kind).isPresent() || isOpen(kind);
    }

    /** Whether a record of a turn stays as long as its session: what a model was sent is read from the rounds and compactions. */
    public static boolean stays(String kind, String record) {
        return isTurn(kind) && (isNumbered(record, "round/", "") || isNumbered(record, "compact/", "")
                || isNumbered(record, "compact/", "/refused"));
    }

    private static boolean isNumbered(String record, String before, String behind) {
        int end = record.length() - behind.length();
        boolean fits = end > before.length() && record.startsWith(before) && record.endsWith(behind);
        for (int at = before.length(); fits && at < end; at++) {
            fits = record.charAt(at) >= '0' && record.charAt(at) <= '9';
        }
        return fits;
    }

    /** Under which name the open turns of sessions below another one are kept. */
    public static String below(String session) {
        return "below/" + session;
    }

    /** Whether a scope is no turn, or one of these sessions, each up to a number, or of a session below them. */
    public static boolean isOf(ScopeInput scope, Map<String, Long> sessions) {
        if (!isTurn(scope.kind())) {
            return true;
        }
        String session = scope.value().peekText("session");
        Long last = session == null ? null : sessions.get(session);
        return last != null
                ? scope.value().get("turn").orElseThrow().asLong() <= last
                : scope.value()
                        .get(ABOVE)
                        .filter(above -> above.items()
                                .stream()
                                .anyMatch(one -> sessions.containsKey(one.asString())))
                        .isPresent();
    }

    /** What a turn of a session that no call has made starts from. */
    public static ScopeInput input(SessionId session, Incarnation incarnation, long turn, Arrival first,
            String agent) {
        return input(session, incarnation, turn, first, SessionProfile.PLAIN.withAgent(agent));
    }

    /** What a turn starts from. */
    public static ScopeInput input(SessionId session, Incarnation incarnation, long turn, Arrival first,
            SessionProfile profile) {
        String agent = profile.agent();
        String loop = first.content().peekText(LOOP); // without a tree, which would stay with what is kept
        return new ScopeInput(loop == null ? kind(agent) : openKind(loop), Json.write(out -> {
            out.beginObject().name("v").value(1);
            out.name("session").value(session.value());
            out.name("incarnation").value(incarnation.toString());
            out.name("turn").value(turn);
            if (!agent.equals(SessionProfile.DEFAULT_AGENT)) {
                out.name(AGENT).value(agent);
            }
            if (!profile.above().isEmpty()) {
                out.name(ABOVE).beginArray();
                profile.above().forEach(out::value);
                out.endArray();
            }
            out.name("input").value(first.id());
            out.name("content").value(first.content()).endObject();
        }));
    }
}

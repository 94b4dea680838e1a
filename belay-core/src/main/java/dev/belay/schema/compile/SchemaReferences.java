package dev.belay.schema.compile;

import dev.belay.json.Json;
import dev.belay.json.Json.Kind;
import dev.belay.schema.SchemaException;
import dev.belay.schema.rules.Excerpt;
import dev.belay.schema.rules.Place;
import dev.belay.schema.rules.SchemaNode;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where the references of a schema lead: to the whole, to a pointer, to an anchor; never out of it. */
final class SchemaReferences {

    private final Json root;
    private final Map<String, Target> anchors = new HashMap<>();

    SchemaReferences(Json root) {
        this.root = root;
        collectAnchors(root, Place.ROOT);
    }

    /**
     * A schema that is referred to.
     *
     * @param schema the schema
     * @param place where it stands
     */
    record Target(Json schema, Place place) {}

    /** Follows a reference that stands at a place. */
    Target resolve(String reference, Place place) {
        if (!reference.startsWith("#")) {
            throw new SchemaException(place.pointer(),
                    "only references within the schema (#, #/pointer, #anchor) are followed, found "
                            + Excerpt.quoted(reference));
        }
        String fragment = decodePercent(reference.substring(1));
        Target target = fragment.isEmpty() || fragment.startsWith("/")
                ? follow(fragment)
                : anchors.get(fragment);
        if (target == null) {
            throw new SchemaException(place.pointer(),
                    "the reference leads nowhere: " + Excerpt.quoted(reference));
        }
        return target;
    }

    private @Nullable Target follow(String pointer) {
        Json at = root;
        Place place = Place.ROOT;
        String[] steps = pointer.split("/", -1);
        for (int i = 1; i < steps.length; i++) {
            String step = steps[i].replace("~1", "/").replace("~0", "~");
            Json next = at.kind() == Kind.ARRAY ? item(at, step) : at.get(step).orElse(null);
            if (next == null) {
                return null;
            }
            place = at.kind() == Kind.ARRAY ? place.item(Integer.parseInt(step)) : place.field(step);
            at = next;
        }
        return new Target(at, place);
    }

    private static @Nullable Json item(Json array, String step) {
        if (!step.matches("0|[1-9][0-9]{0,8}")) {
            return null;
        }
        int index = Integer.parseInt(step);
        return index < array.items().size() ? array.items().get(index) : null;
    }

    private void collectAnchors(Json schema, Place place) {
        for (String keyword : new String[]{"$anchor", "$dynamicAnchor"}) {
            Json anchor = schema.get(keyword).orElse(null);
            if (anchor == null) {
                continue;
            }
            if (anchor.kind() != Kind.STRING || !anchor.asString().matches("[A-Za-z_][-A-Za-z0-9._]*+")) {
                throw new SchemaException(place.field(keyword).pointer(), keyword
                        + " expects a name of letters, digits, '-', '.' and '_', found "
                        + Excerpt.of(anchor));
            }
            if (anchors.put(anchor.asString(), new Target(schema, place)) != null) {
                throw new SchemaException(place.field(keyword).pointer(),
                        "the anchor " + Excerpt.of(anchor) + " is given twice");
            }
        }
        SchemaPositions.forEach(schema, place, this::collectAnchors);
    }

    private static String decodePercent(String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < encoded.length; i++) {
            boolean escape = encoded[i] == '%' && i + 2 < encoded.length;
            int high = escape ? Character.digit(encoded[i + 1], 16) : -1;
            int low = escape ? Character.digit(encoded[i + 2], 16) : -1;
            if (high >= 0 && low >= 0) {
                bytes.write(high * 16 + low);
                i += 2;
            } else {
                bytes.write(encoded[i]);
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** Refuses schemas that come back to themselves without having gone into the value. */
    static void refuseCircles(Collection<SchemaNode> nodes) {
        Set<SchemaNode> done = new HashSet<>();
        for (SchemaNode start : nodes) {
            Set<SchemaNode> onPath = new HashSet<>();
            Deque<Visit> path = new ArrayDeque<>();
            if (done.add(start)) {
                onPath.add(start);
                path.push(new Visit(start, start.inPlace().iterator()));
            }
            while (!path.isEmpty()) {
                Visit visit = path.element();
                if (!visit.next.hasNext()) {
                    onPath.remove(path.pop().node);
                    continue;
                }
                SchemaNode next = visit.next.next();
                if (onPath.contains(next)) {
                    throw new SchemaException(visit.node.place().pointer(),
                            "the schema leads back to itself without going into the value");
                }
                if (done.add(next)) {
                    onPath.add(next);
                    path.push(new Visit(next, next.inPlace().iterator()));
                }
            }
        }
    }

    private record Visit(SchemaNode node, Iterator<SchemaNode> next) {}
}

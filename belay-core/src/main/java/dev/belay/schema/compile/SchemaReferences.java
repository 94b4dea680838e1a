package dev.belay.schema.compile;

import dev.belay.json.Json;
import dev.belay.json.Json.Kind;
import dev.belay.schema.Draft;
import dev.belay.schema.SchemaException;
import dev.belay.schema.rules.Excerpt;
import dev.belay.schema.rules.Keywords;
import dev.belay.schema.rules.Place;
import dev.belay.schema.rules.SchemaNode;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where the references of a schema lead: to the whole, to a pointer, to an anchor, to a part with an id of its own; never out of
 * it. Confined to one compilation.
 */
final class SchemaReferences {

    /** The base of a schema without an id. */
    private static final String NO_BASE = "belay:/";
    /** Each part with an id keeps its whole address. */
    private static final int LONGEST_ADDRESS = 2_000;

    private final Draft draft;
    /** Schemas with an id, and the root, by their address. */
    private final Map<String, Target> resources = new HashMap<>();
    private final Map<Anchor, Target> anchors = new HashMap<>();
    /** The address of the resource to which a schema belongs. */
    private final IdentityHashMap<Json, String> bases = new IdentityHashMap<>();

    SchemaReferences(Json root, Draft draft) {
        this.draft = draft;
        collect(root, Place.ROOT, NO_BASE);
        resources.put(bases.getOrDefault(root, NO_BASE), new Target(root, Place.ROOT));
    }

    /**
     * A schema that is referred to.
     *
     * @param schema the schema
     * @param place where it stands
     */
    record Target(Json schema, Place place) {}

    private record Anchor(String base, String name) {}

    boolean hasSeveralResources() {
        return resources.size() > 1;
    }

    /** Follows a reference that stands in a schema. */
    Target resolve(Json from, String reference, Place place) {
        int hash = reference.indexOf('#');
        String path = hash < 0 ? reference : reference.substring(0, hash);
        String fragment = hash < 0 ? "" : decodePercent(reference.substring(hash + 1));
        String address = address(bases.getOrDefault(from, NO_BASE), path);
        Target resource = resources.get(address);
        if (resource == null) {
            throw new SchemaException(place.pointer(),
                    "only references within the schema (#, #/pointer, #anchor) are followed, found "
                            + Excerpt.quoted(reference));
        }
        Target target = fragment.isEmpty() || fragment.startsWith("/")
                ? follow(resource, fragment)
                : anchors.get(new Anchor(address, fragment));
        if (target == null) {
            throw new SchemaException(place.pointer(),
                    "the reference leads nowhere: " + Excerpt.quoted(reference));
        }
        if (!bases.containsKey(target.schema)) {
            collect(target.schema, target.place, address); // it stands where no schema is expected
        }
        return target;
    }

    private static String address(String base, String path) {
        try {
            return path.isEmpty() ? base : URI.create(base).resolve(path).toString();
        } catch (IllegalArgumentException noUri) {
            return path;
        }
    }

    private static @Nullable Target follow(Target resource, String pointer) {
        Json at = resource.schema;
        Place place = resource.place;
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

    /** Notes the ids and anchors of a schema and of those in it. */
    private void collect(Json schema, Place place, String outerBase) {
        Keywords keywords = Keywords.of(schema, place, draft);
        Json id = keywords.get(draft.idKeyword());
        String base = id == null || id.kind() != Kind.STRING
                ? outerBase
                : identify(id.asString(), new Target(schema, place), outerBase);
        bases.put(schema, base);
        for (String keyword : new String[]{"$anchor", "$dynamicAnchor"}) {
            Json anchor = keywords.get(keyword);
            if (anchor == null) {
                continue;
            }
            if (anchor.kind() != Kind.STRING || !anchor.asString().matches("[A-Za-z_][-A-Za-z0-9._]*+")) {
                throw new SchemaException(place.field(keyword).pointer(), keyword
                        + " expects a name of letters, digits, '-', '.' and '_', found "
                        + Excerpt.of(anchor));
            }
            if (anchors.put(new Anchor(base, anchor.asString()), new Target(schema, place)) != null) {
                throw new SchemaException(place.field(keyword).pointer(),
                        "the anchor " + Excerpt.of(anchor) + " is given twice");
            }
        }
        SchemaPositions.forEach(schema, place, (inner, at) -> collect(inner, at, base));
    }

    /** Notes an id and returns the base that it sets. Up to draft 7 an id with a fragment is an anchor and sets none. */
    private String identify(String id, Target target, String outerBase) {
        int hash = id.indexOf('#');
        String address = address(outerBase, hash < 0 ? id : id.substring(0, hash));
        if (address.length() > LONGEST_ADDRESS) {
            throw new SchemaException(target.place.field(draft.idKeyword()).pointer(),
                    "an id may have at most "
                            + LONGEST_ADDRESS + " characters with the ids around it, found "
                            + address.length());
        }
        if (hash >= 0 && hash + 1 < id.length()) {
            if (draft.referenceStandsAlone()) {
                anchors.putIfAbsent(new Anchor(address, id.substring(hash + 1)), target);
            }
            if (hash > 0) {
                resources.putIfAbsent(address, target);
            }
            return outerBase;
        }
        resources.putIfAbsent(address, target);
        return address;
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

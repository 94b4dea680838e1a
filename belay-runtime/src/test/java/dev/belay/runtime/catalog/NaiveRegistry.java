package dev.belay.runtime.catalog;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The laws of a registry once more, as plainly as possible: lists, no sharing, no caches. Tools are told apart by text only.
 * {@code RegistryLawsTest} holds the real one against it.
 */
final class NaiveRegistry {

    /** A tool as a source advertises it. */
    record Advertised(String id, String name, String words, boolean internal, boolean resident) {

        boolean sharesWith(Advertised other) {
            return id.equals(other.id) || name.equals(other.name);
        }

        boolean looksLike(Advertised other) {
            return id.equals(other.id) && name.equals(other.name) && words.equals(other.words);
        }
    }

    /** A source; mutable, like the world. */
    static final class Source {
        final boolean overlay;
        List<Advertised> tools;

        Source(boolean overlay, List<Advertised> tools) {
            this.overlay = overlay;
            this.tools = tools;
        }
    }

    private record Claim(Source source, int place, Advertised tool) {}

    private record Stood(Source source, String id, String name) {}

    /** Somebody would have to stay out. */
    static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    List<Source> sources = new ArrayList<>();
    /** Decisions about live tools and orphans alike; what is not decided is not in it. */
    Map<String, Membership> decided = new LinkedHashMap<>();
    /** Ids of orphans and their last names; an empty name was never seen. */
    Map<String, String> orphans = new LinkedHashMap<>();
    List<Advertised> shown = new ArrayList<>();
    long generation;

    private List<Advertised> live = new ArrayList<>();
    private Set<Stood> stood = new HashSet<>();

    /** Another one with the same content. */
    NaiveRegistry copy() {
        var copy = new NaiveRegistry();
        copy.sources = new ArrayList<>(sources);
        copy.decided = new LinkedHashMap<>(decided);
        copy.orphans = new LinkedHashMap<>(orphans);
        copy.shown = shown;
        copy.generation = generation;
        copy.live = live;
        copy.stood = stood;
        return copy;
    }

    List<Advertised> live() {
        return live;
    }

    Optional<Advertised> find(String id) {
        return live.stream().filter(tool -> tool.id.equals(id)).findFirst();
    }

    boolean isMember(Advertised tool) {
        Membership membership = decided.getOrDefault(tool.id, Membership.DEFAULT);
        boolean present = membership == Membership.PRESENT;
        return !tool.internal && (present || (tool.resident && membership == Membership.DEFAULT));
    }

    /** Settles everything after sources or decisions have changed; tools of {@code strict} may not stay out. */
    void settle(@Nullable Source strict) {
        List<Claim> claims = new ArrayList<>();
        for (int place = 0; place < sources.size(); place++) {
            for (Advertised tool : sources.get(place).tools) {
                claims.add(new Claim(sources.get(place), place, tool));
            }
        }
        boolean[] in = new boolean[claims.size()];
        for (int pass = 0; pass < 2; pass++) {
            for (int i = 0; i < in.length; i++) {
                Claim claim = claims.get(i);
                boolean old = stood.contains(new Stood(claim.source, claim.tool.id, claim.tool.name));
                if (old == (pass == 0)) {
                    in[i] = true;
                    for (int j = 0; j < in.length; j++) {
                        in[i] &= i == j || !in[j] || getAlong(claim, claims.get(j));
                    }
                    if (!in[i] && claim.source == strict) {
                        throw new Refused();
                    }
                }
            }
        }
        List<Advertised> now = new ArrayList<>();
        stood = new HashSet<>();
        for (int i = 0; i < in.length; i++) {
            if (in[i]) {
                Claim claim = claims.get(i);
                stood.add(new Stood(claim.source, claim.tool.id, claim.tool.name));
                put(now, claim.tool);
            }
        }
        followTo(now);
    }

    private static boolean getAlong(Claim one, Claim other) {
        if (!one.tool.sharesWith(other.tool)) {
            return true;
        }
        return one.place != other.place && (one.place > other.place ? one : other).source.overlay;
    }

    /** In place of the first that it replaces, else at the end. */
    private static void put(List<Advertised> list, Advertised tool) {
        int place = list.size();
        for (int i = list.size() - 1; i >= 0; i--) {
            if (list.get(i).sharesWith(tool)) {
                list.remove(i);
                place = i;
            }
        }
        list.add(place, tool);
    }

    private void followTo(List<Advertised> now) {
        List<Advertised> before = live;
        live = now;
        for (Advertised tool : before) {
            if (find(tool.id).isEmpty() && decided.containsKey(tool.id)) {
                orphans.put(tool.id, tool.name);
            }
        }
        orphans.keySet().removeIf(id -> find(id).isPresent());
        show();
    }

    void show() {
        List<Advertised> members = live.stream().filter(this::isMember).toList();
        boolean same = members.size() == shown.size();
        for (int i = 0; same && i < members.size(); i++) {
            same = members.get(i).looksLike(shown.get(i));
        }
        generation += same ? 0 : 1;
        shown = members;
    }

    void decide(String id, Membership membership) {
        if (membership == Membership.DEFAULT) {
            decided.remove(id);
            orphans.remove(id);
        } else {
            decided.put(id, membership);
            if (find(id).isEmpty()) {
                orphans.putIfAbsent(id, "");
            }
        }
    }

    /** What a stored state says of one tool. */
    void recall(ToolState.Entry entry) {
        String id = entry.id().value();
        ToolSummary tool = entry.tool();
        if (entry.membership() != Membership.DEFAULT) {
            decided.put(id, entry.membership());
        }
        if (find(id).isEmpty()) {
            orphans.put(id, tool == null ? "" : tool.name());
        }
    }
}

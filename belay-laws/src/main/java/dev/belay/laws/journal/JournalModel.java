package dev.belay.laws.journal;

import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.store.journal.EffectRow;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A journal in its simplest form: no indexes, no claims, no undo. Every operation answers with text, which is compared with the
 * answer of a real journal. Times are plain numbers. Confined to one thread.
 */
final class JournalModel {

    private static final class Scope {
        final String input;
        ScopeState.Status status = ScopeState.Status.READY;
        long fence;
        int entries;
        int owner = -1;
        boolean isStuck;
        @Nullable
        String cancel;
        @Nullable
        Integer wakeAt;
        @Nullable
        String result;
        int endedAt;
        final Map<String, Wait> waits = new TreeMap<>();
        final Map<String, String> effects = new TreeMap<>();
        final Map<String, String> late = new TreeMap<>();

        Scope(String input) {
            this.input = input;
        }
    }

    private static final class Wait {
        boolean opened;
        boolean event;
        @Nullable
        Integer deadline;
        @Nullable
        String resolution;
    }

    private record Holder(int owner, String scope, String key) {}

    /** A wait to open. */
    record Opening(String name, boolean event, @Nullable Integer deadline) {}

    private final Map<String, Scope> scopes = new TreeMap<>();
    private final Map<String, Holder> holders = new TreeMap<>();
    private final Set<Integer> living = new HashSet<>();

    void born(int owner) {
        living.add(owner);
    }

    void died(int owner) {
        living.remove(owner);
    }

    String submit(int me, String name, String input, boolean take) {
        Scope known = scopes.get(name);
        if (known != null) {
            return known.input.equals(input) ? "known" : "conflict " + known.input;
        }
        var scope = new Scope(input);
        scopes.put(name, scope);
        return "created " + (take ? enter(me, name, scope) : "nobody");
    }

    private static String enter(int me, String name, Scope scope) {
        scope.status = ScopeState.Status.RUNNING;
        scope.owner = me;
        scope.fence++;
        scope.entries++;
        scope.wakeAt = null;
        return words(name, scope.fence, scope.entries, scope.cancel);
    }

    /** A claim as text. */
    static String words(String scope, long fence, int entries, @Nullable String cancel) {
        return scope + " fence " + fence + " entries " + entries + " cancel " + cancel;
    }

    String takeReady(int me, int limit) {
        List<String> taken = new ArrayList<>();
        scopes.forEach((name, scope) -> {
            boolean left = scope.status == ScopeState.Status.RUNNING && !living.contains(scope.owner);
            if (scope.status == ScopeState.Status.READY || left) {
                if (scope.entries >= limit) {
                    stick(scope);
                } else {
                    taken.add(enter(me, name, scope));
                }
            }
        });
        return taken.toString();
    }

    private static void stick(Scope scope) {
        scope.status = ScopeState.Status.STUCK;
        scope.owner = -1;
        scope.isStuck = true;
    }

    private @Nullable Scope held(int me, String name, long fence) {
        Scope scope = scopes.get(name);
        return scope != null && scope.status == ScopeState.Status.RUNNING && scope.owner == me
                && scope.fence == fence ? scope : null;
    }

    String reenter(int me, String name, long fence, int limit) {
        Scope scope = held(me, name, fence);
        if (scope == null) {
            return "empty";
        }
        if (scope.entries >= limit) {
            stick(scope);
            return "empty";
        }
        scope.entries++;
        return words(name, scope.fence, scope.entries, scope.cancel);
    }

    String giveBack(int me, String name, long fence) {
        Scope scope = held(me, name, fence);
        if (scope != null) {
            scope.entries = scope.entries == 0 ? 0 : scope.entries - 1;
            scope.owner = -1;
            scope.status = ScopeState.Status.READY;
        }
        return "void";
    }

    String write(int me, String name, long fence, String key, EffectRow.Status status,
            @Nullable String takes, @Nullable String releases, List<Opening> opens) {
        Scope scope = held(me, name, fence);
        if (scope == null) {
            return "FENCED 0";
        }
        String existing = scope.effects.get(key);
        if (existing != null && !existing.startsWith("STARTED")) {
            return "CONFLICT 0";
        }
        String taken = takes == null ? "null 0" : hold(new Holder(me, name, key), takes);
        if (taken.startsWith("null")) {
            scope.effects.put(key, status + " under " + fence);
            if (releases != null) {
                release(me, releases, name, key);
            }
            opens.forEach(one -> open(scope, one));
            scope.entries = 0;
        }
        return taken;
    }

    private static void open(Scope scope, Opening opening) {
        Wait wait = scope.waits.computeIfAbsent(opening.name(), unused -> new Wait());
        if (!wait.opened) {
            wait.opened = true;
            wait.event = opening.event();
            wait.deadline = opening.deadline();
        }
    }

    String take(int me, String name, long fence, String resource, String key) {
        return held(me, name, fence) == null ? "FENCED 0" : hold(new Holder(me, name, key), resource);
    }

    private String hold(Holder holder, String resource) {
        Holder known = holders.get(resource);
        if (known != null && living.contains(known.owner()) && !known.equals(holder)) {
            return "BUSY 0";
        }
        holders.put(resource, holder);
        return "null taken";
    }

    String release(int me, String resource, String name, String key) {
        holders.remove(resource, new Holder(me, name, key));
        return "void";
    }

    String park(int me, String name, long fence, List<Opening> opens, Set<String> known, boolean cancelSeen,
            @Nullable Integer wakeAt) {
        Scope scope = held(me, name, fence);
        if (scope == null) {
            return "Fenced[]";
        }
        boolean settled = known.stream().anyMatch(one -> {
            Wait wait = scope.waits.get(one);
            return wait != null && wait.resolution != null;
        });
        if (settled || (scope.cancel != null && !cancelSeen)) {
            return "Again[]";
        }
        if (wakeAt != null && opens.isEmpty() && known.isEmpty() && scope.entries > 0) {
            scope.entries--;
        }
        opens.forEach(one -> open(scope, one));
        scope.status = ScopeState.Status.PARKED;
        scope.owner = -1;
        scope.wakeAt = wakeAt;
        return "Parked[]";
    }

    String end(int me, String name, long fence, String result, int now) {
        Scope scope = held(me, name, fence);
        if (scope == null) {
            return "false";
        }
        scope.entries = 0;
        finish(scope, result, now);
        return "true";
    }

    private static void finish(Scope scope, String result, int now) {
        scope.status = ScopeState.Status.ENDED;
        scope.owner = -1;
        scope.isStuck = false;
        scope.result = result;
        scope.endedAt = now;
        settleAll(scope);
    }

    private static void settleAll(Scope scope) {
        scope.waits.values()
                .stream()
                .filter(wait -> wait.resolution == null)
                .forEach(wait -> wait.resolution = "cancelled");
    }

    String stick(int me, String name, long fence) {
        Scope scope = held(me, name, fence);
        if (scope == null) {
            return "false";
        }
        scope.entries = 0;
        stick(scope);
        return "true";
    }

    String resolve(int me, String name, boolean rightIncarnation, String waitName, String value,
            boolean take) {
        Scope scope = scopes.get(name);
        if (scope == null || !rightIncarnation) {
            return "unknown";
        }
        Wait wait = scope.waits.get(waitName);
        if (wait != null && wait.resolution != null) {
            return "lost to " + wait.resolution;
        }
        if (scope.status == ScopeState.Status.ENDED) {
            return "unknown";
        }
        Wait open = scope.waits.computeIfAbsent(waitName, unused -> new Wait());
        open.resolution = value;
        scope.entries = 0;
        boolean wakes = scope.status == ScopeState.Status.PARKED && goesOn(scope, open);
        return "accepted " + (wakes ? wake(me, name, scope, take) : "nobody");
    }

    private static boolean goesOn(Scope scope, Wait settled) {
        return settled.event
                || scope.waits.values().stream().noneMatch(one -> !one.event && one.resolution == null);
    }

    private static String wake(int me, String name, Scope scope, boolean take) {
        if (take) {
            return enter(me, name, scope);
        }
        scope.status = ScopeState.Status.READY;
        scope.wakeAt = null;
        return "nobody";
    }

    String takeDue(int me, int now) {
        List<String> taken = new ArrayList<>();
        scopes.forEach((name, scope) -> {
            List<Wait> due = scope.waits.values()
                    .stream()
                    .filter(one -> one.resolution == null && one.deadline != null && one.deadline <= now)
                    .toList();
            due.forEach(one -> one.resolution = "timeout");
            scope.entries = due.isEmpty() ? scope.entries : 0;
            boolean goesOn = due.stream().anyMatch(one -> goesOn(scope, one))
                    || (scope.wakeAt != null && scope.wakeAt <= now);
            if (scope.status == ScopeState.Status.PARKED && goesOn) {
                taken.add(enter(me, name, scope));
            }
        });
        return taken.toString();
    }

    String cancel(int me, String name, String reason, boolean take) {
        Scope scope = scopes.get(name);
        if (scope == null) {
            return "unknown";
        }
        if (scope.status == ScopeState.Status.ENDED) {
            return "ended with " + scope.result;
        }
        if (scope.cancel != null) {
            return "requested because " + scope.cancel;
        }
        scope.cancel = reason;
        scope.entries = 0;
        settleAll(scope);
        return "requested "
                + (scope.status == ScopeState.Status.PARKED ? wake(me, name, scope, take) : "nobody");
    }

    String late(String name, String key, String result) {
        Scope scope = scopes.get(name);
        if (scope != null) {
            scope.late.putIfAbsent(key, result);
        }
        return "void";
    }

    String retry(String name) {
        Scope scope = scopes.get(name);
        if (scope == null || scope.status != ScopeState.Status.STUCK) {
            return "false";
        }
        scope.status = ScopeState.Status.READY;
        scope.isStuck = false;
        scope.entries = 0;
        return "true";
    }

    String abandon(String name, String result, int now) {
        Scope scope = scopes.get(name);
        if (scope == null || scope.status != ScopeState.Status.STUCK) {
            return "false";
        }
        finish(scope, result, now);
        return "true";
    }

    String collectEffects(int before) {
        int count = 0;
        for (Scope scope : scopes.values()) {
            if (scope.status == ScopeState.Status.ENDED && scope.endedAt < before) {
                count += scope.effects.size();
                scope.effects.clear();
            }
        }
        return Integer.toString(count);
    }

    /** One scope as text. */
    String picture(String name) {
        Scope scope = scopes.get(name);
        if (scope == null) {
            return name + " is not there";
        }
        var waits = new TreeSet<String>();
        scope.waits.forEach((wait, one) -> waits.add(wait + (one.opened
                ? (one.event ? " event" : " completion") + " until " + one.deadline
                : " early") + ": " + one.resolution));
        // a journal need not keep the entries of an ended scope
        int entries = scope.status == ScopeState.Status.ENDED ? 0 : scope.entries;
        return name + " " + scope.input + " " + scope.status + " fence " + scope.fence + " entries "
                + entries + " cancel " + scope.cancel + " wake " + scope.wakeAt + " stuck "
                + scope.isStuck + " result " + scope.result + " waits " + waits + " effects " + scope.effects
                + " late " + scope.late;
    }

    /** The earliest deadline or wake time. */
    String nextDue() {
        var moments = new TreeSet<Integer>();
        for (Scope scope : scopes.values()) {
            if (scope.status == ScopeState.Status.PARKED && scope.wakeAt != null) {
                moments.add(scope.wakeAt);
            }
            scope.waits.values()
                    .stream()
                    .filter(one -> one.resolution == null && one.deadline != null)
                    .forEach(one -> moments.add(one.deadline));
        }
        return moments.isEmpty() ? "never" : moments.first().toString();
    }
}

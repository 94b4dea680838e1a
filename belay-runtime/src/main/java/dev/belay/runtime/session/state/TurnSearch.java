package dev.belay.runtime.session.state;

import dev.belay.model.Message;
import dev.belay.model.Part.CallPart;
import dev.belay.model.TokenFamily;
import dev.belay.runtime.catalog.ListedTool;
import dev.belay.runtime.catalog.ListedTool.Standing;
import dev.belay.runtime.catalog.Membership;
import dev.belay.runtime.catalog.MembershipChange;
import dev.belay.runtime.catalog.ToolCatalog;
import dev.belay.runtime.catalog.ToolSource;
import dev.belay.runtime.catalog.registry.Surface;
import dev.belay.runtime.catalog.search.ToolIndex;
import dev.belay.runtime.catalog.search.ToolIndexes;
import dev.belay.runtime.plugin.ToolSearchConfig;
import dev.belay.runtime.plugin.engine.SentPrompt;
import dev.belay.runtime.plugin.engine.SessionPlugins;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolId;
import dev.belay.tool.ToolManifest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which tools a turn leaves out because together they would take too much of the context, and the search that finds them.
 *
 * <p><b>Concurrency.</b> Confined to the turn's thread, but for {@link #find}, which bodies call. <b>Durability.</b> The record of a round
 * says what was offered; what a search has found is in the record of its call. <b>Recovery.</b> Neither is decided again.
 */
public final class TurnSearch {

    /** The context of a model that says nothing of it. */
    private static final long UNKNOWN_CONTEXT = 32_000;
    private static final int PREVIEW = 600;

    private final SessionPlugins plugins;
    private final TurnTools tools;
    private final ToolIndexes indexes;
    /** Whether sources are left out; null before the first question. */
    private volatile @Nullable Boolean defers;
    private boolean offered;
    /** The names of the tools that the model was offered last. */
    private volatile Collection<String> sent = List.of();

    /** A hit of a search, and the decision to offer it; null if it is offered anyway. */
    public record Hit(ToolManifest tool, @Nullable MembershipChange offer) {}

    /** Of a turn that is entered. */
    public TurnSearch(SessionPlugins plugins, TurnTools tools, ToolIndexes indexes) {
        this.plugins = plugins;
        this.tools = tools;
        this.indexes = indexes;
    }

    /**
     * Decides what the coming question leaves out, and offers the search if there is something to find. Whether sources are left out is
     * decided once in a turn.
     *
     * @param context the size of the model's context, if it is known
     * @param family how the model counts tokens
     * @param said the conversation, as far as it is read; a tool that was called in it is not left out
     * @param earlier names of tools that were called before that
     * @return the names that are left out
     */
    public Set<String> leaveOut(OptionalLong context, TokenFamily family, List<Message> said,
            Supplier<Set<String>> earlier) {
        ToolSearchConfig config = plugins.search();
        if (config == null) {
            return Set.of();
        }
        ToolCatalog members = tools.registry().catalog();
        List<ToolDefinition> all = members.provider().definitions();
        long budget = config.budget(context.orElse(UNKNOWN_CONTEXT));
        ToolIndex index = indexes.of(all);
        if (defers == null) {
            defers = index.allTokens(family) > budget && memberTokens(index, members, family) > budget;
        }
        if (!Boolean.TRUE.equals(defers) && members.names().size() == all.size()) {
            return Set.of();
        }
        Map<ToolSource, List<ListedTool.Live>> bySource = findable();
        Set<ToolSource> kept = Boolean.TRUE.equals(defers)
                ? smallest(bySource, index, family, budget)
                : bySource.keySet();
        Set<String> left = new HashSet<>();
        Set<String> used = kept.size() == bySource.size() ? Set.of() : used(said, earlier.get());
        bySource.forEach((source, of) -> of.stream()
                .filter(tool -> tool.isMember() && !kept.contains(source)
                        && tool.membership() != Membership.PRESENT && !used.contains(tool.name()))
                .forEach(tool -> left.add(tool.name())));
        if (!left.isEmpty() || bySource.values()
                .stream()
                .flatMap(List::stream)
                .anyMatch(tool -> tool.standing() == Standing.NOT_RESIDENT)) {
            offer(config, preview(bySource, kept));
        }
        return left;
    }

    private static long memberTokens(ToolIndex index, ToolCatalog members, TokenFamily family) {
        long[] tokens = index.tokens(family);
        long sum = 0;
        for (int i = 0; i < tokens.length; i++) {
            sum += members.offers(index.tools().get(i).manifest()) ? tokens[i] : 0;
        }
        return sum;
    }

    /** The tools that are members or could be found, by source. */
    private Map<ToolSource, List<ListedTool.Live>> findable() {
        Map<ToolSource, List<ListedTool.Live>> bySource = new LinkedHashMap<>();
        for (ListedTool tool : tools.registry().list()) {
            if (tool instanceof ListedTool.Live live
                    && (live.isMember() || live.standing() == Standing.NOT_RESIDENT)) {
                bySource.computeIfAbsent(live.source(), none -> new ArrayList<>()).add(live);
            }
        }
        return bySource;
    }

    /** As many sources as fit, the smallest first: a source is left out as a whole, so that a person can tell what is offered. */
    private static Set<ToolSource> smallest(Map<ToolSource, List<ListedTool.Live>> bySource,
            ToolIndex index, TokenFamily family, long budget) {
        Map<ToolId, Long> cost = new HashMap<>();
        long[] tokens = index.tokens(family);
        for (int i = 0; i < tokens.length; i++) {
            cost.put(index.tools().get(i).id(), tokens[i]);
        }
        Map<ToolSource, Long> sums = new LinkedHashMap<>();
        bySource.forEach((source, of) -> sums.put(source, of.stream()
                .filter(ListedTool::isMember)
                .mapToLong(tool -> cost.getOrDefault(tool.id(), 0L))
                .sum()));
        Set<ToolSource> kept = new HashSet<>();
        long sum = 0;
        for (Map.Entry<ToolSource, Long> one : sums.entrySet()
                .stream()
                .sorted(Map.Entry.comparingByValue(Comparator.naturalOrder()))
                .toList()) {
            sum += one.getValue();
            if (sum > budget) {
                break;
            }
            kept.add(one.getKey());
        }
        return kept;
    }

    private static Set<String> used(List<Message> said, Set<String> earlier) {
        return Stream.concat(earlier.stream(), said.stream()
                .filter(Message.AssistantMessage.class::isInstance)
                .flatMap(message -> ((Message.AssistantMessage) message).calls().stream())
                .map(CallPart::name)).collect(Collectors.toSet());
    }

    /** Says what can be found: the sources with their first names, so that it changes only when sources do. */
    private static String preview(Map<ToolSource, List<ListedTool.Live>> bySource, Set<ToolSource> kept) {
        var text = new StringBuilder("It searches:");
        bySource.forEach((source, of) -> {
            List<ListedTool.Live> hidden = of.stream()
                    .filter(tool -> !kept.contains(source) || !tool.manifest().resident())
                    .toList();
            if (!hidden.isEmpty() && text.length() < PREVIEW) {
                text.append(' ')
                        .append(hidden.size())
                        .append(" tools of ")
                        .append(source.name())
                        .append(" (");
                int shown = 0;
                for (; shown < hidden.size() && text.length() < PREVIEW; shown++) {
                    text.append(shown == 0 ? "" : ", ").append(hidden.get(shown).name());
                }
                text.append(shown < hidden.size() ? ", …);" : ");");
            }
        });
        return text.toString();
    }

    private void offer(ToolSearchConfig config, String preview) {
        if (!offered) {
            offered = true;
            tools.append(SearchTool.of(config, preview, name -> sent.contains(name)));
        }
    }

    /** What the record of a question says; null if all members were offered and there was no search. */
    public SentPrompt.@Nullable Searched recorded(ToolCatalog catalog) {
        sent = catalog.names();
        return !offered
                ? null
                : new SentPrompt.Searched(
                        Boolean.TRUE.equals(defers) ? new LinkedHashSet<>(catalog.names()) : Set.of());
    }

    /** Takes over what was offered with a question; the names that were left out. */
    public Set<String> sent(@Nullable SentPrompt prompt) {
        SentPrompt.Searched recorded = prompt == null ? null : prompt.searched();
        if (defers == null) {
            defers = recorded != null && !recorded.only().isEmpty();
        }
        Set<String> hidden = prompt == null ? Set.of() : prompt.hidden();
        ToolSearchConfig config = plugins.search();
        if (recorded == null || config == null) {
            return hidden;
        }
        Map<ToolSource, List<ListedTool.Live>> bySource = findable();
        Set<ToolSource> kept = new HashSet<>(bySource.keySet());
        if (!recorded.only().isEmpty()) { // a source was offered as a whole, or not
            kept.removeIf(source -> bySource.getOrDefault(source, List.of())
                    .stream()
                    .anyMatch(tool -> tool.isMember() && !recorded.only().contains(tool.name())
                            && !hidden.contains(tool.name())));
        }
        offer(config, preview(bySource, kept));
        Set<String> left = new HashSet<>(tools.catalog().names());
        if (recorded.only().isEmpty()) {
            left.retainAll(hidden);
        } else {
            left.removeAll(recorded.only()); // which does not have what plugins have hidden
        }
        Set<String> shown = new HashSet<>(tools.catalog().names());
        shown.removeAll(left);
        sent = shown;
        return recorded.only().isEmpty() ? hidden : left;
    }

    /** The tools that fit a question best. Any thread may ask. */
    public List<Hit> find(String question, int limit) {
        Map<ToolId, ListedTool.Live> findable = new HashMap<>();
        findable().values().forEach(of -> of.forEach(tool -> findable.put(tool.id(), tool)));
        ToolIndex index = indexes.of(tools.registry().catalog().provider().definitions());
        var ranker = plugins.ranker();
        List<ToolDefinition> best;
        if (ranker == null) {
            best = index.search(question, limit, plugins.hints(),
                    i -> findable.containsKey(index.tools().get(i).id()));
        } else {
            Map<ToolManifest, ToolDefinition> known = new LinkedHashMap<>();
            index.tools()
                    .stream()
                    .filter(tool -> findable.containsKey(tool.id()))
                    .forEach(tool -> known.put(tool.manifest(), tool));
            best = ranker.apply(question, List.copyOf(known.keySet()))
                    .stream()
                    .filter(known::containsKey)
                    .limit(limit)
                    .map(known::get)
                    .toList();
        }
        return best.stream().map(tool -> hit(tool, findable.get(tool.id()))).toList();
    }

    private Hit hit(ToolDefinition tool, ListedTool.@Nullable Live listed) {
        boolean stays = listed != null && listed.isMember()
                && (listed.membership() == Membership.PRESENT || !Boolean.TRUE.equals(defers));
        return new Hit(tool.manifest(), stays
                ? null
                : new MembershipChange(tool.id(), Membership.PRESENT, Surface.fingerprint(tool)));
    }
}

package dev.belay.schema.rules;

import dev.belay.json.Json;
import dev.belay.json.Json.Kind;
import dev.belay.schema.Violation;
import dev.belay.schema.Violations;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * {@code anyOf} and {@code oneOf}. Where the branches carry tags, the tag of the value chooses the only branch that can accept
 * it, and that branch's violations are the ones reported; otherwise those of the branch that came closest.
 */
final class ChoiceRule implements Rule {

    private final String keyword;
    private final boolean exactlyOne;
    private final SchemaNode[] branches;
    private @Nullable BranchTags tags;

    ChoiceRule(String keyword, List<SchemaNode> branches) {
        this.keyword = keyword;
        this.exactlyOne = keyword.equals("oneOf");
        this.branches = branches.toArray(new SchemaNode[0]);
    }

    /** Looks for tags in the branches, once all references lead somewhere. */
    void findTags() {
        tags = BranchTags.of(branches);
    }

    @Override
    public boolean check(Json value, Walk walk, @Nullable Seen seen) {
        BranchTags known = tags;
        Json tag = known == null ? null : value.get(known.field()).orElse(null);
        if (known != null && tag != null) {
            SchemaNode chosen = known.branch(tag);
            return chosen == null ? wrongTag(known, tag, walk) : chosen.check(value, walk, seen);
        }
        return walk.reports() ? report(value, walk, seen) : test(value, walk, seen);
    }

    private boolean test(Json value, Walk walk, @Nullable Seen seen) {
        int accepting = 0;
        for (SchemaNode branch : branches) {
            if (tryBranch(branch, value, walk, seen)) {
                accepting++;
                if (exactlyOne && accepting > 1) {
                    return false;
                }
                if (!exactlyOne && seen == null) {
                    return true;
                }
            }
        }
        return accepting > 0;
    }

    private boolean report(Json value, Walk walk, @Nullable Seen seen) {
        List<Integer> accepting = new ArrayList<>();
        List<Finding.Pile> refusals = new ArrayList<>();
        for (int i = 0; i < branches.length; i++) {
            Finding.Pile own = new Finding.Pile(false);
            Finding.Pile outer = walk.redirect(own);
            if (tryBranch(branches[i], value, walk, seen)) {
                accepting.add(i + 1);
            } else {
                refusals.add(own);
            }
            walk.redirect(outer);
        }
        if (accepting.isEmpty()) {
            return noBranch(value, refusals, walk);
        }
        return !exactlyOne || accepting.size() == 1
                || walk.fail(keyword, pointer -> new Violation(pointer, keyword,
                        "a value that matches exactly one of " + branches.length + " forms",
                        Excerpt.of(value),
                        "it matches the forms " + Excerpt.cut(accepting.toString())));
    }

    private static boolean tryBranch(SchemaNode branch, Json value, Walk walk, @Nullable Seen seen) {
        Seen own = seen == null ? null : new Seen();
        boolean accepted = branch.check(value, walk, own);
        if (accepted && seen != null && own != null) {
            seen.addAll(own, walk);
        }
        return accepted;
    }

    private boolean wrongTag(BranchTags known, Json tag, Walk walk) {
        Place before = walk.enter(known.field());
        walk.fail(keyword, pointer -> new Violation(pointer, keyword, "one of the tags " + known.list(),
                Excerpt.of(tag), known.hint(tag)));
        walk.leave(before);
        return false;
    }

    private boolean noBranch(Json value, List<Finding.Pile> refusals, Walk walk) {
        BranchTags known = tags;
        if (known != null && value.kind() == Kind.OBJECT) {
            return walk.fail("required", pointer -> new Violation(pointer, "required",
                    "field " + Excerpt.quoted(known.field()), Excerpt.of(value),
                    "it is one of the tags " + known.list()));
        }
        List<Finding.Pile> close = refusals.stream()
                .filter(pile -> !refusesWhole(pile, walk.place()))
                .toList();
        if (close.isEmpty()) {
            return walk.fail(keyword, value, () -> alternatives(refusals));
        }
        Finding.Pile closest = close.getFirst();
        for (Finding.Pile pile : close) {
            closest = pile.total() < closest.total() ? pile : closest;
        }
        walk.report(closest);
        return false;
    }

    /** Whether the branch is about another value altogether: another type, another constant. */
    private static boolean refusesWhole(Finding.Pile pile, Place here) {
        return pile.first()
                .stream()
                .anyMatch(finding -> finding.place() == here
                        && Set.of("type", "const", "enum", "false").contains(finding.keyword()));
    }

    private static String alternatives(List<Finding.Pile> refusals) {
        Set<String> expected = new LinkedHashSet<>();
        for (Finding.Pile pile : refusals) {
            Violation first = pile.first().getFirst().toViolation();
            if (!first.keyword().equals("false")) {
                expected.add(first.expected());
            }
            if (expected.size() == Violations.SHOWN) {
                break;
            }
        }
        return expected.isEmpty()
                ? "nothing at all here"
                : expected.stream().collect(Collectors.joining(" or "));
    }
}

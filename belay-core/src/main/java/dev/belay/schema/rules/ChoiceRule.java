package dev.belay.schema.rules;

import dev.belay.json.Json;
import dev.belay.json.Json.Kind;
import dev.belay.schema.Violation;
import dev.belay.schema.Violations;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code anyOf} and {@code oneOf}. Where the branches carry tags, the tag of the value chooses the only branch that can accept
 * it, and that branch's violations are the ones reported; otherwise those of the branch that came closest.
 */
final class ChoiceRule implements Rule {

    /** Refused forms that are put into words. */
    private static final int MOST_ASKED = 50;

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
        Json tag = known == null ? null : walk.field(value, known.field());
        if (known != null && tag != null) {
            SchemaNode chosen = known.branch(tag, walk);
            return chosen == null ? wrongTag(known, tag, walk) : chosen.check(value, walk, seen);
        }
        return walk.reports() ? report(value, walk, seen) : test(value, walk, seen);
    }

    private boolean test(Json value, Walk walk, @Nullable Seen seen) {
        int accepting = 0;
        for (SchemaNode branch : branches) {
            Seen own = Seen.apart(seen);
            if (branch.check(value, walk, own)) {
                Seen.merge(own, seen, walk);
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
            Seen evaluated = Seen.apart(seen);
            if (branches[i].check(value, walk, evaluated)) {
                Seen.merge(evaluated, seen, walk);
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

    private boolean wrongTag(BranchTags known, Json tag, Walk walk) {
        Place before = walk.enter(known.field());
        walk.fail(keyword, pointer -> new Violation(pointer, keyword, "one of the tags " + known.list(),
                Excerpt.of(tag), known.hint(tag, walk)));
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
        for (Finding.Pile pile : refusals.subList(0, Math.min(refusals.size(), MOST_ASKED))) {
            Violation first = pile.first().getFirst().toViolation();
            if (!first.keyword().equals("false")) {
                expected.add(first.expected());
            }
            if (expected.size() == Violations.SHOWN) {
                break;
            }
        }
        return expected.isEmpty()
                ? ValueRules.NOTHING
                : Excerpt.cutLong(String.join(" or ", expected));
    }
}

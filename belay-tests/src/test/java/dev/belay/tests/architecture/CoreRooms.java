package dev.belay.tests.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The packages of core, in order: each may use those to its left and the root package, which uses none.
 *
 * @param root the package above them; fixtures have their own
 */
record CoreRooms(String root) {

    private static final List<String> ORDER = List.of("json", "schema", "generated", "model", "tool",
            "toolset");
    private static final int ROOT = -1;
    private static final int NO_ROOM = ORDER.size();

    ArchRule useOnlyWhatIsToTheirLeft() {
        return classes().should(new ArchCondition<>("use only packages to their left in " + ORDER) {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                int own = room(type);
                for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                    JavaClass target = dependency.getTargetClass().getBaseComponentType();
                    if (belongs(target) && room(target) > own) {
                        events.add(SimpleConditionEvent.violated(dependency, dependency.getDescription()));
                    }
                }
            }
        });
    }

    ArchRule areAllKnown() {
        return classes()
                .should(new ArchCondition<>("live in one of " + ORDER + ", or be BelayException or Wait") {
                    @Override
                    public void check(JavaClass type, ConditionEvents events) {
                        int room = room(type);
                        boolean exception = type.getName().equals(root + ".BelayException")
                                || type.getName().matches(Pattern.quote(root) + "\\.Wait(\\$.*)?");
                        boolean description = type.getSimpleName().equals("package-info");
                        if (room == NO_ROOM || (room == ROOT && !exception && !description)) {
                            events.add(SimpleConditionEvent.violated(type,
                                    type.getName() + " is in no known package of core"));
                        }
                    }
                });
    }

    private boolean belongs(JavaClass type) {
        return (type.getPackageName() + ".").startsWith(root + ".");
    }

    private int room(JavaClass type) {
        String name = type.getPackageName();
        if (name.equals(root)) {
            return ROOT;
        }
        String first = name.substring(root.length() + 1).split("\\.", 2)[0];
        int index = ORDER.indexOf(first);
        return index < 0 ? NO_ROOM : index;
    }
}

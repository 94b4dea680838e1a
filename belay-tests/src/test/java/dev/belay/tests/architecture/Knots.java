package dev.belay.tests.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Finds what can only be understood together: names of a graph that reach each other in both directions (Tarjan's strongly connected
 * components).
 */
final class Knots {

    private final Map<String, Set<String>> graph;
    private final Map<String, Integer> order = new HashMap<>();
    private final Map<String, Integer> lowest = new HashMap<>();
    private final Deque<String> path = new ArrayDeque<>();
    private final List<Set<String>> found = new ArrayList<>();

    private Knots(Map<String, Set<String>> graph) {
        this.graph = graph;
    }

    /** Knots of classes, nested ones counted as their outermost, that hold more than so many. */
    static List<Set<String>> ofClasses(JavaClasses classes, int most) {
        return of(graph(classes, type -> outermost(type).getName(), (from, to) -> true), most);
    }

    /** Circles of packages. An edge between a package and one below it does not count: a door knows its room. */
    static List<Set<String>> ofPackages(JavaClasses classes) {
        return of(graph(classes, JavaClass::getPackageName, (from, to) -> !(from + ".").startsWith(to + ".")
                && !(to + ".").startsWith(from + ".")), 1);
    }

    private static List<Set<String>> of(Map<String, Set<String>> graph, int most) {
        var knots = new Knots(graph);
        graph.keySet().forEach(name -> {
            if (!knots.order.containsKey(name)) {
                knots.visit(name);
            }
        });
        return knots.found.stream().filter(knot -> knot.size() > most).toList();
    }

    private interface Counts {
        boolean test(String from, String to);
    }

    private static Map<String, Set<String>> graph(JavaClasses classes, Function<JavaClass, String> name,
            Counts counts) {
        DescribedPredicate<JavaClass> own = DescribedPredicate.describe("ours",
                type -> (type.getPackageName() + ".").startsWith("dev.belay."));
        Map<String, Set<String>> graph = new TreeMap<>();
        for (JavaClass type : classes) {
            String from = name.apply(type);
            Set<String> uses = graph.computeIfAbsent(from, key -> new TreeSet<>());
            type.getDirectDependenciesFromSelf().forEach(dependency -> {
                JavaClass target = dependency.getTargetClass().getBaseComponentType();
                String to = name.apply(target);
                if (own.test(target) && !to.equals(from) && counts.test(from, to)) {
                    uses.add(to);
                    graph.computeIfAbsent(to, key -> new TreeSet<>());
                }
            });
        }
        return new HashMap<>(graph);
    }

    private static JavaClass outermost(JavaClass type) {
        JavaClass outer = type;
        while (outer.getEnclosingClass().isPresent()) {
            outer = outer.getEnclosingClass().get();
        }
        return outer;
    }

    private void visit(String name) {
        int number = order.size();
        order.put(name, number);
        lowest.put(name, number);
        path.push(name);
        for (String next : graph.getOrDefault(name, Set.of())) {
            if (!order.containsKey(next)) {
                visit(next);
                lowest.merge(name, lowest.get(next), Math::min);
            } else if (path.contains(next)) {
                lowest.merge(name, order.get(next), Math::min);
            }
        }
        if (lowest.get(name) == number) {
            Set<String> knot = new TreeSet<>();
            String member;
            do {
                member = path.pop();
                knot.add(member);
            } while (!member.equals(name));
            found.add(knot);
        }
    }
}

package dev.belay.benchmarks.durable;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * The figures of several rounds.
 *
 * @param median the one in the middle
 * @param least the smallest
 * @param most the largest
 */
record Spread(double median, double least, double most) {

    static <T> Spread of(List<T> rounds, ToDoubleFunction<? super T> figure) {
        double[] sorted = rounds.stream().mapToDouble(figure).sorted().toArray();
        return new Spread(sorted[sorted.length / 2], sorted[0], sorted[sorted.length - 1]);
    }

    /** As {@code median (least..most)}, with so many digits after the point. */
    String text(int digits) {
        String format = "%,." + digits + "f";
        return String.format(Locale.ROOT, format + " (" + format + ".." + format + ")", median, least, most);
    }
}

package shop;

import dev.belay.schema.Range;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Javadoc of another file does not count. */
public record Order(@Range(min = 1) long id, List<Line> lines, @Nullable String note, Optional<Order> parent,
        Colour colour) {

    /** Read from a class file when only another file is compiled. */
    public enum Colour {
        RED, GREEN, BLUE
    }
}

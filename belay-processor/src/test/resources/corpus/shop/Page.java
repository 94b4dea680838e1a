package shop;

import java.util.List;
import org.jspecify.annotations.Nullable;

public record Page<T>(List<T> items, @Nullable T first) {}

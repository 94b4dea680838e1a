package shop;

import dev.belay.schema.Length;
import java.util.List;

record Line(String article, int count, List<@Length(max = 4) String> tags) {}

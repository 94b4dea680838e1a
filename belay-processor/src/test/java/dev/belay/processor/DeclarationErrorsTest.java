package dev.belay.processor;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Not everything can be a tool or a set of tools. The line that must be blamed is marked with an arrow. */
class DeclarationErrorsTest {

    private Refusal refusal = new Refusal(Path.of(""));

    @BeforeEach
    void compileInto(@TempDir Path directory) {
        refusal = new Refusal(directory);
    }

    @Test
    void setThatIsNotSealed() {
        refusal.expect("tools_not_sealed", """
                @Tools interface Shop { // <--
                  /** Finds. */ record Find(int id) implements Shop, ToolInput<String> {}
                }
                """, "Shop is marked @Tools but is not a sealed interface; write \"sealed interface Shop\"");
    }

    @Test
    void recordWithoutOutput() {
        refusal.expect("tool_without_output", """
                @Tools sealed interface Shop {
                  /** Finds. */
                  record Find(int id) implements Shop {} // <--
                }
                """, "Find does not say what it returns; add \"implements ToolInput<…>\"", "@Nested");
    }

    @Test
    void rawOutput() {
        refusal.expect("raw_tool_output", """
                @Tools sealed interface Shop {
                  /** Finds. */
                  record Find(int id) implements Shop, ToolInput {} // <--
                }
                """, "Find implements ToolInput without type argument");
    }

    @Test
    void classMarkedAsTool() {
        refusal.expect("not_a_tool_type", """
                /** Finds. */
                @Tool class Find implements ToolInput<String> {} // <--
                """, "@Tool stands on a method, or on a record, enum or sealed interface");
    }

    @Test
    void classInASet() {
        refusal.expect("not_a_tool_type", """
                @Tools sealed interface Shop {
                  /** Finds. */
                  final class Find implements Shop, ToolInput<String> {} // <--
                }
                """, "Find is part of the set Shop but is no tool");
    }

    @Test
    void setThatIsAlsoOneTool() {
        refusal.expect("not_a_tool_type", """
                @Tools @Tool sealed interface Shop extends ToolInput<String> { // <--
                  /** Finds. */ record Find(int id) implements Shop {}
                }
                """, "@Tools and @Tool");
    }

    @Test
    void methodInAToolType() {
        refusal.expect("not_a_tool_type", """
                /** Finds. */
                @Tool record Find(int id) implements ToolInput<String> {
                  /** Runs. */
                  @Tool int run() { return id; } // <--
                }
                """, "move the method to a class of its own");
    }

    @Test
    void privateTool() {
        refusal.expect("private_tool_type", """
                class Outer {
                  /** Finds. */
                  @Tool private record Find(int id) implements ToolInput<String> {} // <--
                }
                """, "Find is private or stands in a private class");
    }

    @Test
    void setInAPrivateClass() {
        refusal.expect("private_tool_type", """
                class Outer {
                  private static class Inner {
                    @Tools sealed interface Shop { // <--
                      @Nested record InCrm(Crm tools) implements Shop {}
                    }
                  }
                }
                @Tools sealed interface Crm {
                  /** Finds. */ record Find(int id) implements Crm, ToolInput<String> {}
                }
                """, 2, "Shop is private or stands in a private class");
    }

    @Test
    void parameterOfAPrivateType() {
        refusal.expect("private_tool_type", """
                class Shop {
                  private record Line(int id) {}
                  /** Finds. */
                  @Tool int find(
                      Line line) { return line.id(); } // <--
                }
                """, "the type of parameter line of find cannot be named");
    }

    @Test
    void privateMethod() {
        refusal.expect("private_tool_method", """
                class Shop {
                  /** Finds. */
                  @Tool private int find(int id) { return id; } // <--
                }
                """, "find is private");
    }

    @Test
    void genericTool() {
        refusal.expect("generic_tool_type", """
                /** Finds. */
                @Tool record Find<T>(T id) implements ToolInput<String> {} // <--
                """, "Find has type parameters");
    }

    @Test
    void genericMethod() {
        refusal.expect("generic_tool_type", """
                class Shop {
                  /** Finds. */
                  @Tool <T> int find(@FromHost T what) { return 1; } // <--
                }
                """, "find has type parameters");
    }

    @Test
    void genericClassOfMethods() {
        refusal.expect("generic_tool_type", """
                class Shop<T> { // <--
                  /** Finds. */ @Tool int find(int id) { return id; }
                }
                """, "Shop has @Tool methods and type parameters");
    }

    @Test
    void genericSet() {
        refusal.expect("generic_tool_type", """
                @Tools sealed interface Shop<T> { // <--
                  /** Finds. */ record Find(int id) implements Shop<String>, ToolInput<String> {}
                }
                """, "Shop has type parameters");
    }

    @Test
    void nestedWithTwoComponents() {
        refusal.expect("bad_nested", """
                @Tools sealed interface Shop {
                  @Nested record InCrm(Crm tools, int more) implements Shop {} // <--
                }
                @Tools sealed interface Crm {
                  /** Finds. */ record Find(int id) implements Crm, ToolInput<String> {}
                }
                """, "InCrm is marked @Nested but does not hold exactly one set");
    }

    @Test
    void nestedThatHoldsNoSet() {
        refusal.expect("bad_nested", """
                @Tools sealed interface Shop {
                  @Nested record InCrm(String tools) implements Shop {} // <--
                }
                """, "InCrm is marked @Nested but does not hold exactly one set");
    }

    @Test
    void nestedThatIsNoRecord() {
        refusal.expect("bad_nested", """
                @Nested class InCrm {} // <--
                """, "InCrm is marked @Nested but is no record");
    }

    @Test
    void setsThatNestEachOther() {
        refusal.expect("nested_cycle", """
                @Tools sealed interface Shop {
                  @Nested(prefix = "a_") record InCrm(Crm tools) implements Shop {} // <--
                }
                @Tools sealed interface Crm {
                  @Nested(prefix = "b_") record InShop(Shop tools) implements Crm {}
                }
                """, 2, "set p.Shop contains itself: p.Shop -> p.Crm -> p.Shop");
    }

    @Test
    void innerClass() {
        refusal.expect("inner_class_tool", """
                class Outer {
                  class Shop { // <--
                    /** Finds. */ @Tool int find(int id) { return id; }
                  }
                }
                """, "Shop has @Tool methods but belongs to an object of Outer; make it static");
    }

    @Test
    void twoCompanionsOfOneName() {
        refusal.expect("companion_clash", """
                class Outer {
                  /** Finds. */ @Tool record Find(int id) implements ToolInput<String> {}
                }
                /** Finds. */
                @Tool record Outer_Find(int id) implements ToolInput<String> {} // <--
                """, "the companion of p.Outer_Find would be called p.Outer_Find__Belay");
    }
}

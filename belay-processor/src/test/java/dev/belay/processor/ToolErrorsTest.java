package dev.belay.processor;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a tool says about itself can be wrong in many ways. The line that must be blamed is marked with an arrow. */
class ToolErrorsTest {

    private Refusal refusal = new Refusal(Path.of(""));

    @BeforeEach
    void compileInto(@TempDir Path directory) {
        refusal = new Refusal(directory);
    }

    @Test
    void duplicateNamesInASet() {
        refusal.expect("duplicate_tool_name", """
                @Tools sealed interface Shop {
                  /** Finds. */ record FindOrder(int id) implements Shop, ToolInput<String> {}
                  /** Finds too. */
                  @Tool(name = "find_order")
                  record Other(int id) implements Shop, ToolInput<String> {} // <--
                }
                """, "\"find_order\" is the name of both p.Shop.FindOrder and p.Shop.Other");
    }

    @Test
    void duplicateNamesThroughANestedSet() {
        refusal.expect("duplicate_tool_name", """
                @Tools sealed interface Shop {
                  /** Finds. */ record CrmFind(int id) implements Shop, ToolInput<String> {}
                  @Nested(prefix = "crm_")
                  record InCrm(Crm tools) implements Shop {} // <--
                }
                @Tools sealed interface Crm {
                  /** Finds. */ record Find(int id) implements Crm, ToolInput<String> {}
                }
                """, "\"crm_find\" is the name of both p.Shop.CrmFind and p.Crm.Find", "@Nested(prefix");
    }

    @Test
    void overloadedToolMethods() {
        refusal.expect("duplicate_tool_name", """
                class Shop {
                  /** One. */ @Tool int find(int id) { return id; }
                  /** Other. */ @Tool int find(String name) { return 1; } // <--
                }
                """, "\"find\" is the name of both find(int) and find(java.lang.String)");
    }

    @Test
    void illegalName() {
        refusal.expect("illegal_tool_name", """
                @Tools sealed interface Shop {
                  /** Finds. */
                  @Tool(name = "find orders") // <--
                  record Find(int id) implements Shop, ToolInput<String> {}
                }
                """,
                "\"find orders\" is not a tool name; use 1 to 64 of the characters a-z, A-Z, 0-9, _ and -");
    }

    @Test
    void prefixThatMakesANameTooLong() {
        refusal.expect("illegal_tool_name", """
                @Tools sealed interface Shop {
                  @Nested(prefix = "a_prefix_that_is_far_too_long_for_the_names_that_models_can_say_") // <--
                  record InCrm(Crm tools) implements Shop {}
                }
                @Tools sealed interface Crm {
                  /** Finds. */ record Find(int id) implements Crm, ToolInput<String> {}
                }
                """, "made of prefix", "\"find\"");
    }

    @Test
    void unsupportedComponent() {
        refusal.expect("unsupported_type", """
                @Tools sealed interface Shop {
                  /** Finds. */
                  record Find(int id,
                      char size) // <--
                      implements Shop, ToolInput<String> {}
                }
                """, "Find.size: type char has no schema; use String with @Length(min = 1, max = 1)");
    }

    @Test
    void unsupportedComponentDeepInside() {
        refusal.expect("unsupported_type", """
                /** Finds. */ @Tool record Find(List<Line> lines) implements ToolInput<String> {}
                record Line(Line next,
                    java.util.Date day) {} // <--
                """, "Find.lines", "Line.day", "type java.util.Date has no schema; use java.time.Instant");
    }

    @Test
    void unsupportedParameter() {
        refusal.expect("unsupported_type", """
                class Shop {
                  /** Finds. */
                  @Tool int find(int id,
                      Object what) { return id; } // <--
                }
                """, "find.what", "java.lang.Object", "use dev.belay.json.Json for any JSON, or a record");
    }

    @Test
    void unsupportedOutput() {
        refusal.expect("unsupported_type", """
                /** Finds. */ @Tool record Find(int id) implements ToolInput<Thread> {} // <--
                """, "java.lang.Thread");
    }

    @Test
    void unsupportedReturnType() {
        refusal.expect("unsupported_type", """
                class Shop {
                  /** Finds. */
                  @Tool byte[] find(int id) { return new byte[id]; } // <--
                }
                """, "find returns: type byte[] has no schema; use a String with base64 text");
    }

    @Test
    void wildcardIsNoType() {
        refusal.expect("unsupported_type", """
                /** Finds. */ @Tool record Find(
                    List<? extends String> names) // <--
                    implements ToolInput<String> {}
                """, "? extends java.lang.String", "use a concrete type");
    }

    @Test
    void constraintOnTheWrongType() {
        refusal.expect("unsupported_type", """
                /** Finds. */ @Tool record Find(
                    @Range(min = 1) String name) // <--
                    implements ToolInput<String> {}
                """, "@Range on String; use it on numbers");
    }

    @Test
    void exclusiveFieldThatIsNotThere() {
        refusal.expect("bad_exclusive_template",
                """
                        /** Pays. */
                        @Tool(exclusive = "account:{acount}") // <--
                        record Pay(String account, Optional<String> note, List<String> tags) implements ToolInput<Void> {}
                        """,
                "\"acount\" is not a required text, number, boolean or enum field of the input; these are: [account]");
    }

    @Test
    void exclusiveFieldThatIsOptional() {
        refusal.expect("bad_exclusive_template", """
                class Shop {
                  /** Pays. */
                  @Tool(exclusive = "{note}") // <--
                  void pay(String account, Optional<String> note) {}
                }
                """, "\"note\"", "[account]");
    }

    @Test
    void exclusiveWithUnbalancedBraces() {
        for (String template : new String[]{"account:{account", "account}", "{a{b}}", "{}", " "}) {
            refusal.expect("bad_exclusive_template", """
                    /** Pays. */
                    @Tool(exclusive = "%s") // <--
                    record Pay(String account) implements ToolInput<Void> {}
                    """.formatted(template), "exclusive = \"" + template + "\"", "account:{accountId}");
        }
    }

    @Test
    void missingDescription() {
        refusal.expect("missing_description", """
                @Tools sealed interface Shop {
                  record Find(int id) implements Shop, ToolInput<String> {} // <--
                  @Tool(undescribed = true) record Silent() implements Shop, ToolInput<String> {}
                  @Description("Told.") record Told() implements Shop, ToolInput<String> {}
                }
                """, "tool find has no description", "Javadoc", "@Description(\"…\")",
                "@Tool(undescribed = true)");
    }

    @Test
    void javadocOfOnlyParametersIsNoDescription() {
        refusal.expect("missing_description", """
                class Shop {
                  /** @param id the number */
                  @Tool int find(int id) { return id; } // <--
                }
                """, "tool find has no description");
    }

    @Test
    void timeoutThatIsNoDuration() {
        refusal.expect("bad_duration", """
                /** Finds. */
                @Tool(timeout = "30s") // <--
                record Find(int id) implements ToolInput<String> {}
                """, "timeout = \"30s\" is not an ISO-8601 duration; write a positive one such as \"PT30S\"");
    }

    @Test
    void idleTimeoutThatIsNotPositive() {
        refusal.expect("bad_duration", """
                /** Finds. */
                @Tool(idleTimeout = "PT0S") // <--
                record Find(int id) implements ToolInput<String> {}
                """, "idleTimeout = \"PT0S\" is not positive");
    }

    @Test
    void exampleThatIsNoObject() {
        refusal.expect("bad_example", """
                /** Finds. */
                @Tool(examples = {"{\\"id\\": 1}", "[1]"}) // <--
                record Find(int id) implements ToolInput<String> {}
                """, "example [1] is not a JSON object");
    }

    @Test
    void exampleThatIsNoJson() {
        refusal.expect("bad_example", """
                /** Finds. */
                @Tool(examples = "{id: 1}") // <--
                record Find(int id) implements ToolInput<String> {}
                """, "example {id: 1} is not a JSON object");
    }

    @Test
    void retriesOfAnEffectThatHappensOnce() {
        refusal.expect("retry_not_allowed", """
                /** Pays. */
                @Tool(attempts = 3) // <--
                record Pay(int id) implements ToolInput<String> {}
                """, "attempts = 3 with effect ONCE", "effect = IDEMPOTENT");
    }

    @Test
    void noAttemptAtAll() {
        refusal.expect("retry_not_allowed", """
                /** Pays. */
                @Tool(effect = ToolEffect.READ, attempts = 0) // <--
                record Pay(int id) implements ToolInput<String> {}
                """, "attempts = 0 would never run it");
    }

    @Test
    void javadocInAnotherFileIsNoDescription() {
        refusal.expectBeside("p/Find.java", """
                package p;
                /** Finds. */
                public record Find(int id) implements Shop, dev.belay.tool.ToolInput<String> {}
                """, "missing_description", """
                @Tools sealed interface Shop permits Find {}
                """, "tool find has no description", "it counts only in the file of the set");
    }
}

package dev.belay.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class DocCommentTest {

    @Test
    void noCommentIsEmpty() {
        assertThat(DocComment.of(null)).isEqualTo(new DocComment("", Map.of()));
    }

    @Test
    void linesOfAParagraphAreJoined() {
        assertThat(text(" Finds orders\n   of a customer.\n")).isEqualTo("Finds orders of a customer.");
    }

    @Test
    void paragraphsStandOnLinesOfTheirOwn() {
        assertThat(text("One.\n <p>Two\n more.\n\n Three.<br>Four."))
                .isEqualTo("One.\nTwo more.\nThree.\nFour.");
    }

    @Test
    void listsKeepTheirItems() {
        assertThat(text("Takes:\n<ul>\n <li>one\n <li>two</li>\n</ul>\nDone."))
                .isEqualTo("Takes:\n- one\n- two\nDone.");
    }

    @Test
    void codeIsTakenAsItStands() {
        assertThat(text("Takes {@code List<A> & {x}} and {@literal <b>}."))
                .isEqualTo("Takes List<A> & {x} and <b>.");
    }

    @Test
    void preformattedCodeKeepsItsLines() {
        assertThat(text("Say:\n<pre>{@code\n  a();\n  @Override b();\n}</pre>\nEnd."))
                .isEqualTo("Say:\na();\n@Override b();\nEnd.");
    }

    @Test
    void linksBecomeTheirLabel() {
        assertThat(text(
                "See {@link A#b(int, String) the label}, {@linkplain A}, {@link #c}, {@link A#b(int, long)}."))
                .isEqualTo("See the label, A, c, A.b(int, long).");
    }

    @Test
    void otherInlineTagsBecomeText() {
        assertThat(text("{@summary Sums up.} {@value #MAX} {@inheritDoc}{@return the sum} {@unknown x}"))
                .isEqualTo("Sums up. MAX Returns the sum. x");
    }

    @Test
    void markupGoesAndEntitiesAreResolved() {
        assertThat(text(
                "<b>1 &lt; 2</b> &amp; <a href=\"x>\">z</a><!-- no > --> &#65;&#x42;&hellip; &unknown; a&b"))
                .isEqualTo("1 < 2 & \">z AB… &unknown; a&b");
    }

    @Test
    void lessThanIsNoMarkup() {
        assertThat(text("a < b <= c, {curly} {@code open")).isEqualTo("a < b <= c, {curly} {@code open");
    }

    @Test
    void lettersOfAnyPlaneSurvive() {
        assertThat(text("Grüße 🛒 &#x1F6D2; &#xD800;")).isEqualTo("Grüße 🛒 🛒 &#xD800;");
    }

    @Test
    void blockTagsAreCut() {
        DocComment comment = DocComment.of("""
                 Does it.
                 @param <T> no parameter
                 @param name  the
                     name, mail me@x.y
                 @param empty
                 @return {@code
                 @param not one}
                 @param last {@link A last
                 one}
                """);

        assertThat(comment.text()).isEqualTo("Does it.");
        assertThat(comment.params()).isEqualTo(Map.of("name", "the name, mail me@x.y", "last", "last one"));
    }

    @Test
    void unfinishedInlineTagHidesNoBlockTag() {
        assertThat(DocComment.of("Does {@code it.\n@param a first\n").params())
                .isEqualTo(Map.of("a", "first"));
    }

    private static String text(String raw) {
        return DocComment.of(raw).text();
    }
}

package dev.belay.schema.pattern;

import java.util.HashMap;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** The properties of characters that <code>&#92;p{…}</code> can name: general categories, scripts and the common binary ones. */
final class UnicodeProperty {

    /** Each category with its other names and the types of {@link Character#getType(int)} that belong to it. */
    private static final String CATEGORIES = """
            L Letter 1 2 3 4 5
            LC Cased_Letter 1 2 3
            Lu Uppercase_Letter 1
            Ll Lowercase_Letter 2
            Lt Titlecase_Letter 3
            Lm Modifier_Letter 4
            Lo Other_Letter 5
            M Mark Combining_Mark 6 7 8
            Mn Nonspacing_Mark 6
            Me Enclosing_Mark 7
            Mc Spacing_Mark 8
            N Number 9 10 11
            Nd Decimal_Number digit 9
            Nl Letter_Number 10
            No Other_Number 11
            Z Separator 12 13 14
            Zs Space_Separator 12
            Zl Line_Separator 13
            Zp Paragraph_Separator 14
            C Other 0 15 16 18 19
            Cn Unassigned 0
            Cc Control cntrl 15
            Cf Format 16
            Co Private_Use 18
            Cs Surrogate 19
            P Punctuation punct 20 21 22 23 24 29 30
            Pd Dash_Punctuation 20
            Ps Open_Punctuation 21
            Pe Close_Punctuation 22
            Pc Connector_Punctuation 23
            Po Other_Punctuation 24
            Pi Initial_Punctuation 29
            Pf Final_Punctuation 30
            S Symbol 25 26 27 28
            Sm Math_Symbol 25
            Sc Currency_Symbol 26
            Sk Modifier_Symbol 27
            So Other_Symbol 28
            """;

    private static final Map<String, IntPredicate> CATEGORY = categories();

    private static final CharSet WHITE_SPACE = new CharSet.Builder().range(0x85, 0x85)
            .property(c -> c != 0xfeff && CharSet.SPACE.contains(c))
            .build(false);
    private static final CharSet ASCII_HEX = new CharSet.Builder().range('0', '9')
            .range('A', 'F')
            .range('a', 'f')
            .build(false);

    private UnicodeProperty() {}

    /**
     * Finds a property.
     *
     * @param text what stands between the braces; {@link IllegalArgumentException} if there is no such property
     */
    static IntPredicate named(String text) {
        int equals = text.indexOf('=');
        String name = equals < 0 ? "" : text.substring(0, equals);
        String value = text.substring(equals + 1);
        IntPredicate found = switch (name) {
            case "" -> CATEGORY.getOrDefault(value, binary(value));
            case "General_Category", "gc" -> CATEGORY.get(value);
            case "Script", "sc" -> script(value);
            default -> null;
        };
        if (found == null) {
            throw new IllegalArgumentException("the property \\p{" + text
                    + "} is not known; use a general category such as \\p{L}, or \\p{Script=Greek}");
        }
        return found;
    }

    private static Map<String, IntPredicate> categories() {
        Map<String, IntPredicate> named = new HashMap<>();
        CATEGORIES.lines().forEach(line -> {
            long types = 0;
            for (String word : line.split(" ", -1)) {
                types |= Character.isDigit(word.charAt(0)) ? 1L << Integer.parseInt(word) : 0;
            }
            long all = types;
            for (String word : line.split(" ", -1)) {
                named.put(word, c -> (all >>> Character.getType(c) & 1) != 0);
            }
        });
        named.keySet().removeIf(word -> Character.isDigit(word.charAt(0)));
        return named;
    }

    private static @Nullable IntPredicate script(String name) {
        try {
            Character.UnicodeScript script = Character.UnicodeScript.forName(name);
            return c -> Character.UnicodeScript.of(c) == script;
        } catch (IllegalArgumentException unknown) {
            return null;
        }
    }

    private static @Nullable IntPredicate binary(String name) {
        return switch (name) {
            case "Any" -> c -> true;
            case "ASCII" -> c -> c < 0x80;
            case "Assigned" -> c -> Character.getType(c) != Character.UNASSIGNED;
            case "Alphabetic", "Alpha" -> Character::isAlphabetic;
            case "Lowercase", "Lower" -> Character::isLowerCase;
            case "Uppercase", "Upper" -> Character::isUpperCase;
            case "White_Space", "space" -> WHITE_SPACE::contains;
            case "ASCII_Hex_Digit", "AHex" -> ASCII_HEX::contains;
            case "Ideographic", "Ideo" -> Character::isIdeographic;
            case "Emoji" -> Character::isEmoji;
            case "Emoji_Presentation", "EPres" -> Character::isEmojiPresentation;
            case "Emoji_Modifier", "EMod" -> Character::isEmojiModifier;
            case "Emoji_Modifier_Base", "EBase" -> Character::isEmojiModifierBase;
            case "Emoji_Component", "EComp" -> Character::isEmojiComponent;
            case "Extended_Pictographic", "ExtPict" -> Character::isExtendedPictographic;
            default -> null;
        };
    }
}

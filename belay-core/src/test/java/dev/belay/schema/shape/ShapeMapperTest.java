package dev.belay.schema.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.schema.Length;
import dev.belay.schema.Pattern;
import dev.belay.schema.Range;
import dev.belay.schema.Size;
import dev.belay.schema.Tag;
import java.io.File;
import java.lang.reflect.Type;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Contract B.1: a type with no sensible schema is an early error with the element and a suggestion. */
class ShapeMapperTest {

    record Holder<T>(T it) {}

    record OfObject(Object it) {}

    record OfChar(char it) {}

    record OfCharacter(Character it) {}

    record OfSequence(CharSequence it) {}

    record OfNumber(Number it) {}

    record OfDate(Date it) {}

    record OfCalendar(Calendar it) {}

    record OfUrl(URL it) {}

    record OfFile(File it) {}

    record OfPath(Path it) {}

    record OfArrayList(ArrayList<String> it) {}

    record OfLinkedList(LinkedList<String> it) {}

    record OfHashSet(HashSet<String> it) {}

    record OfHashMap(HashMap<String, String> it) {}

    record OfTreeMap(TreeMap<String, String> it) {}

    record OfStream(Stream<String> it) {}

    record OfIterable(Iterable<String> it) {}

    record OfFuture(CompletableFuture<String> it) {}

    record OfClass(StringBuilder it) {}

    record OfInterface(Runnable it) {}

    @SuppressWarnings("ArrayRecordComponent")
    record OfBytes(byte[] it) {}

    @SuppressWarnings("ArrayRecordComponent")
    record OfStrings(String[] it) {}

    @SuppressWarnings("ArrayRecordComponent")
    record OfLists(List<String>[] it) {}

    record OfVoid(Void it) {}

    record OfVoids(List<Void> it) {}

    record OfWildcard(List<?> it) {}

    record OfBoundedWildcard(List<? extends String> it) {}

    @SuppressWarnings("rawtypes")
    record OfRawList(List it) {}

    @SuppressWarnings("rawtypes")
    record OfRawMap(Map it) {}

    @SuppressWarnings("rawtypes")
    record OfRawOptional(Optional it) {}

    record OfIntKeys(Map<Integer, String> it) {}

    record OfOptionals(Optional<Optional<String>> it) {}

    record OfOptionalInts(Optional<OptionalInt> it) {}

    @SuppressWarnings("NullableOptional")
    record OfNullableOptional(@Nullable Optional<String> it) {}

    enum None {}

    record OfNone(None it) {}

    static Stream<Arguments> unsupported() {
        String orElse = "make it a record, an enum or a sealed interface of records, or use dev.belay.json.Json";
        String path = "use String; a path from a model must be checked by the tool";
        String open = "use a concrete type, or dev.belay.json.Json for any JSON";
        return Stream.of(
                type(OfObject.class, "java.lang.Object", "use dev.belay.json.Json for any JSON, or a record"),
                type(OfChar.class, "char", "use String with @Length(min = 1, max = 1)"),
                type(OfCharacter.class, "java.lang.Character", "use String with @Length(min = 1, max = 1)"),
                type(OfSequence.class, "java.lang.CharSequence", "use String"),
                type(OfNumber.class, "java.lang.Number", "use long, double or BigDecimal"),
                type(OfDate.class, "java.util.Date", "use java.time.Instant"),
                type(OfCalendar.class, "java.util.Calendar", "use java.time.ZonedDateTime"),
                type(OfUrl.class, "java.net.URL", "use java.net.URI"),
                type(OfFile.class, "java.io.File", path), type(OfPath.class, "java.nio.file.Path", path),
                type(OfArrayList.class, "java.util.ArrayList", "use List"),
                type(OfLinkedList.class, "java.util.LinkedList", "use List"),
                type(OfHashSet.class, "java.util.HashSet", "use Set"),
                type(OfHashMap.class, "java.util.HashMap", "use Map"),
                type(OfTreeMap.class, "java.util.TreeMap", "use Map"),
                type(OfStream.class, "java.util.stream.Stream", "use List"),
                type(OfIterable.class, "java.lang.Iterable", "use List"),
                type(OfFuture.class, "java.util.concurrent.CompletableFuture",
                        "return the value itself; bodies are blocking code on virtual threads"),
                type(OfClass.class, "java.lang.StringBuilder", orElse),
                type(OfInterface.class, "java.lang.Runnable", orElse),
                type(OfBytes.class, "byte[]",
                        "use a String with base64 text, or pass large data by reference"),
                type(OfStrings.class, "String[]", "use List<…>"),
                type(OfLists.class, "Object[]", "use List<…>"),
                type(OfWildcard.class, "?", open), type(OfBoundedWildcard.class, "? extends java.lang.String",
                        open),
                type(Holder.class, "T", open),
                field(OfVoid.class, "Void cannot be a field; leave the field out"),
                field(OfVoids.class, "List of Void; use the type of its values"),
                field(OfRawList.class, "List without type arguments; write List<…>"),
                field(OfRawMap.class, "a map whose keys are not strings; use Map<String, …>"),
                field(OfRawOptional.class, "Optional without type arguments; write Optional<…>"),
                field(OfIntKeys.class, "a map whose keys are not strings; use Map<String, …>"),
                field(OfOptionals.class, "an optional of an optional; use one of them"),
                field(OfOptionalInts.class, "an optional of an optional; use one of them"),
                field(OfNullableOptional.class,
                        "@Nullable on Optional; drop it; the type already says whether a value may be absent"),
                field(OfNone.class, "enum None has no constants; add one"));
    }

    private static Arguments type(Class<?> record, String type, String suggestion) {
        return field(record, "type " + type + " has no schema; " + suggestion);
    }

    private static Arguments field(Class<?> record, String problem) {
        return Arguments.of(record, record.getSimpleName() + ".it: " + problem);
    }

    @ParameterizedTest
    @MethodSource("unsupported")
    void aTypeWithoutSchemaIsRefusedWithItsPlaceAndASuggestion(Class<?> type, String message) {
        assertRefused(type, message);
    }

    record RangeOnText(@Range(min = 1) String it) {}

    record RangeOnBoolean(@Range(min = 1) boolean it) {}

    record LengthOnNumber(@Length(max = 1) int it) {}

    record LengthOnUuid(@Length(max = 1) UUID it) {}

    record PatternOnNumber(@Pattern("x") int it) {}

    record SizeOnText(@Size(max = 1) String it) {}

    record LengthOnList(@Length(max = 1) List<String> it) {}

    record RangeOnMap(@Range(max = 1) Map<String, Integer> it) {}

    record RangeOnOptional(@Range(max = 1) Optional<Integer> it) {}

    record SizeOnRecord(@Size(max = 1) OfChar it) {}

    record EmptyRange(@Range(min = 2, max = 1) int it) {}

    record NanRange(@Range(min = Double.NaN) double it) {}

    record EmptyLength(@Length(min = 2, max = 1) String it) {}

    record NegativeSize(@Size(min = -1) List<String> it) {}

    record BadPattern(@Pattern("[a") String it) {}

    static Stream<Arguments> misplaced() {
        String onNumbers = "use it on numbers";
        String onString = "@Length or @Pattern on %s; use them on String";
        String onItem = "@Range, @Length or @Pattern on %s; use @Size for the collection, or put it on the item: "
                + "List<@Length(max = 80) String>";
        return Stream.of(
                field(RangeOnText.class, "@Range on String; " + onNumbers),
                field(RangeOnBoolean.class, "@Range on boolean; " + onNumbers),
                field(LengthOnNumber.class, onString.formatted("int")),
                field(LengthOnUuid.class, onString.formatted("UUID")),
                field(PatternOnNumber.class, onString.formatted("int")),
                field(SizeOnText.class, "@Size on String; use it on collections and maps"),
                field(LengthOnList.class, onItem.formatted("List")),
                field(RangeOnMap.class, onItem.formatted("Map")),
                field(RangeOnOptional.class,
                        "a constraint on Optional itself; put it on the value: Optional<@Length(max = 80) String>"),
                field(SizeOnRecord.class,
                        "a constraint on OfChar has no meaning; put @Range on numbers, @Length and "
                                + "@Pattern on strings, @Size on collections and maps"),
                field(EmptyRange.class,
                        "@Range(min = 2.0, max = 1.0) allows nothing; let min be at most max"),
                field(NanRange.class, "@Range bounds must be numbers, found NaN; give min and max"),
                field(EmptyLength.class, "bounds 2 to 1 allow nothing; let 0 <= min <= max"),
                field(NegativeSize.class, "bounds -1 to 2147483647 allow nothing; let 0 <= min <= max"));
    }

    @ParameterizedTest
    @MethodSource("misplaced")
    void aConstraintThatCannotHoldIsRefused(Class<?> type, String message) {
        assertRefused(type, message);
    }

    @Test
    void aPatternThatIsNoneIsRefused() {
        assertThatThrownBy(() -> map(BadPattern.class)).isInstanceOf(UnsupportedTypeException.class)
                .hasMessageStartingWith(
                        "BadPattern.it: @Pattern(\"[a\") is not a regular expression that can be bounded: ")
                .hasMessageEndingWith("; correct it");
    }

    sealed interface Clash {}

    record WithType(String type) implements Clash {}

    sealed interface SameTag {}

    @Tag("one")
    record First(int a) implements SameTag {}

    @Tag("one")
    record Second(int b) implements SameTag {}

    sealed interface WithClass {}

    static final class Plain implements WithClass {}

    sealed interface WithOpen {}

    non-sealed interface Open extends WithOpen {}

    @Test
    void aVariantWithTheTagFieldIsRefused() {
        assertRefused(Clash.class,
                "WithType has a field \"type\", which is also the tag field of Clash; rename it or "
                        + "put @Tag(property = \"kind\") on Clash");
    }

    @Test
    void equalTagsAreRefusedNamingBoth() {
        assertRefused(SameTag.class, First.class.getName() + " and " + Second.class.getName()
                + " share the tag \"one\"; put @Tag(\"…\") on one of them");
    }

    @Test
    void aVariantThatIsNoRecordIsRefused() {
        String suggestion = "; make every variant a record or a sealed interface of records";
        assertRefused(WithClass.class, "Plain is a variant of WithClass but not a record" + suggestion);
        assertRefused(WithOpen.class, "Open is a variant of WithOpen but not a record" + suggestion);
    }

    sealed interface Diamond {}

    sealed interface Left extends Diamond {}

    sealed interface Right extends Diamond {}

    record Both(int a) implements Left, Right {}

    @Test
    void aVariantReachedTwiceIsOneVariant() {
        assertThat(((Shape.Union) map(Diamond.class)).variants()).hasSize(1);
    }

    record Grow<T>(@Nullable Grow<List<T>> next) {}

    record Growing(Grow<String> it) {}

    @Test
    void aTypeThatGrowsWithEachLevelIsRefused() {
        assertThatThrownBy(() -> map(Growing.class)).isInstanceOf(UnsupportedTypeException.class)
                .hasMessageContaining("Growing.it: ")
                .hasMessageContaining("nested too deeply")
                .hasMessageContaining("use type arguments that do not grow")
                .satisfies(e -> assertThat(String.valueOf(e.getMessage())).hasSizeLessThan(2_000));
    }

    record Outer(Inner inner) {}

    record Inner(List<Map<String, OfDate>> deep) {}

    @Test
    void thePlaceOfANestedMistakeIsNamed() {
        assertRefused(Outer.class,
                "Outer.inner: Inner.deep: OfDate.it: type java.util.Date has no schema; use "
                        + "java.time.Instant");
    }

    record Wide0(Wide1 a, Wide1 b, Wide1 c) {}

    record Wide1(Wide2 a, Wide2 b, Wide2 c) {}

    record Wide2(Set<Wide3> a, Map<String, Wide3> b, Optional<Wide3> c) {}

    record Wide3(int a) {}

    @Test
    void aTypeMetAgainIsTheSameShape() {
        var shape = (Shape.Structure) map(Wide0.class);
        assertThat(shape.fields().get(0).shape()).isSameAs(shape.fields().get(2).shape());
    }

    private static Shape map(Type type) {
        return ShapeMapper.map(ReflectedType.of(type, ReflectedType.Descriptions.NONE));
    }

    private static void assertRefused(Class<?> type, String message) {
        assertThatThrownBy(() -> map(type))
                .isInstanceOfSatisfying(UnsupportedTypeException.class,
                        e -> assertThat(e.code()).isEqualTo("unsupported_type"))
                .hasMessage(message);
    }
}

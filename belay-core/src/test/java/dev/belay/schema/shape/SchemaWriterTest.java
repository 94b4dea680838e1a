package dev.belay.schema.shape;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.schema.Description;
import dev.belay.schema.FormatMode;
import dev.belay.schema.JsonSchema;
import dev.belay.schema.Length;
import dev.belay.schema.Pattern;
import dev.belay.schema.Range;
import dev.belay.schema.Size;
import dev.belay.schema.Tag;
import dev.belay.schema.TypeRef;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SequencedCollection;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Contract B.1: the schema of every supported type, byte for byte. */
class SchemaWriterTest {

    private static String schema(Type type) {
        return SchemaWriter.write(ShapeMapper.map(ReflectedType.of(type, ReflectedType.Descriptions.NONE)))
                .orElseThrow()
                .text();
    }

    private static String lines(String text) {
        return text.replaceAll("\n *", "");
    }

    static Stream<Arguments> scalars() {
        return Stream.of(
                Arguments.of(boolean.class, "boolean", ""), Arguments.of(Boolean.class, "boolean", ""),
                Arguments.of(byte.class, "integer", "int8"), Arguments.of(Byte.class, "integer", "int8"),
                Arguments.of(short.class, "integer", "int16"), Arguments.of(Short.class, "integer", "int16"),
                Arguments.of(int.class, "integer", "int32"), Arguments.of(Integer.class, "integer", "int32"),
                Arguments.of(long.class, "integer", "int64"), Arguments.of(Long.class, "integer", "int64"),
                Arguments.of(BigInteger.class, "integer", ""),
                Arguments.of(float.class, "number", "float"), Arguments.of(Float.class, "number", "float"),
                Arguments.of(double.class, "number", "double"),
                Arguments.of(Double.class, "number", "double"),
                Arguments.of(BigDecimal.class, "number", ""), Arguments.of(String.class, "string", ""),
                Arguments.of(UUID.class, "string", "uuid"), Arguments.of(URI.class, "string", "uri"),
                Arguments.of(Instant.class, "string", "date-time"),
                Arguments.of(OffsetDateTime.class, "string", "date-time"),
                Arguments.of(ZonedDateTime.class, "string", "zoned-date-time"),
                Arguments.of(LocalDate.class, "string", "date"),
                Arguments.of(LocalTime.class, "string", "local-time"),
                Arguments.of(LocalDateTime.class, "string", "local-date-time"),
                Arguments.of(Duration.class, "string", "duration"),
                Arguments.of(Period.class, "string", "period"),
                Arguments.of(ZoneId.class, "string", "zone-id"));
    }

    @ParameterizedTest
    @MethodSource("scalars")
    void scalarsHaveATypeAndAFormat(Class<?> type, String jsonType, String format) {
        assertThat(schema(type)).isEqualTo("{\"type\":\"" + jsonType + "\""
                + (format.isEmpty() ? "" : ",\"format\":\"" + format + "\"") + "}");
    }

    @Test
    void everyScalarIsInTheTable() {
        assertThat(
                scalars().map(arguments -> ((Class<?>) Objects.requireNonNull(arguments.get()[0])).getName())
                        .map(name -> ScalarType.ofJava(name).orElseThrow()))
                .contains(ScalarType.values());
    }

    enum Color {
        RED, DARK_BLUE
    }

    @Test
    void anEnumIsAChoiceOfStrings() {
        assertThat(schema(Color.class)).isEqualTo("{\"type\":\"string\",\"enum\":[\"RED\",\"DARK_BLUE\"]}");
    }

    @Test
    void jsonIsAnythingAndVoidIsNoSchema() {
        assertThat(schema(Json.class)).isEqualTo("{}");
        assertThat(SchemaWriter.write(new Shape.Nothing())).isEmpty();
    }

    record Empty() {}

    record Person(String name, int age) {}

    @Test
    void aRecordIsAClosedObject() {
        assertThat(schema(Empty.class))
                .isEqualTo("{\"type\":\"object\",\"properties\":{},\"additionalProperties\":false}");
        assertThat(schema(Person.class)).isEqualTo(lines("""
                {"type":"object","properties":{"name":{"type":"string"},
                "age":{"type":"integer","format":"int32"}},
                "required":["name","age"],"additionalProperties":false}"""));
    }

    record Maybes(Optional<String> a, OptionalInt b, OptionalLong c, OptionalDouble d, @Nullable String e,
            @Nullable Color f, Optional<List<String>> g, @Nullable Person h, @Nullable Json i) {}

    @Test
    void whatMayBeAbsentMayBeNullAndIsNotRequired() {
        assertThat(schema(Maybes.class)).isEqualTo(lines("""
                {"type":"object","properties":{
                "a":{"type":["string","null"]},
                "b":{"type":["integer","null"],"format":"int32"},
                "c":{"type":["integer","null"],"format":"int64"},
                "d":{"type":["number","null"],"format":"double"},
                "e":{"type":["string","null"]},
                "f":{"type":["string","null"],"enum":["RED","DARK_BLUE",null]},
                "g":{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"null"}]},
                "h":{"anyOf":[{"type":"object","properties":{"name":{"type":"string"},
                "age":{"type":"integer","format":"int32"}},
                "required":["name","age"],"additionalProperties":false},{"type":"null"}]},
                "i":{}},
                "additionalProperties":false}"""));
    }

    record Groups(List<String> a, Collection<String> b, SequencedCollection<String> c, Set<String> d,
            SequencedSet<String> e, Map<String, Integer> f, SequencedMap<String, List<Set<Color>>> g,
            List<@Nullable String> h) {}

    @Test
    void collectionsAreArraysAndMapsAreOpenObjects() {
        assertThat(schema(Groups.class)).isEqualTo(lines("""
                {"type":"object","properties":{
                "a":{"type":"array","items":{"type":"string"}},
                "b":{"type":"array","items":{"type":"string"}},
                "c":{"type":"array","items":{"type":"string"}},
                "d":{"type":"array","items":{"type":"string"},"uniqueItems":true},
                "e":{"type":"array","items":{"type":"string"},"uniqueItems":true},
                "f":{"type":"object","additionalProperties":{"type":"integer","format":"int32"}},
                "g":{"type":"object","additionalProperties":{"type":"array","items":
                {"type":"array","items":{"type":"string","enum":["RED","DARK_BLUE"]},"uniqueItems":true}}},
                "h":{"type":"array","items":{"type":["string","null"]}}},
                "required":["a","b","c","d","e","f","g","h"],"additionalProperties":false}"""));
    }

    record Bounds(@Range(min = 1, max = 50) int a, @Range(min = 0.5, exclusiveMin = true) double b,
            @Range(max = 1e21, exclusiveMax = true) BigDecimal c, @Length(min = 2, max = 4) String d,
            @Length(max = 9) String e, @Pattern("^[a-z]+$") String f, @Size(min = 1, max = 3) List<String> g,
            @Size(max = 2) Map<String, @Length(min = 1) String> h, @Range(max = 9) OptionalInt i,
            Optional<@Pattern("x") @Length(min = 1) String> j, @Size(min = 2) Set<String> k,
            @Nullable @Range(min = -1) Long l) {}

    @Test
    void constraintsAppearWhereTheyStand() {
        assertThat(schema(Bounds.class)).isEqualTo(
                lines("""
                        {"type":"object","properties":{
                        "a":{"type":"integer","format":"int32","minimum":1,"maximum":50},
                        "b":{"type":"number","format":"double","exclusiveMinimum":0.5},
                        "c":{"type":"number","exclusiveMaximum":1000000000000000000000},
                        "d":{"type":"string","minLength":2,"maxLength":4},
                        "e":{"type":"string","maxLength":9},
                        "f":{"type":"string","pattern":"^[a-z]+$"},
                        "g":{"type":"array","items":{"type":"string"},"minItems":1,"maxItems":3},
                        "h":{"type":"object","additionalProperties":{"type":"string","minLength":1},"maxProperties":2},
                        "i":{"type":["integer","null"],"format":"int32","maximum":9},
                        "j":{"type":["string","null"],"minLength":1,"pattern":"x"},
                        "k":{"type":"array","items":{"type":"string"},"uniqueItems":true,"minItems":2},
                        "l":{"type":["integer","null"],"format":"int64","minimum":-1}},
                        "required":["a","b","c","d","e","f","g","h","k"],"additionalProperties":false}"""));
    }

    sealed interface Figure {}

    record Circle(double radius) implements Figure {}

    sealed interface Polygon extends Figure {}

    @Tag("sq")
    record Square(int side) implements Polygon {}

    @Test
    void aSealedHierarchyIsATaggedUnionWithAnObjectRoot() {
        assertThat(schema(Figure.class)).isEqualTo(lines("""
                {"type":"object","anyOf":[
                {"type":"object","properties":{"type":{"const":"circle"},
                "radius":{"type":"number","format":"double"}},
                "required":["type","radius"],"additionalProperties":false},
                {"type":"object","properties":{"type":{"const":"sq"},
                "side":{"type":"integer","format":"int32"}},
                "required":["type","side"],"additionalProperties":false}]}"""));
    }

    @Tag(property = "kind")
    sealed interface Event {}

    record Started(String type) implements Event {}

    record Done() implements Event {}

    @Test
    void theTagFieldCanBeNamed() {
        assertThat(schema(Event.class)).isEqualTo(lines("""
                {"type":"object","anyOf":[
                {"type":"object","properties":{"kind":{"const":"started"},"type":{"type":"string"}},
                "required":["kind","type"],"additionalProperties":false},
                {"type":"object","properties":{"kind":{"const":"done"}},
                "required":["kind"],"additionalProperties":false}]}"""));
    }

    record Tree(String name, List<Tree> children) {}

    record Forest(Tree only) {}

    @Test
    void aRecursiveTypeRefersToItself() {
        assertThat(schema(Tree.class)).isEqualTo(lines("""
                {"type":"object","properties":{"name":{"type":"string"},
                "children":{"type":"array","items":{"$ref":"#"}}},
                "required":["name","children"],"additionalProperties":false}"""));
        assertThat(schema(Forest.class)).isEqualTo(lines("""
                {"type":"object","properties":{"only":{"$ref":"#/$defs/Tree"}},
                "required":["only"],"additionalProperties":false,
                "$defs":{"Tree":{"type":"object","properties":{"name":{"type":"string"},
                "children":{"type":"array","items":{"$ref":"#/$defs/Tree"}}},
                "required":["name","children"],"additionalProperties":false}}}"""));
    }

    sealed interface Expr {}

    record Num(long value) implements Expr {}

    record Neg(Expr inner, @Nullable Neg again) implements Expr {}

    @Test
    void aVariantUsedAloneHasNoTag() {
        assertThat(schema(Expr.class)).isEqualTo(lines("""
                {"type":"object","anyOf":[
                {"type":"object","properties":{"type":{"const":"num"},
                "value":{"type":"integer","format":"int64"}},
                "required":["type","value"],"additionalProperties":false},
                {"type":"object","properties":{"type":{"const":"neg"},"inner":{"$ref":"#"},
                "again":{"anyOf":[{"$ref":"#/$defs/Neg"},{"type":"null"}]}},
                "required":["type","inner"],"additionalProperties":false}],
                "$defs":{"Neg":{"type":"object","properties":{"inner":{"$ref":"#"},
                "again":{"anyOf":[{"$ref":"#/$defs/Neg"},{"type":"null"}]}},
                "required":["inner"],"additionalProperties":false}}}"""));
    }

    record Ping(@Nullable Pong pong) {}

    record Pong(@Nullable Ping ping, @Nullable Pong pong) {}

    @Test
    void typesThatContainEachOtherEnd() {
        assertThat(schema(Ping.class)).isEqualTo(lines("""
                {"type":"object","properties":{"pong":{"anyOf":[{"$ref":"#/$defs/Pong"},{"type":"null"}]}},
                "additionalProperties":false,
                "$defs":{"Pong":{"type":"object","properties":{
                "ping":{"anyOf":[{"$ref":"#"},{"type":"null"}]},
                "pong":{"anyOf":[{"$ref":"#/$defs/Pong"},{"type":"null"}]}},
                "additionalProperties":false}}}"""));
    }

    record Item(int a) {}

    static final class Other {
        private Other() {}

        record Item(String b) {}
    }

    record Twice(Item a, Item b, Other.Item c, Other.Item d) {}

    @Test
    void equallyNamedTypesGetANumber() {
        assertThat(schema(Twice.class)).isEqualTo(lines("""
                {"type":"object","properties":{"a":{"$ref":"#/$defs/Item"},"b":{"$ref":"#/$defs/Item"},
                "c":{"$ref":"#/$defs/Item_2"},"d":{"$ref":"#/$defs/Item_2"}},
                "required":["a","b","c","d"],"additionalProperties":false,
                "$defs":{"Item":{"type":"object","properties":{"a":{"type":"integer","format":"int32"}},
                "required":["a"],"additionalProperties":false},
                "Item_2":{"type":"object","properties":{"b":{"type":"string"}},
                "required":["b"],"additionalProperties":false}}}"""));
    }

    record Box<T extends @Nullable Object>(T content) {}

    record Boxes(Box<String> a, Box<@Length(max = 3) String> b, Box<@Nullable String> c, Box<Integer> d) {}

    @Test
    void typeArgumentsAreTypesOfTheirOwnWithTheirConstraints() {
        assertThat(schema(Boxes.class)).isEqualTo(lines("""
                {"type":"object","properties":{
                "a":{"type":"object","properties":{"content":{"type":"string"}},
                "required":["content"],"additionalProperties":false},
                "b":{"type":"object","properties":{"content":{"type":"string","maxLength":3}},
                "required":["content"],"additionalProperties":false},
                "c":{"type":"object","properties":{"content":{"type":["string","null"]}},
                "additionalProperties":false},
                "d":{"type":"object","properties":{"content":{"type":"integer","format":"int32"}},
                "required":["content"],"additionalProperties":false}},
                "required":["a","b","c","d"],"additionalProperties":false}"""));
    }

    @Description("A person.")
    record Described(@Description("full name") String name, @Description("or none") Optional<Color> color,
            @Description("where from") Item item, Item to, @Description("all") List<Told> told) {}

    @Description("What was told.")
    enum Told {
        YES
    }

    @Test
    void descriptionsStandAtTypesAndFields() {
        assertThat(schema(Described.class)).isEqualTo(lines("""
                {"type":"object","description":"A person.","properties":{
                "name":{"type":"string","description":"full name"},
                "color":{"type":["string","null"],"enum":["RED","DARK_BLUE",null],"description":"or none"},
                "item":{"$ref":"#/$defs/Item","description":"where from"},
                "to":{"$ref":"#/$defs/Item"},
                "told":{"type":"array","description":"all","items":
                {"type":"string","enum":["YES"],"description":"What was told."}}},
                "required":["name","item","to","told"],"additionalProperties":false,
                "$defs":{"Item":{"type":"object","properties":{"a":{"type":"integer","format":"int32"}},
                "required":["a"],"additionalProperties":false}}}"""));
    }

    @Test
    void namesOfAnyLanguageCanBeReferredTo() {
        var number = new Shape.Scalar(ScalarType.INT, Constraints.NONE);
        var inner = new Shape.Structure("p.Größe", "p.Größe", "Größe",
                List.of(new Shape.Field("maß", "int", number, "")),
                "");
        var outer = new Shape.Structure("p.Zwei", "p.Zwei", "Zwei",
                List.of(new Shape.Field("eins", "p.Größe", inner, ""),
                        new Shape.Field("zwei", "p.Größe", inner, "")),
                "");
        var schema = JsonSchema.of(SchemaWriter.write(outer).orElseThrow(), FormatMode.ASSERT);
        assertThat(schema.json().text()).contains("\"$ref\":\"#/$defs/Größe\"");
        assertThat(schema.validate(Json.of("{\"eins\":{\"maß\":1},\"zwei\":{\"maß\":2}}")).message())
                .isEmpty();
        assertThat(schema.validate(Json.of("{\"eins\":{\"maß\":1},\"zwei\":{\"maß\":\"2\"}}")).isEmpty())
                .isFalse();
    }

    record D0(D1 a, D1 b) {}

    record D1(D2 a, D2 b) {}

    record D2(D3 a, D3 b) {}

    record D3(Item a, Item b) {}

    @Test
    void typesThatDoubleAtEachLevelStandOnce() {
        assertThat(schema(D0.class)).containsOnlyOnce("\"D1\":{")
                .containsOnlyOnce("\"D3\":{")
                .containsOnlyOnce("\"Item\":{");
    }

    @Test
    void aListRootRefersToItsItem() {
        assertThat(schema(new TypeRef<List<Tree>>() {}.type())).isEqualTo(lines("""
                {"type":"array","items":{"$ref":"#/$defs/Tree"},
                "$defs":{"Tree":{"type":"object","properties":{"name":{"type":"string"},
                "children":{"type":"array","items":{"$ref":"#/$defs/Tree"}}},
                "required":["name","children"],"additionalProperties":false}}}"""));
    }
}

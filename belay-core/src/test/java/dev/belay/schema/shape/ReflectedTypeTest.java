package dev.belay.schema.shape;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.schema.Description;
import dev.belay.schema.Length;
import dev.belay.schema.Range;
import dev.belay.schema.Tag;
import dev.belay.schema.TypeRef;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Contract B.1 and B.2: what reflection shows of a type, and the hash by which a companion recognises it. */
class ReflectedTypeTest {

    private static final ReflectedType.Descriptions NONE = ReflectedType.Descriptions.NONE;

    enum Color {
        RED, BLUE
    }

    @Tag(property = "kind")
    sealed interface Figure {}

    @Tag("round")
    record Circle(int radius) implements Figure {}

    record Pair<A extends @Nullable Object, B>(A first, List<B> second) {}

    record Use(Pair<@Nullable String, @Range(min = 1) Integer> pair, @Nullable @Length(max = 3) String text,
            @Description("own") int described, int plain) {}

    @Test
    void formsAreTold() {
        assertThat(ReflectedType.of(int.class, NONE).form()).isEqualTo(TypeView.Form.PRIMITIVE);
        assertThat(ReflectedType.of(Circle.class, NONE).form()).isEqualTo(TypeView.Form.RECORD);
        assertThat(ReflectedType.of(Color.class, NONE).form()).isEqualTo(TypeView.Form.ENUM);
        assertThat(ReflectedType.of(Figure.class, NONE).form()).isEqualTo(TypeView.Form.SEALED);
        assertThat(ReflectedType.of(int[].class, NONE).form()).isEqualTo(TypeView.Form.ARRAY);
        assertThat(ReflectedType.of(Runnable.class, NONE).form()).isEqualTo(TypeView.Form.OTHER);
        assertThat(ReflectedType.of(new TypeRef<List<? super String>>() {}.type(), NONE)
                .arguments()
                .getFirst()
                .form()).isEqualTo(TypeView.Form.OPEN);
    }

    @Test
    void constantsAndVariantsStandInOrder() {
        assertThat(ReflectedType.of(Color.class, NONE).constants()).containsExactly("RED", "BLUE");
        assertThat(ReflectedType.of(Figure.class, NONE).permitted()).extracting(TypeView::name)
                .containsExactly(Circle.class.getName());
    }

    @Test
    void tagsAreShown() {
        assertThat(ReflectedType.of(Figure.class, NONE).tagProperty()).isEqualTo("kind");
        assertThat(ReflectedType.of(Circle.class, NONE).tagValue()).isEqualTo("round");
        assertThat(ReflectedType.of(Color.class, NONE).tagProperty()).isEqualTo("type");
        assertThat(ReflectedType.of(Color.class, NONE).tagValue()).isEmpty();
    }

    @Test
    void typeArgumentsArePutInWithTheirMarks() {
        List<TypeView.Member> components = ReflectedType.of(Use.class, NONE).components();
        List<TypeView.Member> pair = components.getFirst().type().components();
        assertThat(pair.get(0).type().name()).isEqualTo("java.lang.String");
        assertThat(pair.get(0).type().nullable()).isTrue();
        TypeView item = pair.get(1).type().arguments().getFirst();
        assertThat(item.name()).isEqualTo("java.lang.Integer");
        assertThat(item.constraints().range()).isNotNull();
        assertThat(components.get(1).type().nullable()).isTrue();
        assertThat(components.get(1).type().constraints().length())
                .isEqualTo(new Constraints.CountRange(0, 3));
        assertThat(components.get(3).type().constraints()).isEqualTo(Constraints.NONE);
    }

    @Test
    void anOwnDescriptionWinsOverJavadoc() {
        Map<String, String> javadoc = Map.of(Use.class.getName(), "a use", Use.class.getName() + "#plain",
                "from Javadoc", Use.class.getName() + "#described", "from Javadoc");
        TypeView view = ReflectedType.of(Use.class, key -> javadoc.getOrDefault(key, ""));
        assertThat(view.description()).isEqualTo("a use");
        assertThat(view.components()).extracting(TypeView.Member::description)
                .containsExactly("", "", "own", "from Javadoc");
    }

    @SuppressWarnings("unused")
    private static void method(@Description("own") @Range(max = 3) int a, @Nullable String b) {}

    @Test
    void aParameterIsAMember() throws ReflectiveOperationException {
        Method method = ReflectedTypeTest.class.getDeclaredMethod("method", int.class, String.class);
        TypeView.Member a = ReflectedType.member(method.getParameters()[0], "x", "from Javadoc", NONE);
        TypeView.Member b = ReflectedType.member(method.getParameters()[1], "y", "from Javadoc", NONE);
        assertThat(a.name()).isEqualTo("x");
        assertThat(a.description()).isEqualTo("own");
        assertThat(a.type().constraints().range()).isNotNull();
        assertThat(b.description()).isEqualTo("from Javadoc");
        assertThat(b.type().nullable()).isTrue();
    }

    record Before(int a, List<String> b) {}

    private static String hash(Class<?> type) {
        return ShapeHash.of(ShapeMapper.map(ReflectedType.of(type, NONE)));
    }

    @Test
    void aHashDoesNotDependOnDescriptions() {
        assertThat(ShapeHash.of(ShapeMapper.map(ReflectedType.of(Use.class, key -> "words"))))
                .isEqualTo(hash(Use.class))
                .matches("[0-9a-f]{16}");
    }

    private static Shape.Structure structure(Shape shape) {
        return new Shape.Structure("p.A", "p.A", "A",
                List.of(new Shape.Field("x", "java.lang.Object", shape, "")), "");
    }

    @Test
    void aHashDependsOnEverythingElse() {
        var text = new Shape.Scalar(ScalarType.STRING, Constraints.NONE);
        var count = new Constraints.CountRange(1, 2);
        var range = new Constraints.NumberRange(java.math.BigDecimal.ONE, null, false, false);
        var shapes = List.of(structure(text), structure(new Shape.Scalar(ScalarType.INT, Constraints.NONE)),
                structure(new Shape.Scalar(ScalarType.INT, new Constraints(range, null, null, null))),
                structure(new Shape.Scalar(ScalarType.INT, new Constraints(
                        new Constraints.NumberRange(java.math.BigDecimal.ONE, null, true, false), null, null,
                        null))),
                structure(new Shape.Scalar(ScalarType.STRING, new Constraints(null, count, null, null))),
                structure(new Shape.Scalar(ScalarType.STRING, new Constraints(null, null, "x", null))),
                structure(new Shape.Sequence(false, text, null)),
                structure(new Shape.Sequence(true, text, null)),
                structure(new Shape.Sequence(false, text, count)), structure(new Shape.Mapping(text, null)),
                structure(new Shape.Mapping(text, count)),
                structure(new Shape.Maybe(Shape.Absence.NULL, text)),
                structure(new Shape.Maybe(Shape.Absence.OPTIONAL, text)), structure(new Shape.Any()),
                structure(new Shape.Reference("p.A")),
                structure(new Shape.Choice("p.E", List.of("A", "B"), "")),
                structure(new Shape.Choice("p.E", List.of("B", "A"), "")),
                structure(new Shape.Union("p.U", "p.U", "U", "type",
                        List.of(new Shape.Variant("a", "p.V", structure(text))), "")),
                structure(new Shape.Union("p.U", "p.U", "U", "kind",
                        List.of(new Shape.Variant("a", "p.V", structure(text))), "")),
                structure(new Shape.Union("p.U", "p.U", "U", "type",
                        List.of(new Shape.Variant("b", "p.V", structure(text))), "")));
        assertThat(shapes.stream().map(ShapeHash::of)).doesNotHaveDuplicates();
        assertThat(ShapeHash.of(structure(text), new Shape.Any()))
                .isNotEqualTo(ShapeHash.of(new Shape.Any(), structure(text)));
    }

    @Test
    void theHashIsStable() {
        assertThat(hash(Before.class)).isEqualTo("21b41c866f85d89e");
    }
}

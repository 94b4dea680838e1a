package dev.belay.processor;

import dev.belay.generated.Companion;
import dev.belay.generated.Companions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.RecordComponentElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.TypeKind;

/**
 * Writes the source of a companion. It must compile in any user's build: every name is written out, variables end in an
 * underscore so that they hide no package, no annotation of another module is used, and long initializers are cut into methods
 * because the class file format bounds their size. Confined to one companion.
 */
final class CompanionSource {

    /** So few that no statements reach 64 KiB of code for a method. */
    private static final int STATEMENTS_PER_METHOD = 100;
    /** A string constant holds 65,535 bytes, and a character takes up to three. */
    private static final int CHARACTERS_PER_CONSTANT = 20_000;

    private final OwnerModel model;
    private final SourceTypes types;

    CompanionSource(OwnerModel model, SourceTypes types) {
        this.model = model;
        this.types = types;
    }

    /** The text of the source file. */
    String text() {
        String name = Companions.nameFor(model.binaryName());
        int dot = name.lastIndexOf('.');
        List<String> statements = statements();
        var text = new StringBuilder();
        if (dot > 0) {
            text.append("package ").append(name, 0, dot).append(";\n\n");
        }
        text.append(
                """
                        /** Written by belay-processor for {@code %s}. */
                        @java.lang.SuppressWarnings({"all", "auxiliaryclass", "cast", "deprecation", "rawtypes", "removal", "unchecked", "NullAway"})
                        final class %s {

                            private %2$s() {}

                            static {
                                dev.belay.generated.Companion.Builder builder_ =
                                        dev.belay.generated.Companion.builder(%d, "%s");
                        """
                        .formatted(model.binaryName(), name.substring(dot + 1), Companion.FORMAT,
                                model.shapeHash()));
        int parts = Math.ceilDiv(statements.size(), STATEMENTS_PER_METHOD);
        for (int i = 0; i < parts; i++) {
            text.append("        part").append(i).append("(builder_);\n");
        }
        text.append("        builder_.register(")
                .append(model.type().getQualifiedName())
                .append(".class);\n    }\n");
        for (int i = 0; i < parts; i++) {
            int start = i * STATEMENTS_PER_METHOD;
            int end = Math.min(statements.size(), start + STATEMENTS_PER_METHOD);
            part(text, i, statements.subList(start, end));
        }
        return text.append("}\n").toString();
    }

    private static void part(StringBuilder text, int number, List<String> statements) {
        text.append("\n    private static void part")
                .append(number)
                .append("(dev.belay.generated.Companion.Builder builder_) {\n");
        statements.forEach(statement -> text.append("        ").append(statement).append('\n'));
        text.append("    }\n");
    }

    private List<String> statements() {
        List<String> statements = new ArrayList<>();
        model.descriptions()
                .forEach((key, text) -> statements
                        .add("builder_.describe(" + literal(key) + ", " + literal(text) + ");"));
        model.records().forEach(record -> statements.add(record(record)));
        model.methods().forEach((key, method) -> statements.add(method(key, method)));
        return statements;
    }

    private String record(TypeElement record) {
        String name = record.getQualifiedName().toString();
        var values = new ArrayList<String>();
        var cases = new StringBuilder();
        for (RecordComponentElement component : record.getRecordComponents()) {
            int index = values.size();
            values.add("(" + types.castName(component.asType()) + ") values_[" + index + "]");
            cases.append("                    case ")
                    .append(index)
                    .append(": return ((")
                    .append(name)
                    .append(") record_).")
                    .append(component.getSimpleName())
                    .append("();\n");
        }
        return """
                builder_.access(%1$s.class, new dev.belay.generated.RecordAccess() {
                            @java.lang.Override
                            public java.lang.Object create(java.lang.Object[] values_) {
                                return new %1$s(%2$s);
                            }

                            @java.lang.Override
                            public java.lang.Object get(java.lang.Object record_, int index_) {
                                switch (index_) {
                %3$s                    default: throw new java.lang.IndexOutOfBoundsException(index_);
                                }
                            }
                        });""".formatted(name, String.join(", ", values), cases);
    }

    private String method(String key, ExecutableElement method) {
        String owner = model.type().getQualifiedName().toString();
        String target = method.getModifiers().contains(Modifier.STATIC) ? owner : "((" + owner + ") target_)";
        List<? extends VariableElement> parameters = method.getParameters();
        var values = new ArrayList<String>();
        for (VariableElement parameter : parameters) {
            values.add("(" + types.castName(parameter.asType()) + ") values_[" + values.size() + "]");
        }
        String call = target + "." + method.getSimpleName() + "(" + String.join(", ", values) + ")";
        String body = method.getReturnType().getKind() == TypeKind.VOID
                ? "{ " + call + "; return null; }"
                : call;
        String names = parameters.stream()
                .map(parameter -> literal(parameter.getSimpleName().toString()))
                .collect(Collectors.joining(", "));
        return "builder_.method(" + literal(key) + ", java.util.List.of(" + names
                + "), (target_, values_) -> " + body
                + ");";
    }

    /** A string literal that does not depend on the encoding of the source. */
    static String literal(String text) {
        if (text.length() > CHARACTERS_PER_CONSTANT) {
            var pieces = new ArrayList<String>();
            for (int at = 0; at < text.length(); at += CHARACTERS_PER_CONSTANT) {
                pieces.add(
                        literal(text.substring(at, Math.min(text.length(), at + CHARACTERS_PER_CONSTANT))));
            }
            return "java.lang.String.join(\"\", " + String.join(", ", pieces) + ")";
        }
        var literal = new StringBuilder(text.length() + 16).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> literal.append("\\\"");
                case '\\' -> literal.append("\\\\");
                case '\n' -> literal.append("\\n");
                default -> {
                    if (c < ' ') {
                        literal.append("\\%03o".formatted((int) c));
                    } else if (c > '~') {
                        literal.append("\\u%04x".formatted((int) c));
                    } else {
                        literal.append(c);
                    }
                }
            }
        }
        return literal.append('"').toString();
    }
}

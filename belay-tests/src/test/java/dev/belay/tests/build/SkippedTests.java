package dev.belay.tests.build;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** Finds the ways to skip a test in a source file that do not say why. */
final class SkippedTests extends TreePathScanner<@Nullable Void, @Nullable Void> {

    private final String file;
    private final SourcePositions positions;
    private final List<String> silent = new ArrayList<>();

    private SkippedTests(String file, SourcePositions positions) {
        this.file = file;
        this.positions = positions;
    }

    /** What skips without a reason, one line each. */
    static List<String> withoutReason(String file, String source) {
        JavaFileObject unit = new SimpleJavaFileObject(URI.create("string:///" + file),
                JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return source;
            }
        };
        JavacTask parser = (JavacTask) ToolProvider.getSystemJavaCompiler()
                .getTask(null, null, diagnostic -> {}, List.of("-proc:none"), null, List.of(unit));
        SkippedTests scanner = new SkippedTests(file, Trees.instance(parser).getSourcePositions());
        try {
            for (CompilationUnitTree tree : parser.parse()) {
                scanner.scan(tree, null);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot parse " + file, e);
        }
        return scanner.silent;
    }

    @Override
    public @Nullable Void visitAnnotation(AnnotationTree annotation, @Nullable Void nothing) {
        String name = simpleName(annotation.getAnnotationType());
        if (name.equals("Disabled") && annotation.getArguments().stream().noneMatch(SkippedTests::isText)) {
            complain("@Disabled", "@Disabled(\"why\")");
        } else if (name.matches("(Disabled|Enabled)(On|If|For).*") && annotation.getArguments()
                .stream()
                .noneMatch(argument -> argument.toString().startsWith("disabledReason = \""))) {
            complain("@" + name, "disabledReason = \"why\"");
        }
        return super.visitAnnotation(annotation, null);
    }

    @Override
    public @Nullable Void visitMethodInvocation(MethodInvocationTree call, @Nullable Void nothing) {
        String name = simpleName(call.getMethodSelect());
        if ((name.equals("assumeTrue") || name.equals("assumeFalse")) && call.getArguments().size() < 2) {
            complain(name, name + "(condition, \"why\")");
        } else if (name.matches("assumeThat.*|assumingThat")) {
            complain(name, "assumeTrue(condition, \"why\")");
        }
        return super.visitMethodInvocation(call, null);
    }

    private void complain(String found, String instead) {
        CompilationUnitTree unit = getCurrentPath().getCompilationUnit();
        long line = unit.getLineMap()
                .getLineNumber(positions.getStartPosition(unit, getCurrentPath().getLeaf()));
        silent.add(file + ":" + line + ": " + found + " skips without a reason; write " + instead);
    }

    private static boolean isText(ExpressionTree argument) {
        return argument.toString().matches("(?s)(value = )?\".*\\S.*\".*");
    }

    private static String simpleName(Tree tree) {
        return switch (tree) {
            case IdentifierTree identifier -> identifier.getName().toString();
            case MemberSelectTree select -> select.getIdentifier().toString();
            default -> "";
        };
    }
}

package dev.belay.tests.architecture;

import static com.tngtech.archunit.core.domain.JavaModifier.PROTECTED;
import static com.tngtech.archunit.core.domain.JavaModifier.PUBLIC;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.stream.Stream;

/** Looks at everything a user of a class can name: what it extends, and its public and protected members. */
final class SignatureCondition extends ArchCondition<JavaClass> {

    private final DescribedPredicate<? super JavaClass> forbidden;

    private SignatureCondition(String what, DescribedPredicate<? super JavaClass> forbidden) {
        super("name no " + what + " in a signature");
        this.forbidden = forbidden;
    }

    static SignatureCondition nameNo(String what, DescribedPredicate<? super JavaClass> forbidden) {
        return new SignatureCondition(what, forbidden);
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream())
                .forEach(parent -> check(type, "extends", parent, events));
        for (JavaMember member : type.getMembers()) {
            if (member.getModifiers().contains(PUBLIC) || member.getModifiers().contains(PROTECTED)) {
                typesOf(member).forEach(named -> check(type, member.getFullName(), named, events));
            }
        }
    }

    private static Stream<JavaType> typesOf(JavaMember member) {
        return switch (member) {
            case JavaField field -> Stream.of(field.getType());
            case JavaCodeUnit unit -> Stream
                    .of(Stream.of(unit.getReturnType()), unit.getParameterTypes().stream(),
                            unit.getTypeParameters().stream(), unit.getExceptionTypes().stream())
                    .flatMap(types -> types);
            default -> throw new IllegalArgumentException("neither a field nor code: " + member);
        };
    }

    private void check(JavaClass type, String where, JavaType named, ConditionEvents events) {
        for (JavaClass raw : named.getAllInvolvedRawTypes()) {
            if (forbidden.test(raw)) {
                events.add(SimpleConditionEvent.violated(type,
                        type.getName() + ": " + where + " names " + raw.getName()));
            }
        }
    }
}

package dev.graspsync.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithName;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class KeyNamesTest {

    @Test
    void everyKeyWithoutADefaultIsNamed() {
        Stream<String> optional = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("dev.graspsync").stream()
                        .filter(type -> type.isAnnotatedWith(ConfigMapping.class))
                        .map(type -> type.reflect())
                        .flatMap(type ->
                                optional(type.getAnnotation(ConfigMapping.class).prefix(), type));

        assertThat(optional).isNotEmpty().containsExactlyInAnyOrderElementsOf(KeyNames.WITHOUT_DEFAULT);
    }

    private static Stream<String> optional(String prefix, Class<?> type) {
        return Stream.of(type.getMethods()).flatMap(method -> {
            String key = prefix + "." + name(method);
            if (method.getReturnType() == Optional.class) {
                return Stream.of(key);
            }
            return method.getReturnType().getEnclosingClass() == type
                    ? optional(key, method.getReturnType())
                    : Stream.empty();
        });
    }

    private static String name(Method method) {
        WithName given = method.getAnnotation(WithName.class);
        return given == null
                ? method.getName().replaceAll("([A-Z])", "-$1").toLowerCase(java.util.Locale.ROOT)
                : given.value();
    }
}

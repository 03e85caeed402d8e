package dev.graspsync.cli;

import io.smallrye.config.SmallRyeConfig;
import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** What is set, by whom, and what is wrong with it. */
@Command(
        name = "check-config",
        mixinStandardHelpOptions = true,
        description = "Prints the configuration in force, where each value comes from, and what is wrong with it.")
final class CheckConfig implements Callable<Integer> {

    @Mixin
    private final Properties properties = new Properties();

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        ConfigProblems found = ConfigProblems.find();
        PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
        print(out, found.config());
        if (found.problems().isEmpty()) {
            out.println("\nThe configuration is in order.");
            return ExitCode.OK;
        }
        PrintWriter err = spec.commandLine().getErr();
        found.problems().forEach(problem -> err.println("wrong: " + Setting.withoutUserInfo(problem)));
        return ExitCode.FAILED;
    }

    private static void print(PrintWriter out, SmallRyeConfig config) {
        List<Setting> settings = Setting.all(config, Configuration.sources());
        int keys = settings.stream()
                .mapToInt(setting -> setting.key().length())
                .max()
                .orElse(0);
        int values = settings.stream()
                .mapToInt(setting -> setting.value().length())
                .max()
                .orElse(0);
        String format = "%-" + Math.max(1, keys) + "s  %-" + Math.clamp(values, 1, 40) + "s  %s%n";
        settings.forEach(setting -> out.printf(format, setting.key(), setting.value(), setting.source()));
        out.flush();
    }
}

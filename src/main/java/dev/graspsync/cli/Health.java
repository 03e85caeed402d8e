package dev.graspsync.cli;

import io.smallrye.config.SmallRyeConfig;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** For container images without a shell or curl. */
@Command(
        name = "health",
        mixinStandardHelpOptions = true,
        description = "Asks the service on this machine whether it is ready; exit code 0 means yes.")
final class Health implements Callable<Integer> {

    private static final int PATIENCE_MILLIS = 3_000;

    @Mixin
    private final Properties properties = new Properties();

    @Option(names = "--live", description = "Ask whether it is alive, instead of ready.")
    private boolean live;

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        SmallRyeConfig config = Configuration.checked();
        String host =
                config.getOptionalValue("quarkus.management.host", String.class).orElse("0.0.0.0");
        String address = host.equals("0.0.0.0") || host.equals("::") ? "127.0.0.1" : host;
        URI uri = URI.create("http://" + address + ":" + config.getValue("quarkus.management.port", Integer.class)
                + "/q/health/" + (live ? "live" : "ready"));
        try {
            HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
            connection.setConnectTimeout(PATIENCE_MILLIS);
            connection.setReadTimeout(PATIENCE_MILLIS);
            int status = connection.getResponseCode();
            say(uri + " answers " + status);
            return status == 200 ? ExitCode.OK : ExitCode.FAILED;
        } catch (IOException failure) {
            say(uri + " does not answer: " + failure.getMessage());
            return ExitCode.FAILED;
        }
    }

    private void say(String line) {
        if (spec != null) {
            spec.commandLine().getOut().println(line);
        }
    }
}

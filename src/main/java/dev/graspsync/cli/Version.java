package dev.graspsync.cli;

import org.eclipse.microprofile.config.Config;
import picocli.CommandLine.IVersionProvider;

/** Name, version, and on what it runs. */
final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
        Config config = Configuration.asFarAsItCanBeRead();
        String version = config.getOptionalValue("quarkus.application.version", String.class)
                .orElse("of unknown version");
        boolean binary = System.getProperty("org.graalvm.nativeimage.imagecode") != null;
        return new String[] {
            "grasp-sync " + version,
            (binary ? "native binary, " : "Java " + System.getProperty("java.version") + ", ")
                    + System.getProperty("os.name") + " " + System.getProperty("os.arch")
        };
    }
}

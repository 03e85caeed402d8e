package dev.graspsync.observe;

import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** A file of the dashboard, as it lies in the class path. */
record DashboardFile(String name, String type, Buffer content) {

    static DashboardFile read(String name) {
        try (InputStream in = DashboardFile.class.getResourceAsStream("/dashboard/" + name)) {
            if (in == null) {
                throw new IllegalStateException("the dashboard's " + name + " is not packaged");
            }
            return new DashboardFile(name, typeOf(name), Buffer.buffer(in.readAllBytes()));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static String typeOf(String name) {
        return switch (name.substring(name.lastIndexOf('.') + 1)) {
            case "html" -> "text/html; charset=utf-8";
            case "css" -> "text/css; charset=utf-8";
            case "js" -> "text/javascript; charset=utf-8";
            case "svg" -> "image/svg+xml";
            default -> throw new IllegalArgumentException("no type is known for " + name);
        };
    }
}

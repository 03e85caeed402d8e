package dev.graspsync.cli;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;

/** Event loops and workers for commands, without a trace on the disk. */
final class QuietVertx {

    private QuietVertx() {}

    static Vertx create() {
        return Vertx.vertx(new VertxOptions()
                .setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false)));
    }
}

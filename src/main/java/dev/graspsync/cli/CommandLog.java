package dev.graspsync.cli;

import io.quarkus.bootstrap.logging.InitialConfigurator;
import io.quarkus.runtime.JVMUnsafeWarningsControl;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jboss.logmanager.ExtLogRecord;

/** What the parts log while a command uses them: warnings, one line each on standard error. */
final class CommandLog extends Handler {

    private CommandLog() {}

    /** Until then, and as long as no service runs, log lines are only gathered. */
    static void begin() {
        JVMUnsafeWarningsControl.disableUnsafeRelatedWarnings();
        Logger.getLogger("").setLevel(Level.WARNING);
        InitialConfigurator.DELAYED_HANDLER.setHandlers(new Handler[] {new CommandLog()});
    }

    @Override
    public void publish(LogRecord record) {
        if (record.getLevel().intValue() >= Level.WARNING.intValue()) {
            System.err.println(
                    record instanceof ExtLogRecord extended ? extended.getFormattedMessage() : record.getMessage());
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}

package dev.graspsync;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jboss.logmanager.ExtLogRecord;

/** What a package or class says in the log, down to DEBUG, until it is closed. */
public final class LogCapture implements AutoCloseable {

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Logger logger;
    private final Level before;
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord record) {
            String text = record instanceof ExtLogRecord extended
                    ? extended.getFormattedMessage()
                    : String.valueOf(record.getMessage());
            lines.add(record.getLevel() + " " + text);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    private LogCapture(String name) {
        this.logger = Logger.getLogger(name);
        this.before = logger.getLevel();
        handler.setLevel(Level.ALL);
        logger.setLevel(org.jboss.logmanager.Level.DEBUG);
        logger.addHandler(handler);
    }

    public static LogCapture of(Class<?> type) {
        return new LogCapture(type.getName());
    }

    /** Each as level and message. */
    public List<String> lines() {
        return List.copyOf(lines);
    }

    @Override
    public void close() {
        logger.removeHandler(handler);
        logger.setLevel(before);
    }
}

package dev.graspsync.relay;

import dev.graspsync.store.EventStore;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import org.jboss.logging.Logger;

/**
 * What relays have and this one does not want, across a stop and a start (rule 18 of the sync). Believed only by a store
 * that has seen nothing since, and under the same rules: else something may be wanted by now. After a crash it is
 * therefore done without, and what was refused is fetched once more.
 */
final class UnwantedFile {

    private static final Logger LOG = Logger.getLogger(UnwantedFile.class);
    private static final int FORMAT = 1;

    private final Path file;
    private final String rules;
    private final EventStore store;
    private final RejectedIds rejected;
    private final UnwantedEvents unwanted;

    private UnwantedFile(Path file, String rules, EventStore store, RejectedIds rejected, UnwantedEvents unwanted) {
        this.file = file;
        this.rules = rules;
        this.store = store;
        this.rejected = rejected;
        this.unwanted = unwanted;
    }

    /** Reads what is there; what cannot be read or may be outdated is done without. */
    static UnwantedFile open(
            Path folder, String rules, EventStore store, RejectedIds rejected, UnwantedEvents unwanted) {
        UnwantedFile opened = new UnwantedFile(folder.resolve("unwanted.bin"), rules, store, rejected, unwanted);
        opened.read(Instant.now());
        return opened;
    }

    private void read(Instant now) {
        if (!Files.exists(file)) {
            return;
        }
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            if (in.readInt() == FORMAT && in.readUTF().equals(rules) && in.readLong() == store.lastSeq()) {
                rejected.read(in, now);
                unwanted.read(in, now, rejected::contains);
            } else {
                LOG.debugf("%s is of another time: what was refused before is forgotten", file);
            }
        } catch (IOException | RuntimeException damaged) {
            LOG.warnf("%s cannot be read, so what was refused before is fetched once more: %s", file, damaged);
        }
    }

    /** When nothing is written to the store any more. */
    void save() {
        Path next = file.resolveSibling("unwanted.new");
        try {
            try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(next)))) {
                out.writeInt(FORMAT);
                out.writeUTF(rules);
                out.writeLong(store.lastSeq());
                rejected.write(out);
                unwanted.write(out);
            }
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException failure) {
            LOG.warnf("What was refused could not be saved and will be fetched once more: %s", failure);
        }
    }
}

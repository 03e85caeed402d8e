package dev.graspsync.relay;

import dev.graspsync.nostr.Address;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.relay.Refusal.Because;
import dev.graspsync.store.Provenance;
import dev.graspsync.store.Provenance.Way;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * Why events were refused, across restarts. Written as a whole now and then and at the end; what a crash loses of it is
 * an answer to a question that nobody may ever ask.
 */
final class RefusalFile {

    private static final Logger LOG = Logger.getLogger(RefusalFile.class);
    private static final int FORMAT = 1;
    private static final int MOST = 1_000_000;
    private static final Duration NOW_AND_THEN = Duration.ofMinutes(5);

    private final Path file;
    private final Refusals refusals;
    private long saved;
    private Instant savedAt = Instant.now();

    private RefusalFile(Path file, Refusals refusals) {
        this.file = file;
        this.refusals = refusals;
        this.saved = refusals.changes();
    }

    /** Reads what is there into {@code refusals}; what cannot be read is done without. */
    static RefusalFile open(Path folder, Refusals refusals) {
        Path file = folder.resolve("refusals.bin");
        if (Files.exists(file)) {
            try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
                read(in).forEach(refusals::add);
            } catch (IOException | RuntimeException damaged) {
                LOG.warnf("%s cannot be read, so why events were refused before is forgotten: %s", file, damaged);
            }
        }
        return new RefusalFile(file, refusals);
    }

    /** Called often, writes seldom. */
    void saveNowAndThen() {
        if (!savedAt.plus(NOW_AND_THEN).isAfter(Instant.now())) {
            save();
        }
    }

    /** Where something changed since the last time. */
    void save() {
        long changes = refusals.changes();
        if (changes == saved) {
            return;
        }
        Path next = file.resolveSibling("refusals.new");
        try {
            try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(next)))) {
                write(refusals.all(), out);
            }
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            saved = changes;
            savedAt = Instant.now();
        } catch (IOException failure) {
            LOG.warnf("Why events were refused could not be saved: %s", failure);
        }
    }

    private static void write(List<Refusal> all, DataOutputStream out) throws IOException {
        out.writeInt(FORMAT);
        out.writeInt(all.size());
        for (Refusal refusal : all) {
            out.write(refusal.id().bytes());
            out.writeInt(refusal.kind());
            out.write(refusal.pubkey().bytes());
            out.writeLong(refusal.createdAt());
            out.writeUTF(refusal.address().map(Address::toString).orElse(""));
            out.writeByte(refusal.because().ordinal());
            out.writeUTF(refusal.by().map(EventId::hex).orElse(""));
            out.writeUTF(refusal.message());
            out.writeByte(refusal.lacks().size());
            for (String lack : refusal.lacks()) {
                out.writeUTF(lack);
            }
            out.writeByte(refusal.from().way().ordinal());
            out.writeUTF(refusal.from().relay().map(RelayUrl::toString).orElse(""));
            out.writeLong(refusal.at().toEpochMilli());
        }
    }

    private static List<Refusal> read(DataInputStream in) throws IOException {
        int format = in.readInt();
        int count = in.readInt();
        if (format != FORMAT || count < 0 || count > MOST) {
            throw new IOException("it is of another format");
        }
        List<Refusal> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            EventId id = EventId.ofBytes(in.readNBytes(EventId.BYTES));
            int kind = in.readInt();
            PublicKey pubkey = PublicKey.ofBytes(in.readNBytes(PublicKey.BYTES));
            long createdAt = in.readLong();
            Optional<Address> address = Address.parse(in.readUTF());
            Because because = Because.values()[in.readByte()];
            Optional<EventId> by = EventId.parse(in.readUTF());
            String message = in.readUTF();
            int lackCount = in.readByte();
            List<String> lacks = new ArrayList<>();
            for (int j = 0; j < lackCount; j++) {
                lacks.add(in.readUTF());
            }
            Way way = Way.values()[in.readByte()];
            Optional<RelayUrl> relay = RelayUrl.parse(in.readUTF());
            Instant at = Instant.ofEpochMilli(in.readLong());
            all.add(new Refusal(
                    id, kind, pubkey, createdAt, address, because, by, message, lacks, new Provenance(way, relay), at));
        }
        return all;
    }
}

package dev.graspsync.sync;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.graspsync.nostr.SecretKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.Set;

/** The key by which relays know this service where none is configured: made once, kept in the data folder. */
final class KeyFile {

    static final String NAME = "sync.key";

    private KeyFile() {}

    /** An {@link IllegalStateException} says in one line why there is no key. */
    static SecretKey readOrCreate(Path folder) {
        Path file = folder.resolve(NAME);
        try {
            if (!Files.exists(file)) {
                Files.createDirectories(folder);
                write(file, SecretKey.generate(new SecureRandom()));
            }
            return read(file)
                    .orElseThrow(() -> new IllegalStateException(file.toAbsolutePath()
                            + " holds no secret key of 64 hex digits: restore it, or delete it to get a new one"));
        } catch (IOException failure) {
            throw new IllegalStateException("cannot keep a key in " + file.toAbsolutePath() + ": " + failure, failure);
        }
    }

    private static Optional<SecretKey> read(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        return SecretKey.parse(new String(bytes, US_ASCII).strip());
    }

    /** Whole or not at all, and never readable by others, not even for a moment. */
    private static void write(Path file, SecretKey key) throws IOException {
        Path draft = Files.createTempFile(file.toAbsolutePath().getParent(), NAME, ".new", ownerOnly(file));
        try {
            try (FileChannel channel = FileChannel.open(draft, Set.of(StandardOpenOption.WRITE))) {
                channel.write(ByteBuffer.wrap((key.hex() + "\n").getBytes(US_ASCII)));
                channel.force(true);
            }
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    private static FileAttribute<?>[] ownerOnly(Path file) {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }
}

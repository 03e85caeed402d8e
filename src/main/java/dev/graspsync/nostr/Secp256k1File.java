package dev.graspsync.nostr;

import fr.acinq.secp256k1.Secp256k1;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * libsecp256k1 as a file, from which alone it can be loaded. Its own loader can unpack it too, but then reads it back byte
 * by byte, which takes longer than all the rest of a start. Where there is nothing to unpack, that loader does its work.
 */
final class Secp256k1File {

    private static final String FOLDER_KEY = "fr.acinq.secp256k1.lib.path";
    private static final String NAME_KEY = "fr.acinq.secp256k1.lib.name";
    private static final String NAME = System.mapLibraryName("secp256k1-jni");

    private Secp256k1File() {}

    /** Whether there is a library for this machine to unpack. */
    static boolean isPackaged() {
        return Secp256k1.class.getResource(resource()) != null;
    }

    /** The library, loaded once; a {@link LinkageError} or a {@link RuntimeException} says that it cannot be. */
    static synchronized Secp256k1 load() {
        if (System.getProperty(FOLDER_KEY) != null) {
            return Secp256k1.get();
        }
        Optional<File> file = unpack();
        try {
            file.ifPresent(unpacked -> {
                System.setProperty(FOLDER_KEY, unpacked.getParent());
                System.setProperty(NAME_KEY, NAME);
            });
            return Secp256k1.get();
        } finally {
            // What is loaded needs no name any more.
            System.clearProperty(FOLDER_KEY);
            System.clearProperty(NAME_KEY);
            file.ifPresent(Secp256k1File::remove);
        }
    }

    private static Optional<File> unpack() {
        try (InputStream library = Secp256k1.class.getResourceAsStream(resource())) {
            if (library == null) {
                return Optional.empty();
            }
            File file = Files.createTempDirectory(folder(), "grasp-sync-")
                    .resolve(NAME)
                    .toFile();
            try {
                Files.copy(library, file.toPath());
                return Optional.of(file);
            } catch (IOException full) {
                remove(file);
                return Optional.empty();
            }
        } catch (IOException noFolder) {
            return Optional.empty();
        }
    }

    /** Where it is unpacked to. */
    static Path folder() {
        return Path.of(System.getProperty("fr.acinq.secp256k1.tmpdir", System.getProperty("java.io.tmpdir", "/tmp")));
    }

    private static String resource() {
        String machine = System.getProperty("os.arch", "");
        return "/fr/acinq/secp256k1/jni/native/"
                + System.getProperty("os.name", "").toLowerCase(Locale.ROOT)
                + "-" + (machine.equals("amd64") ? "x86_64" : machine) + "/" + NAME;
    }

    private static void remove(File file) {
        try {
            Files.deleteIfExists(file.toPath());
            Files.deleteIfExists(Path.of(file.getParent()));
        } catch (IOException inUse) {
            file.deleteOnExit();
        }
    }
}

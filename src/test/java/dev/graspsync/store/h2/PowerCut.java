package dev.graspsync.store.h2;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.h2.store.fs.FileBase;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;

/**
 * A file system under which the power fails: after so many writes nothing works any more, and of what was not forced by
 * then any part may be on the disk or not. There is one of it, for one file.
 */
public final class PowerCut extends FilePathWrapper {

    public static final String SCHEME = "powercut:";
    private static final int SECTOR = 512;

    /** What a write or a truncation replaced, and by what; for a truncation that is nothing. */
    private record Change(long position, byte[] before, long sizeBefore, byte[] after) {

        boolean isTruncation() {
            return after.length == 0;
        }
    }

    private static final List<Change> UNFORCED = new ArrayList<>();
    private static long writesLeft;

    /** The power is on, for so many writes. */
    public static void on(long writes) {
        FilePath.register(new PowerCut());
        synchronized (UNFORCED) {
            UNFORCED.clear();
            writesLeft = writes;
        }
    }

    /** How many writes a power cut might take away now. */
    public static int unforced() {
        synchronized (UNFORCED) {
            return UNFORCED.size();
        }
    }

    /** Takes away some of what was not forced: whole writes, or the ends of writes. */
    public static void lose(Path file, Random random) throws IOException {
        synchronized (UNFORCED) {
            writesLeft = 0;
            try (RandomAccessFile disk = new RandomAccessFile(file.toFile(), "rw")) {
                for (Change change : UNFORCED.reversed()) {
                    disk.seek(change.position());
                    disk.write(change.before());
                    disk.setLength(change.sizeBefore());
                }
                for (Change change : UNFORCED) {
                    switch (random.nextInt(3)) {
                        case 0 -> redo(disk, change, change.after().length);
                        case 1 -> redo(disk, change, random.nextInt(change.after().length / SECTOR + 1) * SECTOR);
                        default -> {}
                    }
                }
            }
            UNFORCED.clear();
        }
    }

    private static void redo(RandomAccessFile disk, Change change, int length) throws IOException {
        if (change.isTruncation()) {
            disk.setLength(Math.min(disk.length(), change.position()));
        } else {
            disk.seek(change.position());
            disk.write(change.after(), 0, length);
        }
    }

    @Override
    public String getScheme() {
        return "powercut";
    }

    @Override
    public FileChannel open(String mode) throws IOException {
        synchronized (UNFORCED) {
            if (writesLeft <= 0) {
                throw new IOException("there is no power");
            }
            return new Channel(super.open(mode));
        }
    }

    private static final class Channel extends FileBase {

        private final FileChannel file;

        Channel(FileChannel file) {
            this.file = file;
        }

        private void change(long position, byte[] after) throws IOException {
            if (writesLeft-- <= 0) {
                throw new IOException("the power failed");
            }
            long size = file.size();
            long end = after.length == 0 ? size : Math.min(size, position + after.length);
            ByteBuffer before = ByteBuffer.allocate((int) Math.max(0, end - position));
            while (before.hasRemaining() && file.read(before, position + before.position()) > 0) {
                // to the end
            }
            UNFORCED.add(new Change(position, before.array(), size, after));
        }

        @Override
        public int write(ByteBuffer from, long position) throws IOException {
            synchronized (UNFORCED) {
                byte[] after = new byte[from.remaining()];
                from.duplicate().get(after);
                change(position, after);
                return file.write(from, position);
            }
        }

        @Override
        public int write(ByteBuffer from) throws IOException {
            int written = write(from, file.position());
            file.position(file.position() + written);
            return written;
        }

        @Override
        public FileChannel truncate(long newSize) throws IOException {
            synchronized (UNFORCED) {
                if (newSize < file.size()) {
                    change(newSize, new byte[0]);
                    file.truncate(newSize);
                }
                return this;
            }
        }

        @Override
        public void force(boolean metaData) throws IOException {
            synchronized (UNFORCED) {
                if (writesLeft <= 0) {
                    throw new IOException("the power failed");
                }
                UNFORCED.clear();
            }
        }

        @Override
        public int read(ByteBuffer to) throws IOException {
            return file.read(to);
        }

        @Override
        public int read(ByteBuffer to, long position) throws IOException {
            return file.read(to, position);
        }

        @Override
        public long position() throws IOException {
            return file.position();
        }

        @Override
        public FileChannel position(long newPosition) throws IOException {
            file.position(newPosition);
            return this;
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public FileLock tryLock(long position, long length, boolean shared) throws IOException {
            return file.tryLock(position, length, shared);
        }

        @Override
        protected void implCloseChannel() throws IOException {
            file.close();
        }
    }
}

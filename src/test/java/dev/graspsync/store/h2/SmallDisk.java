package dev.graspsync.store.h2;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.util.concurrent.atomic.AtomicLong;
import org.h2.store.fs.FileBase;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;

/**
 * A file system whose files end at a size: writing beyond it fails as it does on a full disk. It also counts what is read.
 * There is one of it.
 */
public final class SmallDisk extends FilePathWrapper {

    public static final String SCHEME = "smalldisk:";

    private static final AtomicLong READ = new AtomicLong();
    private static volatile long size = Long.MAX_VALUE;

    public static void register() {
        FilePath.register(new SmallDisk());
        resize(Long.MAX_VALUE);
    }

    static long bytesRead() {
        return READ.get();
    }

    public static void resize(long bytes) {
        size = bytes;
    }

    @Override
    public String getScheme() {
        return "smalldisk";
    }

    @Override
    public FileChannel open(String mode) throws IOException {
        return new Channel(super.open(mode));
    }

    private static final class Channel extends FileBase {

        private final FileChannel file;

        Channel(FileChannel file) {
            this.file = file;
        }

        private static void check(long end) throws IOException {
            if (end > size) {
                throw new IOException("No space left on device");
            }
        }

        @Override
        public int write(ByteBuffer from, long position) throws IOException {
            check(position + from.remaining());
            return file.write(from, position);
        }

        @Override
        public int write(ByteBuffer from) throws IOException {
            check(file.position() + from.remaining());
            return file.write(from);
        }

        private static int counted(int bytes) {
            READ.addAndGet(Math.max(0, bytes));
            return bytes;
        }

        @Override
        public int read(ByteBuffer to) throws IOException {
            return counted(file.read(to));
        }

        @Override
        public int read(ByteBuffer to, long position) throws IOException {
            return counted(file.read(to, position));
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
        public FileChannel truncate(long newSize) throws IOException {
            file.truncate(newSize);
            return this;
        }

        @Override
        public void force(boolean metaData) throws IOException {
            file.force(metaData);
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

package dev.graspsync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.process.Corpus;
import dev.graspsync.process.Load;
import dev.graspsync.process.Publishing;
import dev.graspsync.process.RawClient;
import dev.graspsync.process.ServiceCommand;
import dev.graspsync.process.ServiceProcess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** More is asked of the service than fits into its memory: it ends, and what it acknowledged is there. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class TinyHeapIT {

    /** As docs/native.md and docs/cli.md say. */
    private static final int OUT_OF_MEMORY = 3;

    private static final int CLIENTS = 300;
    private static final int PIECE = 60_000;
    private static final int PIECES = 8;

    @TempDir
    Path folder;

    private final List<RawClient> clients = new ArrayList<>();

    @Test
    void runningOutOfMemoryEndsTheProcessAndLosesNothingThatWasAcknowledged() throws Exception {
        Corpus corpus = Corpus.generate(17, 60, 40, 0, "relay.example");
        ServiceProcess service =
                ServiceProcess.start(folder, "relay.example", ServiceCommand.endingWithoutMemory("-Xmx40m"));
        try (Publishing publishing = new Publishing()) {
            // These are acknowledged whatever becomes of the service later.
            publishing.publish(service.port(), corpus.items().subList(0, 100));
            Future<?> running = publishing.begin(service.port(), corpus.items(), 20);
            holdBackTheEndsOfMessages(service.port());

            assertThat(service.awaitEnd()).as(service.log()).isEqualTo(OUT_OF_MEMORY);
            running.get(1, TimeUnit.MINUTES);

            try (ServiceProcess again =
                    ServiceProcess.startAt(service.port(), folder, "-Dgrasp.domain=relay.example")) {
                assertThat(publishing.acknowledged()).isNotEmpty();
                assertThat(Load.ids(again.port())).containsAll(publishing.acknowledged());
            }
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    /** Within every limit there is: each of these messages would be taken, but together they are 140 MB. */
    private void holdBackTheEndsOfMessages(int port) {
        try {
            for (int i = 0; i < CLIENTS; i++) {
                RawClient client = new RawClient(port);
                clients.add(client);
                for (int piece = 0; piece < PIECES; piece++) {
                    client.send(unfinished(piece == 0));
                }
            }
        } catch (IOException gone) {
            // As it is to be.
        }
    }

    /** A frame of a text, or of its continuation, that says that more will come; masked with zeros. */
    private static byte[] unfinished(boolean first) {
        ByteBuffer frame = ByteBuffer.allocate(8 + PIECE);
        frame.put((byte) (first ? 1 : 0)).put((byte) (0x80 | 126)).putShort((short) PIECE);
        return frame.array();
    }
}

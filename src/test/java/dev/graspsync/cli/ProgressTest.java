package dev.graspsync.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What people see while a command works. */
class ProgressTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final PrintStream stream = new PrintStream(out, true, UTF_8);

    private List<String> drawn() {
        return List.of(out.toString(UTF_8).split("\r"));
    }

    @Test
    void onATerminalOneLineIsDrawnOverAgain() {
        Progress progress = new Progress("imported", stream, true);
        progress.at(0.5, 1_000, "");
        progress.end(1, 2_000, "done");

        String all = out.toString(UTF_8);
        assertThat(all).startsWith("\rimported [############............] 50 % 1,000 events, ");
        assertThat(all).endsWith(System.lineSeparator()).containsOnlyOnce(System.lineSeparator());
        assertThat(drawn().getLast()).contains("[########################] 100 % 2,000 events, ", "done");
    }

    @Test
    void aLongLineGetsAShorterBarAndNeverWraps() {
        Progress progress = new Progress("synced", stream, true);
        progress.at(0.25, 1_234_567, "1,234,567 stored, 123,456 to be published");
        progress.end(0.5, 123_456_789, "123,456,789 stored, 123,456,789 to be published, and more");

        assertThat(drawn()).allSatisfy(line -> assertThat(line.strip().length()).isLessThan(80));
        assertThat(drawn().getLast()).startsWith("synced 50 % 123,456,789 events, ");
    }

    @Test
    void aShorterLineLeavesNothingOfALongerOne() {
        Progress progress = new Progress("synced", stream, true);
        progress.at(-1, 1_234_567, "a long story about what happens");
        progress.end(-1, 1, "");

        List<String> lines = drawn();
        assertThat(lines.getLast().stripTrailing()).matches("synced 1 events, [0-9,]+/s");
        assertThat(lines.getLast().replace(System.lineSeparator(), "")).hasSameSizeAs(lines.get(1));
    }

    @Test
    void elsewhereThereIsALineForEachLook() {
        Progress progress = new Progress("exported", stream, false);
        progress.at(0.5, 10, "");
        progress.end(1, 20, "done");

        assertThat(out.toString(UTF_8).lines())
                .satisfiesExactly(
                        first -> assertThat(first).startsWith("exported 50 % 10 events, "),
                        last -> assertThat(last)
                                .startsWith("exported 100 % 20 events, ")
                                .endsWith(", done"));
    }
}

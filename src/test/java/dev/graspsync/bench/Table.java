package dev.graspsync.bench;

import java.util.ArrayList;
import java.util.List;

/** What was measured: each line as soon as it is known, and all of them at the end. */
final class Table {

    private record Row(String what, String figure, String target, String notes) {}

    private final List<Row> rows = new ArrayList<>();

    void row(String what, String figure, String target, String notes) {
        Row row = new Row(what, figure, target, notes);
        rows.add(row);
        StringBuilder line = new StringBuilder();
        line(line, row);
        System.out.print(line);
    }

    @Override
    public String toString() {
        StringBuilder out = new StringBuilder("\n");
        line(out, new Row("measured", "figure", "target", "notes"));
        out.append("-".repeat(140)).append('\n');
        rows.forEach(row -> line(out, row));
        return out.toString();
    }

    private static void line(StringBuilder out, Row row) {
        out.append("%-44s %24s  %-12s %s%n".formatted(row.what, row.figure, row.target, row.notes));
    }
}

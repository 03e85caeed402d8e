package dev.graspsync.bench;

import java.util.ArrayList;
import java.util.List;

/** What was measured, line by line; printed at the end, whole, whatever else the build writes. */
final class Table {

    private record Row(String what, String figure, String target, String notes) {}

    private final List<Row> rows = new ArrayList<>();

    void row(String what, String figure, String target, String notes) {
        rows.add(new Row(what, figure, target, notes));
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

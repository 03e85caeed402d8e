package dev.graspsync.sync.core;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Items asked for together: they are confirmed together, if every subscription of the batch was drained (rule 6). */
final class PendingBatch {

    /** Items of one repository. */
    record Slice(RepoAtRelay repo, BitSet numbers) {}

    private final Purpose purpose;
    private final boolean whole;
    private final Set<Reconciliation> paged = new HashSet<>(0);
    private final List<Slice> slices = new ArrayList<>();
    private int outstanding;
    private @Nullable Outcome failure;

    /** @param whole whether the comparison of everything stands for these items */
    PendingBatch(Purpose purpose, boolean whole) {
        this.purpose = purpose;
        this.whole = whole;
    }

    boolean isWhole() {
        return whole;
    }

    /** Whether this comparison has not been replaced by pages yet; it is from now on. */
    boolean replace(Reconciliation query) {
        return paged.add(query);
    }

    Purpose purpose() {
        return purpose;
    }

    void add(RepoAtRelay repo, BitSet numbers) {
        repo.begin(numbers);
        slices.add(new Slice(repo, numbers));
    }

    List<Slice> slices() {
        return slices;
    }

    Set<Layer> layers() {
        Set<Layer> layers = EnumSet.noneOf(Layer.class);
        for (Slice slice : slices) {
            slice.numbers().stream()
                    .forEach(number -> layers.add(slice.repo.repo().item(number).layer()));
        }
        return layers;
    }

    int items() {
        return slices.stream().mapToInt(slice -> slice.numbers().cardinality()).sum();
    }

    void begin(int queries) {
        outstanding += queries;
    }

    /** Notes how one query ended; returns whether it was the last. */
    boolean ended(Outcome outcome) {
        if (!(outcome instanceof Outcome.Drained)) {
            failure = outcome;
        }
        outstanding--;
        return outstanding == 0;
    }

    /** Why the batch is not confirmed; null where it is. */
    @Nullable
    Outcome failure() {
        return failure;
    }
}

package dev.graspsync.observe.api;

import java.util.List;

/**
 * One repository, as in a table.
 *
 * @param name as it is announced; where it has none, its identifier
 * @param roots patches, pull requests and issues
 * @param relays it names, but this one
 * @param items wanted, at all its relays together
 * @param confirmed of those, the ones a relay was asked for everything about
 */
record RepoRow(
        String address,
        String naddr,
        String name,
        int roots,
        int relays,
        long items,
        long confirmed,
        boolean complete) {

    /** One page of repositories, and how many there are in all. */
    record Page(int total, List<RepoRow> repos) {}
}

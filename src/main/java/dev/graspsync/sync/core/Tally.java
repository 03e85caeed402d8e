package dev.graspsync.sync.core;

/** The items of one or more repositories at a relay, counted by layer. */
record Tally(Count repos, Count roots, Count references) {

    static final Tally NONE = new Tally(Count.NONE, Count.NONE, Count.NONE);

    Tally plus(Tally other) {
        return new Tally(repos.plus(other.repos), roots.plus(other.roots), references.plus(other.references));
    }

    Tally minus(Tally other) {
        return new Tally(repos.minus(other.repos), roots.minus(other.roots), references.minus(other.references));
    }

    Count sum() {
        return repos.plus(roots).plus(references);
    }
}

package dev.graspsync.sync.core;

/** What an item asks for (rule 13). */
public enum Layer {
    ANNOUNCEMENTS("announcements"),
    REPOSITORIES("repositories"),
    ROOT_EVENTS("root events"),
    REFERENCES("references");

    private final String words;

    Layer(String words) {
        this.words = words;
    }

    /** As the design counts them, from 1. */
    public int number() {
        return ordinal() + 1;
    }

    @Override
    public String toString() {
        return words;
    }
}

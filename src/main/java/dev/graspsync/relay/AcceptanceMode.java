package dev.graspsync.relay;

/** Which repository announcements this relay takes ({@code grasp.acceptance}). */
public enum AcceptanceMode {
    /** Those that list this service in {@code relays} and {@code clone} (GRASP-01). */
    HOSTED,
    /** Those that list this service in {@code relays}. */
    RELAYS,
    /** All. */
    ARCHIVE
}

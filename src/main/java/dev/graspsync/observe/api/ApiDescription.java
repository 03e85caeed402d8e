package dev.graspsync.observe.api;

/** Names in the description of the API ({@code /api/openapi}); what they stand for is said once for the package. */
final class ApiDescription {

    static final String TOKEN = "token";
    static final String BAD = "BadRequest";
    static final String NO_TOKEN = "NoToken";
    static final String OFF = "ActionsAreOff";
    static final String UNKNOWN = "Unknown";
    static final String BUSY = "Busy";

    private ApiDescription() {}
}

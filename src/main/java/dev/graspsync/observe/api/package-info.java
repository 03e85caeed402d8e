/**
 * The status API under {@code /api}: what is here, what is wanted of whom, and why something is not here. Questions
 * enter over HTTP, JSON leaves; {@code GET} changes nothing. Reads counters, copies and the store, and never waits for
 * the sync engine. The contract is described by {@code /api/openapi}.
 */
@OpenAPIDefinition(
        info = @Info(title = "grasp-sync", version = "1"),
        components =
                @Components(
                        responses = {
                            @APIResponse(
                                    name = ApiDescription.BAD,
                                    description = "Something about the request is wrong; the sentence says what",
                                    content =
                                            @Content(
                                                    mediaType = "application/json",
                                                    schema = @Schema(implementation = ApiProblem.class))),
                            @APIResponse(
                                    name = ApiDescription.NO_TOKEN,
                                    description = "The token is missing or not the configured one",
                                    content =
                                            @Content(
                                                    mediaType = "application/json",
                                                    schema = @Schema(implementation = ApiProblem.class))),
                            @APIResponse(
                                    name = ApiDescription.OFF,
                                    description = "No token is configured, so there are no actions",
                                    content =
                                            @Content(
                                                    mediaType = "application/json",
                                                    schema = @Schema(implementation = ApiProblem.class))),
                            @APIResponse(
                                    name = ApiDescription.UNKNOWN,
                                    description = "Nothing of this name is here; the sentence says where to ask",
                                    content =
                                            @Content(
                                                    mediaType = "application/json",
                                                    schema = @Schema(implementation = ApiProblem.class))),
                            @APIResponse(
                                    name = ApiDescription.BUSY,
                                    description = "Too many listen already: try again later",
                                    content =
                                            @Content(
                                                    mediaType = "application/json",
                                                    schema = @Schema(implementation = ApiProblem.class)))
                        },
                        securitySchemes =
                                @SecurityScheme(
                                        securitySchemeName = ApiDescription.TOKEN,
                                        type = SecuritySchemeType.HTTP,
                                        scheme = "bearer",
                                        description = "The token of grasp.api.token")))
@NullMarked
package dev.graspsync.observe.api;

import org.eclipse.microprofile.openapi.annotations.Components;
import org.eclipse.microprofile.openapi.annotations.OpenAPIDefinition;
import org.eclipse.microprofile.openapi.annotations.enums.SecuritySchemeType;
import org.eclipse.microprofile.openapi.annotations.info.Info;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.security.SecurityScheme;
import org.jspecify.annotations.NullMarked;

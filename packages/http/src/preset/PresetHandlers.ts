/**
 * Answers the preset operations: one service call each, and what its refusals are on the wire.
 */
import type { DesignatedPreset } from "@verbatim/core/preset/DesignatedPreset"
import { Presets } from "@verbatim/core/preset/Presets"
import { toView } from "@verbatim/core/preset/PresetView"
import { Cause, Effect, type Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import { Api } from "../Api.ts"
import { Caller, type PresetAuthentication } from "../Authentication.ts"
import { readRequest } from "./PresetBody.ts"
import { refuse, refuseUnexpected, refuseWrite } from "./PresetErrors.ts"

/** The body is JSON already: it is written without another look at its schema. */
const answer = (found: DesignatedPreset) => HttpServerResponse.jsonUnsafe({ data: toView(found) })

/** The preset operations over the service `Presets`. */
export const layer: Layer.Layer<
  HttpApiGroup.Service<"verbatim", "presets">,
  never,
  Presets | PresetAuthentication
> = HttpApiBuilder.group(
  Api,
  "presets",
  Effect.fnUntraced(function* (handlers) {
    const presets = yield* Presets
    return handlers
      .handleRaw("createFromResponses", ({ params: { slug }, request }) =>
        Effect.flatMap(Caller, (principal) =>
          presets
            .create({
              principal,
              slug,
              sessionIdHeader: request.headers["x-session-id"],
              body: readRequest(request)
            })
            .pipe(
              Effect.map(answer),
              Effect.catchTags({
                ManagementKeyRequired: () =>
                  refuse(principal, {
                    status: 403,
                    message: "Only management keys can perform this operation"
                  }),
                InvalidRequest: ({ message }) => refuse(principal, { status: 400, message }),
                PresetStoreError: (error) => refuseWrite(principal, error)
              }),
              Effect.catchDefect((defect) => refuseUnexpected(principal, Cause.die(defect)))
            )
        )
      )
      .handleRaw("get", ({ params: { slug } }) =>
        Effect.flatMap(Caller, (principal) =>
          presets.get(principal, slug).pipe(
            Effect.map(answer),
            Effect.catchTags({
              InvalidRequest: ({ message }) => refuse(principal, { status: 400, message }),
              PresetNotFound: () => refuse(principal, { status: 404, message: "Preset not found" }),
              PresetStoreError: (error) => refuseUnexpected(principal, Cause.fail(error))
            }),
            Effect.catchDefect((defect) => refuseUnexpected(principal, Cause.die(defect)))
          )
        )
      )
  })
)

/**
 * Answers the preset operations: one service call each, and what its refusals are on the wire.
 */

import { toListedView, toVersionView } from "@verbatim/core/domain/preset/PresetView"
import {
  chatCompletions,
  messages,
  type RequestFormat,
  responses
} from "@verbatim/core/domain/request/RequestFormat"
import { Presets } from "@verbatim/core/services/Presets"
import { Effect, type Layer } from "effect"
import type { HttpServerRequest } from "effect/http"
import { HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import { Api } from "../Api.ts"
import type { PresetAuthentication } from "../Authentication.ts"
import { ofWritten } from "../WrittenAnswer.ts"
import { json, ofPreset, toDesignationView } from "./PresetAnswers.ts"
import { changeOf, designationOf, readRequest } from "./PresetBody.ts"
import { reading, writing } from "./PresetErrors.ts"
import { type PresetParameterRules, pageOf } from "./PresetParameters.ts"

/** A request to store a preset, as the service takes it. */
const creationOf = (request: HttpServerRequest.HttpServerRequest, format: RequestFormat) => ({
  format,
  sessionIdHeader: request.headers["x-session-id"],
  idempotencyKey: request.headers["idempotency-key"],
  body: readRequest(request)
})

/** The preset operations over the service `Presets`. */
export const layer: Layer.Layer<
  HttpApiGroup.Service<"verbatim", "presets">,
  never,
  Presets | PresetAuthentication | PresetParameterRules
> = HttpApiBuilder.group(
  Api,
  "presets",
  Effect.fnUntraced(function* (handlers) {
    const presets = yield* Presets
    return handlers
      .handleRaw("createFromResponses", ({ params: { slug }, request }) =>
        writing((principal) =>
          presets.create({ principal, slug, ...creationOf(request, responses) })
        ).pipe(Effect.map(ofPreset))
      )
      .handleRaw("createFromChatCompletions", ({ params: { slug }, request }) =>
        writing((principal) =>
          presets.create({ principal, slug, ...creationOf(request, chatCompletions) })
        ).pipe(Effect.map(ofPreset))
      )
      .handleRaw("createFromMessages", ({ params: { slug }, request }) =>
        writing((principal) =>
          presets.create({ principal, slug, ...creationOf(request, messages) })
        ).pipe(Effect.map(ofPreset))
      )
      .handleRaw("list", ({ query }) =>
        reading((principal) => presets.list(principal, pageOf(query))).pipe(
          Effect.map((found) =>
            json({ data: found.presets.map(toListedView), total_count: found.total })
          )
        )
      )
      .handleRaw("get", ({ params: { slug } }) =>
        Effect.map(
          reading((principal) => presets.get({ principal, slug })),
          ofPreset
        )
      )
      .handleRaw("revise", ({ params: { slug }, request }) =>
        writing((principal) => presets.revise({ principal, slug, ...changeOf(request) })).pipe(
          Effect.map(ofPreset)
        )
      )
      .handleRaw("versions", ({ params: { slug }, query }) =>
        Effect.map(
          reading((principal) => presets.versionsText({ principal, slug }, pageOf(query))),
          ofWritten
        )
      )
      .handleRaw("version", ({ params: { slug, version } }) =>
        reading((principal) => presets.version({ principal, slug }, version)).pipe(
          Effect.map((found) => json({ data: toVersionView(found) }))
        )
      )
      .handleRaw("designate", ({ params: { slug }, request }) =>
        writing((principal) =>
          presets.designate({ principal, slug, ...designationOf(request) })
        ).pipe(Effect.map(ofPreset))
      )
      .handleRaw("designations", ({ params: { slug }, query }) =>
        reading((principal) => presets.designations({ principal, slug }, pageOf(query))).pipe(
          Effect.map((found) => json({ data: found.map(toDesignationView) }))
        )
      )
      .handleRaw("diff", ({ params: { slug }, query }) =>
        reading((principal) => presets.diff({ principal, slug }, query)).pipe(
          Effect.map((data) => json({ data }))
        )
      )
  })
)

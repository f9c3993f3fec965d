/**
 * Answers the operations about the server itself.
 */
import { Effect, type Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import { Api, documentPaths, version } from "../Api.ts"
import { Health, type HealthReport, isReady, toView } from "./Health.ts"

const answer = (isFine: (report: HealthReport) => boolean) => (report: HealthReport) =>
  HttpServerResponse.jsonUnsafe(toView(report), { status: isFine(report) ? 200 : 503 })

/** The operations about the server over the service `Health`. */
export const layer: Layer.Layer<
  HttpApiGroup.Service<"verbatim", "system">,
  never,
  Health
> = HttpApiBuilder.group(
  Api,
  "system",
  Effect.fnUntraced(function* (handlers) {
    const { report } = yield* Health
    return handlers
      .handleRaw("health", () =>
        Effect.map(
          report,
          answer(({ isStoreUp }) => isStoreUp)
        )
      )
      .handleRaw("ready", () => Effect.map(report, answer(isReady)))
      .handle("welcome", () =>
        Effect.succeed({
          name: "verbatim",
          version,
          documentation: documentPaths.page,
          description: documentPaths.openapi
        })
      )
  })
)

/**
 * Answers the operations about the server itself.
 */
import { version } from "@verbatim/core/version"
import { Effect, type Layer } from "effect"
import { HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import { Api, documentPaths } from "../../contract/Api.ts"
import { MountedAt } from "../edge/Mount.ts"
import { type Health, type HealthReport, isReady, toView } from "./Health.ts"
import { makeReading, type ReadReport } from "./HealthAudience.ts"

/** Answers with a report: as a success when all is well, else as an error of the same form. */
const answerIf =
  (isWell: (report: HealthReport) => boolean) =>
  ([report, audience]: ReadReport) => {
    const view = toView(report, audience)
    return isWell(report) ? Effect.succeed(view) : Effect.fail(view)
  }

/** The operations about the server over the service `Health`. */
export const layer: Layer.Layer<
  HttpApiGroup.Service<"verbatim", "system">,
  never,
  Health
> = HttpApiBuilder.group(
  Api,
  "system",
  Effect.fnUntraced(function* (handlers) {
    const reading = yield* makeReading
    const prefix = yield* MountedAt
    return handlers
      .handle("health", () =>
        Effect.flatMap(
          reading,
          answerIf(({ isStoreUp }) => isStoreUp)
        )
      )
      .handle("ready", () => Effect.flatMap(reading, answerIf(isReady)))
      .handle("welcome", () =>
        Effect.succeed({
          name: "verbatim",
          version,
          documentation: prefix + documentPaths.page,
          description: prefix + documentPaths.openapi
        })
      )
  })
)

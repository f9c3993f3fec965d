/**
 * Answers the operations about the server itself.
 */
import { version } from "@verbatim/core/version"
import { Effect, type Layer } from "effect"
import { HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import { Api, documentPaths } from "../Api.ts"
import { MountedAt } from "../Mount.ts"
import { type Audience, Health, type HealthReport, isReady, toView } from "./Health.ts"
import { makeAudience } from "./HealthAudience.ts"

/** Answers with a report: as a success when all is well, else as an error of the same form. */
const answerIf =
  (isWell: (report: HealthReport) => boolean) =>
  ([report, audience]: readonly [HealthReport, Audience]) => {
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
    const { report } = yield* Health
    const asked = Effect.zip(report, yield* makeAudience, { concurrent: true })
    const prefix = yield* MountedAt
    return handlers
      .handle("health", () =>
        Effect.flatMap(
          asked,
          answerIf(({ isStoreUp }) => isStoreUp)
        )
      )
      .handle("ready", () => Effect.flatMap(asked, answerIf(isReady)))
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

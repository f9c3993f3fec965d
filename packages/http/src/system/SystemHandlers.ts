/**
 * Answers the operations about the server itself.
 */
import { version } from "@verbatim/core/version"
import { Effect, type Layer } from "effect"
import { HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import { Api, documentPaths } from "../Api.ts"
import { MountedAt } from "../Mount.ts"
import { Health, type HealthReport, isReady, toView } from "./Health.ts"

/** Answers with a report: as a success when all is well, else as an error of the same form. */
const answerIf = (isWell: (report: HealthReport) => boolean) => (report: HealthReport) =>
  isWell(report) ? Effect.succeed(toView(report)) : Effect.fail(toView(report))

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
    const prefix = yield* MountedAt
    return handlers
      .handle("health", () =>
        Effect.flatMap(
          report,
          answerIf(({ isStoreUp }) => isStoreUp)
        )
      )
      .handle("ready", () => Effect.flatMap(report, answerIf(isReady)))
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

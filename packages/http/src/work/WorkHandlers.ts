/** Answers the operation on work. */
import type { WorkerRegistry } from "@verbatim/core/ports"
import { Surveys } from "@verbatim/core/worker"
import { Effect, Layer } from "effect"
import { HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import { Api } from "../Api.ts"
import type { OperatorAuthentication } from "../Authentication.ts"
import { toView } from "./SurveyView.ts"

/** The operation over what the workers say of themselves. */
export const layer: Layer.Layer<
  HttpApiGroup.Service<"verbatim", "work">,
  never,
  OperatorAuthentication | WorkerRegistry
> = HttpApiBuilder.group(
  Api,
  "work",
  Effect.fnUntraced(function* (handlers) {
    const { survey } = yield* Surveys
    return handlers.handle("survey", () => Effect.orDie(Effect.map(survey, toView)))
  })
).pipe(Layer.provide(Surveys.layer))

/** Answers the operations on work. */
import type { WorkerRegistry, WorkQueue } from "@verbatim/core/ports"
import { QueueHistory, Surveys } from "@verbatim/core/worker"
import { Effect, Layer } from "effect"
import { HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import { Api } from "../../contract/Api.ts"
import type { OperatorAuthentication } from "../../contract/Authentication.ts"
import { toSampleView, toView } from "../../contract/work/SurveyView.ts"

/** The operations over what the workers say of themselves, and over what they leave undone. */
export const layer: Layer.Layer<
  HttpApiGroup.Service<"verbatim", "work">,
  never,
  OperatorAuthentication | WorkerRegistry | WorkQueue
> = HttpApiBuilder.group(
  Api,
  "work",
  Effect.fnUntraced(function* (handlers) {
    const { survey } = yield* Surveys
    const { samples } = yield* QueueHistory
    return handlers
      .handle("survey", () => Effect.orDie(Effect.map(survey, toView)))
      .handle("queueHistory", () => Effect.map(samples, (all) => ({ data: all.map(toSampleView) })))
  })
).pipe(Layer.provide([QueueHistory.layer, Surveys.layer]))

/**
 * Which service does which kind of work.
 */
import { Context, Effect, Layer } from "effect"
import { Deliveries } from "../delivery/Deliveries.ts"
import type { Assignment, Outcome } from "../job/Assignment.ts"
import type { Failure } from "../job/Failure.ts"
import type { WorkKind } from "../job/Work.ts"
import { Summaries } from "../summary/Summaries.ts"
import { Transcriptions } from "../transcription/Transcriptions.ts"

export class Assignments extends Context.Service<
  Assignments,
  {
    /** Does the work of one attempt. Interruption stops it at once. */
    readonly perform: (kind: WorkKind, assignment: Assignment) => Effect.Effect<Outcome, Failure>
  }
>()("@verbatim/core/worker/Assignments") {
  static readonly layer: Layer.Layer<Assignments, never, Deliveries | Summaries | Transcriptions> =
    Layer.effect(
      Assignments,
      Effect.gen(function* () {
        const { deliver } = yield* Deliveries
        const { summarize } = yield* Summaries
        const { fetch, transcribe } = yield* Transcriptions
        const services: Readonly<
          Record<WorkKind, (assignment: Assignment) => Effect.Effect<Outcome, Failure>>
        > = {
          Fetch: fetch,
          Transcribe: transcribe,
          Summarize: summarize,
          Deliver: deliver
        }
        return Assignments.of({ perform: (kind, assignment) => services[kind](assignment) })
      })
    )
}

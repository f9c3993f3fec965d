/**
 * Which service does which task.
 */
import { Context, Effect, Layer } from "effect"
import { Deliveries, type Prepared } from "../delivery/Deliveries.ts"
import type { Assignment, Outcome } from "../job/Assignment.ts"
import type { Failure } from "../job/Failure.ts"
import type { Job } from "../job/Job.ts"
import type { Task } from "../job/Work.ts"
import { Summaries } from "../summary/Summaries.ts"
import { Transcriptions } from "../transcription/Transcriptions.ts"

export class Assignments extends Context.Service<
  Assignments,
  {
    /** What is made before a webhook is sent for the first time. */
    readonly prepare: (job: Job) => Effect.Effect<Prepared, Failure>
    /** Does the work of one attempt. Interruption stops it at once. */
    readonly perform: (task: Task, assignment: Assignment) => Effect.Effect<Outcome, Failure>
  }
>()("@verbatim/core/worker/Assignments") {
  static readonly layer: Layer.Layer<Assignments, never, Deliveries | Summaries | Transcriptions> =
    Layer.effect(
      Assignments,
      Effect.gen(function* () {
        const { deliver, prepare } = yield* Deliveries
        const { summarize } = yield* Summaries
        const { fetch, transcribe } = yield* Transcriptions
        const services: Readonly<
          Record<Task, (assignment: Assignment) => Effect.Effect<Outcome, Failure>>
        > = {
          Fetch: fetch,
          Transcribe: transcribe,
          Summarize: summarize,
          Deliver: deliver
        }
        return Assignments.of({
          prepare,
          perform: (task, assignment) => services[task](assignment)
        })
      })
    )
}

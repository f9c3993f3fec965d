/**
 * Which service does which task.
 */
import { Context, Effect, Layer } from "effect"
import type { Failure } from "../domain/attempt/Failure.ts"
import type { Task } from "../domain/attempt/Work.ts"
import type { Job } from "../domain/job/Job.ts"
import type { Assignment, Outcome } from "../services/Assignment.ts"
import { Deliveries, type Prepared } from "../services/Deliveries.ts"
import { Summaries } from "../services/Summaries.ts"
import { Transcriptions } from "../services/Transcriptions.ts"

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

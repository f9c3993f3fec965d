/** Sets up hosts that request notices, with scripted listeners. */
import { Clock, Effect, Layer } from "effect"
import { JobId } from "#src/domain/attempt/Attempt"
import type { JobView } from "#src/domain/job/JobView"
import { NoticesEnabled } from "#src/domain/notice/Notice"
import type { Principal } from "#src/domain/workspace/ApiKey"
import { type JobCall, JobListener, type JobListenerError } from "#src/ports/JobListener"
import { JobStore } from "#src/ports/JobStore"
import { caller, using } from "../world/caller.ts"
import { front, outside, worker } from "../world/world.ts"

interface Heard extends JobCall {
  readonly atMillis: number
}

/** A worker with a listener that records its calls and runs an effect for each. */
export const listening = (
  does: (call: JobCall) => Effect.Effect<void, JobListenerError>,
  working = worker
) => {
  const calls: Array<Heard> = []
  const layer = Layer.succeed(JobListener, {
    finished: (call) =>
      Effect.flatMap(Clock.currentTimeMillis, (atMillis) => {
        calls.push({ ...call, atMillis })
        return does(call)
      })
  })
  return { calls, worker: Layer.fresh(working.pipe(Layer.provide(layer))) }
}

const wanting = (isWanted: boolean) =>
  front.pipe(Layer.provide(Layer.succeed(NoticesEnabled, isWanted)), Layer.provideMerge(outside))

type Step = Effect.Effect<unknown, unknown, unknown>

/** Runs steps as a caller of a host that requests notices. */
export const withHost = <S extends Step, A>(
  steps: (principal: Principal) => Generator<S, A, never>,
  isWanted = true
) =>
  caller.pipe(
    Effect.flatMap(Effect.fnUntraced(steps)),
    Effect.scoped,
    Effect.provide(wanting(isWanted))
  )

/** Returns the notice's events from the job's history. */
export const noticesOf = (principal: Principal, { id }: JobView) =>
  Effect.map(
    using((jobs) => jobs.history(principal, id)),
    ({ events }) => events.filter(({ about }) => about === "notice")
  )

export const stored = (principal: Principal, { id }: JobView) =>
  Effect.flatMap(JobStore, (store) => store.find(principal.workspaceId, JobId.make(id))).pipe(
    Effect.flatMap(Effect.fromOption)
  )

/** Hosts that want to be told of jobs, and their listeners. */
import { Clock, Effect, Layer } from "effect"
import { JobId } from "#src/domain/attempt/Attempt"
import type { JobView } from "#src/domain/job/JobView"
import type { Hook } from "#src/domain/notice/Hook"
import { NoticeWanted } from "#src/domain/notice/NoticeWanted"
import type { Principal } from "#src/domain/workspace/ApiKey"
import { type JobCall, JobListener, type JobListenerError } from "#src/ports/JobListener"
import { JobStore } from "#src/ports/JobStore"
import { Jobs } from "#src/services/Jobs"
import { caller } from "../world/caller.ts"
import { front, outside, worker } from "../world/world.ts"

interface Heard extends JobCall {
  readonly atMillis: number
}

/** A listener that does this, and the calls that it got. */
export const listening = (
  does: (call: JobCall) => Effect.Effect<void, JobListenerError>,
  working = worker
) => {
  const calls: Array<Heard> = []
  const layer = listenerOf(["finished"], (_, call) =>
    Effect.flatMap(Clock.currentTimeMillis, (atMillis) => {
      calls.push({ ...call, atMillis })
      return does(call)
    })
  )
  return { calls, worker: Layer.fresh(working.pipe(Layer.provide(layer))) }
}

/** A listener with these hooks. */
export const listenerOf = (
  hooks: ReadonlyArray<Hook>,
  tell: (hook: Hook, call: JobCall) => Effect.Effect<void, JobListenerError>
) =>
  Layer.succeed(
    JobListener,
    Object.fromEntries(hooks.map((hook) => [hook, (call: JobCall) => tell(hook, call)]))
  )

const wanting = (hooks: ReadonlyArray<Hook>) => {
  const wanted = {
    transcribed: hooks.includes("transcribed"),
    finished: hooks.includes("finished")
  }
  return front.pipe(Layer.provide(Layer.succeed(NoticeWanted, wanted)), Layer.provideMerge(outside))
}

type Step = Effect.Effect<unknown, unknown, unknown>

/** Takes steps as the caller of a host that wants to be told. */
export const withHost = <S extends Step, A>(
  steps: (principal: Principal) => Generator<S, A, never>,
  wanted: ReadonlyArray<Hook> = ["finished"]
) =>
  caller.pipe(
    Effect.flatMap(Effect.fnUntraced(steps)),
    Effect.scoped,
    Effect.provide(wanting(wanted))
  )

/** Asks something of the jobs. */
export const using = <A, E, R>(use: (jobs: Jobs["Service"]) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(Jobs, use)

/** What the history tells of the notice. */
export const noticesOf = (principal: Principal, { id }: JobView) =>
  Effect.map(
    using((jobs) => jobs.history(principal, id)),
    ({ events }) => events.filter(({ about }) => about === "notice")
  )

/** The job as it is stored. */
export const stored = (principal: Principal, { id }: JobView) =>
  Effect.flatMap(JobStore, (store) => store.find(principal.workspaceId, JobId.make(id))).pipe(
    Effect.flatMap(Effect.fromOption)
  )

/**
 * The simulated listener of a host process. It records each call, and then returns, fails, dies,
 * hangs or crashes its process. The process can also crash before it writes the listener's result.
 */
import { isFinished, type Job, toView } from "@verbatim/core/job"
import { type JobCall, type JobListener, JobListenerError } from "@verbatim/core/ports"
import { Duration, Effect, Option } from "effect"
import type { FaultName } from "../faults/Faults.ts"
import type { Lifetime } from "../world/Lifetime.ts"
import { listenerDeath, type World } from "../world/World.ts"

/** Time in milliseconds within which most listener calls end. */
const usualMillis = 500

/** Maximum delay of a call, shorter than a listener's timeout. */
const slowMaxMillis = 25_000

/** Age in milliseconds at which a clock check is outdated. */
const freshMillis = 1_000

const isOver = (job: Job): boolean =>
  isFinished(toView(job, { balanceMillis: 0, transcript: Option.none() }))

export const make = (world: World, lifetime: Lifetime): JobListener["Service"] => {
  const { facts, faults, timeline, trace } = world
  const { name } = lifetime.actor
  const chance = world.dice(`listener of ${name}`)
  const takes = (min: number, max: number) =>
    Effect.sleep(Duration.millis(chance.between(min, max)))

  return {
    finished: Effect.fnUntraced(function* ({ attempt, id: noticeId, job }: JobCall) {
      // Most jobs end after the other faults have ended, so listener faults continue.
      const strikes = (fault: FaultName) => faults.strikes(fault, `listener of ${name}`, job.id)
      const wasFrozen =
        timeline.now() - lifetime.resumedAt < freshMillis || timeline.now() < lifetime.misledUntil
      const call = { id: job.id, noticeId, attempt, by: name }
      facts.push({ _tag: "Called", ...call, at: timeline.now(), wasFrozen, isOver: isOver(job) })
      trace.add(name, `is called for ${job.id}, attempt ${attempt}`)
      if (faults.strikes("listener ends its process", name, job.id)) {
        lifetime.crash("its listener ended it")
        return yield* Effect.never
      }
      if (strikes("listener hangs")) return yield* Effect.never
      yield* takes(1, usualMillis)
      if (strikes("listener is slow")) yield* takes(1_000, slowMaxMillis)
      if (strikes("listener dies")) return yield* Effect.die(new Error(listenerDeath))
      if (strikes("listener fails")) return yield* new JobListenerError({ detail: "it failed" })
      facts.push({ _tag: "Heard", ...call, at: timeline.now() })
      if (strikes("process crashes after its listener")) {
        lifetime.crash("after its listener returned")
        return yield* Effect.never
      }
    })
  }
}

/**
 * The waits trial at the end of a round. Host transactions hold keys and a workspace; some callers
 * need exactly these rows, and later callers do not. The trial ends when all callers have an
 * answer.
 */
import { Duration, Effect, Fiber } from "effect"
import { upTo } from "../samples/Ids.ts"
import { dice } from "../simulation/clock/Seed.ts"
import type { Calls } from "./calls/CallRecord.ts"
import type { jobCalls } from "./calls/JobCalls.ts"
import { jobShapes } from "./calls/JobShape.ts"
import type { Recorder } from "./calls/Recorder.ts"
import { waitsTrial } from "./judge/Waits.ts"
import { hold } from "./moves/TroubleMoves.ts"
import { Troubles } from "./Troubles.ts"

/**
 * Number of keys that the host holds. Even two held keys could occupy every slot for shared
 * statements.
 */
const keysMax = 4

/** Number of callers for the held workspace, which wait one after the other. */
const limitedMax = 3

/** Number of later callers, which use free keys and a free workspace. */
const freeMax = 12

/** Pause between two callers, so that no two callers share a statement. */
const pause = Duration.millis(100)

/** Inputs for a trial. */
export interface TrialOf {
  readonly round: number
  readonly todayMillis: number
  readonly recorder: Recorder
  readonly jobs: Effect.Success<ReturnType<typeof jobCalls>>
}

/** Holds keys and a workspace, and starts the callers. Returns the numbers of the callers' jobs. */
export const tryWaits = Effect.fnUntraced(function* ({
  jobs,
  recorder,
  round,
  todayMillis
}: TrialOf) {
  const troubles = yield* Troubles
  if (!troubles.holdsRows) return []
  const caller = { name: waitsTrial, dice: dice(round, waitsTrial), isPatient: true }
  const numbers: Array<number> = []

  const insert = (commitSpec: Pick<Calls["insert"], "isLimited"> & { readonly key?: string }) => {
    const job = recorder.number()
    numbers.push(job)
    const { key: name, ...limit } = commitSpec
    const key = name === undefined ? null : { name, atMillis: todayMillis }
    return jobs.insert(caller, { job, shape: caller.dice.pick(jobShapes), key, ...limit })
  }

  const names = upTo(keysMax).map((number) => `held-${round}-${number}`)
  const blocked = [
    ...names.map((key) => insert({ key })),
    ...upTo(limitedMax).map(() => insert({ isLimited: true }))
  ]
  const free = upTo(freeMax).map((number) =>
    insert(number % 2 === 0 ? {} : { key: `free-${round}-${number}` })
  )
  const oneByOne = Effect.forEach([...blocked, ...free], (attempted) =>
    Effect.andThen(Effect.sleep(pause), Effect.forkChild(attempted))
  )
  const during = Effect.flatMap(oneByOne, (fibers) =>
    Effect.forEach(fibers, (fiber) => Fiber.await(fiber), { discard: true })
  )
  const player = { ...caller, recorder, troubles }
  yield* names.reduce<Effect.Effect<unknown>>(
    (inner, key) => hold(player, { of: "key", key }, inner),
    hold(player, { of: "workspace" }, during)
  )
  return numbers
})

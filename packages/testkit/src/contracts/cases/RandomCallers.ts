/**
 * The case in which many fibers make random calls. A store's other cases cover what random calls
 * rarely reach and what the judge does not see.
 */
import type { JobStore, PresetStore, WorkQueue, WorkspaceStore } from "@verbatim/core/ports"
import { Clock, Duration, Effect } from "effect"
import { check } from "../../concurrency/Check.ts"
import { type Member, perform } from "../../concurrency/Member.ts"
import { Troubles } from "../../concurrency/Troubles.ts"
import { advance, type Cases } from "../Contract.ts"
import * as Expect from "../Expect.ts"

type Ports = JobStore | PresetStore | WorkQueue | WorkspaceStore

/**
 * Number of calls: enough to show nearly every fault that the judge detects. The calls take 0.3 s
 * in memory.
 */
const operations = 3_000

/** Makes random calls, and judges whether the models explain every answer. */
const judged = Effect.gen(function* () {
  const context = yield* Effect.context<Ports>()
  const member: Member = (task) =>
    perform(task).pipe(Effect.provide(Troubles.none), Effect.provideContext(context))
  // All callers wait for their answers, because only `Troubles` knows when a database has finished
  // a statement.
  const size = { seed: 1, operations, roundSize: operations, arePatient: true }
  const { violations } = yield* check({ ...size, members: [member, member] })
  yield* Expect.that("an order explains all answers", violations.slice(0, 1)).is([])
})

/** Time after the sample timestamp by which all of the callers' work is due. */
const days = Duration.days(30)

export const randomCallers: Cases<Ports> = [
  {
    title: "answers random concurrent calls as if they had run one after the other",
    effect: Effect.andThen(
      advance(days),
      // A caller that was overtaken by another caller waits in real time.
      Effect.provideService(judged, Clock.Clock, Clock.Clock.defaultValue())
    )
  }
]

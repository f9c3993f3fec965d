/**
 * The case in which many fibers make random calls. Other cases test what random calls rarely reach
 * or the judge does not see.
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
 * Number of calls. This many show nearly every fault that the judge can detect, and take 0.3 s in
 * memory.
 */
const operations = 3_000

/** Makes random calls, and fails unless the models explain every answer. */
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

/** Time after the sample timestamp at which all work of the callers is due. */
const days = Duration.days(30)

export const randomCallers: Cases<Ports> = [
  {
    title: "answers random concurrent calls as if they had run one after the other",
    effect: Effect.andThen(
      advance(days),
      // A caller waits in real time if another caller was faster.
      Effect.provideService(judged, Clock.Clock, Clock.Clock.defaultValue())
    )
  }
]

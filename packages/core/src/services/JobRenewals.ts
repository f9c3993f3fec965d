/**
 * Asking for a job again: its webhook, a notice, or another run.
 */
import { Effect, Option } from "effect"
import type { Job } from "../domain/job/Job.ts"
import { toView } from "../domain/job/JobView.ts"
import type { Principal } from "../domain/workspace/ApiKey.ts"
import { trace } from "../ports/Trace.ts"
import { JobRecords, type WantedNotice } from "./JobRecords.ts"
import { Workspaces } from "./Workspaces.ts"

/** Whatever is asked for again answers with the job as it is from then on. */
export const makeJobRenewals = Effect.gen(function* () {
  const records = yield* JobRecords
  const workspaces = yield* Workspaces

  const toAnswer = Effect.fnUntraced(function* (job: Job) {
    const balanceMillis = yield* workspaces.balance(job.workspaceId)
    return toView(job, { balanceMillis, transcript: Option.none() })
  })

  const redeliver = trace("Jobs.redeliver")((principal: Principal, id: string) =>
    Effect.flatMap(records.redeliver(principal, id), toAnswer)
  )

  const renotify = trace("Jobs.renotify")((principal: Principal, wanted: WantedNotice) =>
    Effect.flatMap(records.renotify(principal, wanted), toAnswer)
  )

  const retry = trace("Jobs.retry")((principal: Principal, id: string) =>
    Effect.flatMap(records.retry(principal, id), toAnswer)
  )

  return { redeliver, renotify, retry }
})

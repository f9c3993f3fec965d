/** Jobs of workspaces that are charged without a worker. */
import type { JobStore, WorkQueue } from "@verbatim/core/ports"
import { ApiKeyId, WorkspaceId } from "@verbatim/core/workspace"
import { attemptStarted, commitJob, insertJob, makeUploadJob } from "@verbatim/testkit/samples"
import { type DateTime, Effect } from "effect"

/** The charge of a job: amount, time and key. */
interface Charge {
  readonly key: string
  readonly at: DateTime.Utc
  readonly millis: number
}

let jobs = 0

/** Charges a job of a workspace, and returns its number. */
export const chargeJob = Effect.fnUntraced(function* (
  workspace: string,
  { at, key, millis }: Charge
): Effect.fn.Return<{ readonly number: number }, unknown, JobStore | WorkQueue> {
  jobs += 1
  const number = jobs
  const owner = { workspaceId: WorkspaceId.make(workspace), keyId: ApiKeyId.make(key) }
  const job = yield* insertJob(makeUploadJob(number, owner))
  yield* commitJob(job, { events: [attemptStarted()], chargeMillis: millis, at })
  return { number }
})

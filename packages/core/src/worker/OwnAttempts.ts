/**
 * The attempts that this process began and whose end it has not seen written. If one of them is
 * found without a worker, nobody died: this process lives, and the store was silent.
 */
import { DateTime } from "effect"
import type { JobId } from "../domain/attempt/Attempt.ts"
import { Failure } from "../domain/attempt/Failure.ts"
import { isTelling } from "../domain/attempt/Work.ts"
import type { AttemptUnderway } from "../domain/job/Current.ts"

/** How many of the latest attempts are remembered: many times what a process runs. */
const rememberedMax = 1_000

/** What a process remembers of its attempts. */
export interface OwnAttempts {
  /** An attempt is about to be written: from now on the store may know it. */
  readonly begin: (id: JobId, startedAt: DateTime.Utc) => void
  /** Its end, or its loss, is written. */
  readonly forget: (id: JobId) => void
  /**
   * Why an attempt of that job has no worker any more. Somebody else's counts as a death: nobody
   * can tell from here whether its process died or lost the store for the length of a lease.
   */
  readonly lossOf: (id: JobId, attempt: Pick<AttemptUnderway, "startedAt" | "task">) => Failure
}

/** Nothing was begun. */
export const make = (): OwnAttempts => {
  const begun = new Map<JobId, DateTime.Utc>()
  return {
    begin: (id, startedAt) => {
      begun.delete(id)
      begun.set(id, startedAt)
      const [oldest] = begun.keys()
      if (begun.size > rememberedMax && oldest !== undefined) begun.delete(oldest)
    },
    forget: (id) => {
      begun.delete(id)
    },
    lossOf: (id, { startedAt, task }) => {
      const own = begun.get(id)
      const isOwn = own !== undefined && DateTime.Equivalence(own, startedAt)
      // Somebody may have been told, so that the attempt counts whoever lost it.
      return isOwn && !isTelling(task)
        ? Failure.cases.StorageFailed.make({ detail: "the lease could not be renewed" })
        : Failure.cases.WorkerLost.make({})
    }
  }
}

/** Converts database failures to failures of the job store. */
import type { JobId } from "@verbatim/core/attempt"
import { JobStoreError } from "@verbatim/core/ports"
import type { LimitOwner } from "@verbatim/core/workspace"
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import { Unreadable } from "../row/Row.ts"

const reasons = JobStoreError.fields.reason.cases

/** Creates the error for a job that another process wrote first. */
export const supersededError = (operation: string) =>
  new JobStoreError({ operation, reason: reasons.Superseded.make({}) })

/** Creates the error for a reached limit on unfinished jobs. */
export const fullError = (of: LimitOwner) =>
  new JobStoreError({ operation: "insert", reason: reasons.Full.make({ of }) })

/** Creates the error for a job in the format of a newer version, which wrote the job. */
export const tooNew = (id: JobId, format: number) =>
  new Unreadable({
    message: `job ${id} was written by a newer version`,
    cause: `its format is ${format}`
  })

const reasonOf = (operation: string, cause: SqlError.SqlError | Unreadable) => {
  if (cause._tag !== "SqlError") return reasons.Unreadable.make({ cause })
  // A new job needs locks that other transactions hold. For other operations, the failure is
  // transient: a worker retries its commit until its lease ends.
  return cause.reason._tag === "LockTimeoutError" && operation === "insert"
    ? reasons.Contended.make({})
    : reasons.Unavailable.make({ cause })
}

/** Maps database failures to the store's failures. */
export const mapSqlError = (operation: string) =>
  Effect.mapError((cause: SqlError.SqlError | Unreadable | JobStoreError) =>
    cause._tag === "JobStoreError"
      ? cause
      : new JobStoreError({ operation, reason: reasonOf(operation, cause) })
  )

/** How a job store reports what went wrong in its database. */
import type { JobId } from "@verbatim/core/attempt"
import { JobStoreError } from "@verbatim/core/ports"
import type { LimitOwner } from "@verbatim/core/workspace"
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import { Unreadable } from "../row/Row.ts"

const reasons = JobStoreError.fields.reason.cases

/** Somebody else wrote first. */
export const supersededError = (operation: string) =>
  new JobStoreError({ operation, reason: reasons.Superseded.make({}) })

/** As many jobs are unfinished as may be. */
export const fullError = (of: LimitOwner) =>
  new JobStoreError({ operation: "insert", reason: reasons.Full.make({ of }) })

/** A newer version wrote the job in a format of its own. */
export const tooNew = (id: JobId, format: number) =>
  new Unreadable({ message: `jobs ${id} is of a newer version`, cause: `its format is ${format}` })

const reasonOf = (operation: string, cause: SqlError.SqlError | Unreadable) => {
  if (cause._tag !== "SqlError") return reasons.Unreadable.make({ cause })
  // Others hold what a new job needs. A commit of a worker is repeated until its lease ends.
  return cause.reason._tag === "LockTimeoutError" && operation === "insert"
    ? reasons.Contended.make({})
    : reasons.Unavailable.make({ cause })
}

/** Fails as a store does. */
export const mapSqlError = (operation: string) =>
  Effect.mapError((cause: SqlError.SqlError | Unreadable | JobStoreError) =>
    cause._tag === "JobStoreError"
      ? cause
      : new JobStoreError({ operation, reason: reasonOf(operation, cause) })
  )

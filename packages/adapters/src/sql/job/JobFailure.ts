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

/** Fails as a store does. */
export const mapSqlError = (operation: string) =>
  Effect.mapError((cause: SqlError.SqlError | Unreadable | JobStoreError) => {
    if (cause._tag === "JobStoreError") return cause
    const { Unavailable, Unreadable } = reasons
    const reason = cause._tag === "SqlError" ? Unavailable : Unreadable
    return new JobStoreError({ operation, reason: reason.make({ cause }) })
  })

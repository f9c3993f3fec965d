/**
 * How a job store tells what went wrong in its database.
 */
import { JobStoreError } from "@verbatim/core/ports/JobStore"
import { Effect } from "effect"
import type { SqlError } from "effect/sql"

const reasons = JobStoreError.fields.reason.cases

/** Somebody else wrote first. */
export const superseded = (operation: string) =>
  new JobStoreError({ operation, reason: reasons.Superseded.make({}) })

/** Fails as the store does. */
export const failing = (operation: string) =>
  Effect.mapError((cause: SqlError.SqlError | JobStoreError) =>
    cause._tag === "SqlError"
      ? new JobStoreError({ operation, reason: reasons.Unavailable.make({ cause }) })
      : cause
  )

/** Writes in one statement: what is accepted or ends in a process at the same time. */
export const togetherMax = 32

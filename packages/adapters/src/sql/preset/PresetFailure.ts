/** Converts database failures to failures of the preset store. */
import { PresetStoreError } from "@verbatim/core/ports"
import { Effect } from "effect"
import type { SqlError } from "effect/sql"

type Reason = PresetStoreError["reason"]

/** Reasons why a preset does not accept a version. */
export const reasons = PresetStoreError.fields.reason.cases

const reasonOf = (operation: string, cause: SqlError.SqlError): Reason => {
  switch (cause.reason._tag) {
    // Unique violations have another tag, so a row is missing. Of the rows that a new version or a
    // protected label refers to, only the workspace can be missing.
    case "ConstraintError":
      return operation === "append" || operation === "protect"
        ? reasons.WorkspaceMissing.make({})
        : reasons.Unavailable.make({ cause })
    case "LockTimeoutError":
    case "SerializationError":
    case "DeadlockError":
      return reasons.Contended.make({})
    default:
      return reasons.Unavailable.make({ cause })
  }
}

/** Maps database failures to the port's failures; other failures stay unchanged. */
export const mapSqlError = (operation: string) =>
  Effect.mapError((cause: SqlError.SqlError | PresetStoreError) =>
    cause._tag === "SqlError"
      ? new PresetStoreError({ operation, reason: reasonOf(operation, cause) })
      : cause
  )

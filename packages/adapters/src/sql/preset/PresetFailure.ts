/**
 * What a refusal of the database means for presets.
 */
import { PresetStoreError } from "@verbatim/core/ports"
import { Effect } from "effect"
import type { SqlError } from "effect/sql"

type Reason = PresetStoreError["reason"]

const reasons = PresetStoreError.fields.reason.cases

const reasonOf = (operation: string, cause: SqlError.SqlError): Reason => {
  switch (cause.reason._tag) {
    // Uniqueness has a tag of its own, and the workspace is the only thing that a new version, or a
    // protected label, needs and that may be missing.
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

/** Puts a failure of the database in the words of the port; other failures stay as they are. */
export const mapSqlError = (operation: string) =>
  Effect.mapError((cause: SqlError.SqlError | PresetStoreError) =>
    cause._tag === "SqlError"
      ? new PresetStoreError({ operation, reason: reasonOf(operation, cause) })
      : cause
  )

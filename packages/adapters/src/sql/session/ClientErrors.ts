/** Builds the `SqlError`s that the clients themselves report. */
import { SqlError } from "effect/sql"

/** Creates the error for a statement that got no answer. */
export const connectionError = (cause: Error, operation = "execute"): SqlError.SqlError =>
  new SqlError.SqlError({
    reason: new SqlError.ConnectionError({ cause, message: cause.message, operation })
  })

/** Creates the error for a caller that waited until its deadline for other callers. */
export const lockTimeoutError = (message: string): SqlError.SqlError =>
  new SqlError.SqlError({
    reason: new SqlError.LockTimeoutError({
      cause: new Error(message),
      message,
      operation: "execute"
    })
  })

/** Builds the `SqlError`s that the clients themselves report, and converts integers. */
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

/**
 * Converts an integer to a number. An integer that no number can represent exactly stays unchanged,
 * and the column's schema rejects the value.
 */
export const toExact = <A extends bigint | string>(integer: A): A | number => {
  const number = Number(integer)
  return Number.isSafeInteger(number) ? number : integer
}

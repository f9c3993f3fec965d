/** Classifies errors on a host's connection, however the driver represents the server's error. */
import { SqlError } from "effect/sql"
import { HostTransactionError } from "../../sql/host/HostTransactionError.ts"

/** Matches SQL states, but not the error codes of drivers or Node, such as `P2010` or `EPIPE`. */
const sqlState = /^(?:\d[0-9A-Z]|HV|P0|XX|F0)[0-9A-Z]{3}$/

/**
 * Maximum number of errors in which a driver, a query builder or a pool wraps the server's error.
 */
const depthMax = 5

interface Answer {
  readonly code: string
  readonly constraint: unknown
}

/** Finds the server's error, if any. */
const findAnswer = (error: unknown, depth = 0): Answer | undefined => {
  if (typeof error !== "object" || error === null || depth > depthMax) return undefined
  const { cause, code, constraint, meta } = error as Readonly<Record<string, unknown>>
  if (typeof code === "string" && sqlState.test(code)) return { code, constraint }
  return findAnswer(meta, depth + 1) ?? findAnswer(cause, depth + 1)
}

const message = "Postgres refused a statement on the connection of the host"

const classes = [
  [/^08|^57P0/, SqlError.ConnectionError],
  [/^42501/, SqlError.AuthorizationError],
  [/^42/, SqlError.SqlSyntaxError],
  [/^23/, SqlError.ConstraintError],
  [/^40P01/, SqlError.DeadlockError],
  [/^40001/, SqlError.SerializationError],
  [/^55P03/, SqlError.LockTimeoutError],
  [/^57014/, SqlError.StatementTimeoutError]
] as const

/** Converts a statement's failure to an `SqlError`. */
export const toSqlError = (cause: unknown): SqlError.SqlError => {
  const answer = findAnswer(cause)
  const props = { cause, message, operation: "execute" }
  if (answer === undefined) {
    return new SqlError.SqlError({ reason: new SqlError.ConnectionError(props) })
  }
  const { code, constraint } = answer
  if (code === "23505") {
    const name = typeof constraint === "string" ? constraint : "unknown"
    return new SqlError.SqlError({
      reason: new SqlError.UniqueViolation({ ...props, constraint: name })
    })
  }
  const Reason = classes.find(([codes]) => codes.test(code))?.[1] ?? SqlError.UnknownError
  return new SqlError.SqlError({ reason: new Reason(props) })
}

const losses = [
  [/^25P01/, "NotOpen"],
  [/^25P02/, "Aborted"],
  [/^3B001/, "Ended"],
  [/^25006/, "ReadOnly"],
  [/^08|^57P0|^25P0[34]/, "Unusable"]
] as const

/**
 * Returns what a failure means for the transaction. If the error did not come from the server, the
 * transaction is unusable.
 */
export const explain = ({ reason }: SqlError.SqlError): HostTransactionError | undefined => {
  const answer = findAnswer(reason.cause)
  const loss = losses.find(([codes]) => answer !== undefined && codes.test(answer.code))?.[1]
  const found = answer === undefined ? "Unusable" : loss
  return found === undefined
    ? undefined
    : new HostTransactionError({ reason: found, cause: reason.cause })
}

/**
 * Runs statements on a connection that a host has opened with any driver, and classifies errors in
 * whatever form the driver reports them.
 */
import { Effect } from "effect"
import { SqlError } from "effect/sql"
import { HostTransactionError } from "../../sql/host/HostTransactionError.ts"
import { sqlMetrics } from "../../sql/SqlMetrics.ts"
import { toExact } from "../../sql/session/RowConnection.ts"

type Row = Readonly<Record<string, unknown>>

/** The names, in camel case, of all integer columns that the stores' statements return. */
const integers: ReadonlySet<string> = new Set(
  `acceptedAt age at backTo balanceMillis beyond byteLength chargedMillis compatibleSince
  count createdAt creditedMillis day designatedVersion due dueAt dueSince durationMillis endedAt
  engineMillis entry expiresAt format from held holding index jobDays jobRevision jobs jobsPerDay
  laneCount lastAt lastUsedAt lastVisited later latestVersion leased leaseUntil level media
  mediaDays migrationId millis minutesPerDay nowMillis oid oldest ordinal position progress rank
  recognised requestsPerSecond reused revision revokedAt rowIndex seenAt segment segmentCount
  sequence since size startedAt statusUpdatedAt taken to total transcriptDays transcripts
  unfinished unfinishedJobs updatedAt version waiting writtenLength`.split(/\s+/)
)

/** Normalizes a column name: `presets.latestVersion` and `latest_version` are the same. */
const plainName = (name: string): string =>
  name
    .slice(name.lastIndexOf(".") + 1)
    .replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

const isInteger = (name: string): boolean => integers.has(plainName(name))

const integerText = /^-?\d{1,19}$/

const read = (name: string, value: unknown): unknown => {
  if (typeof value === "bigint") return toExact(value)
  const isText = typeof value === "string" && integerText.test(value)
  return isText && isInteger(name) ? toExact(BigInt(value)) : value
}

/** Converts a row to the form that the stores read. */
export const readRow = (row: Row): Row => {
  const fields: Record<string, unknown> = {}
  for (const name of Object.keys(row)) fields[name] = read(name, row[name])
  return fields
}

/**
 * A host's connection, for example a `PoolClient` of `pg`. Most other drivers need a wrapper of one
 * line.
 */
export interface HostConnection {
  /** Runs one statement with the values for `$1`, `$2` …: strings, numbers, booleans and null. */
  readonly query: (
    text: string,
    values: Array<unknown>
  ) => PromiseLike<{ readonly rows: ReadonlyArray<object> }>
}

type Rows = ReadonlyArray<Readonly<Record<string, unknown>>>

/** Runs a statement, and returns the rows. */
export const runQuery = (
  connection: HostConnection,
  text: string,
  params: ReadonlyArray<unknown>
): Effect.Effect<Rows, SqlError.SqlError> => {
  const result = Effect.tryPromise({
    try: async () =>
      connection.query(
        text,
        params.map((value) => value ?? null)
      ),
    catch: toSqlError
  })
  return Effect.andThen(
    sqlMetrics.statements.record({ database: "postgres" }),
    Effect.map(result, ({ rows }) => rows.map((row) => readRow(row as Rows[number])))
  )
}

/** Matches SQL states, but not the error codes of drivers or Node, such as `P2010` or `EPIPE`. */
const sqlState = /^(?:\d[0-9A-Z]|HV|P0|XX|F0)[0-9A-Z]{3}$/

/**
 * Maximum number of nested errors to inspect: drivers, query builders and pools wrap the server's
 * error.
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
 * Returns an error if a failure means that the transaction can no longer be used, as it does when
 * the failure did not come from the server.
 */
export const explain = ({ reason }: SqlError.SqlError): HostTransactionError | undefined => {
  const answer = findAnswer(reason.cause)
  const loss = losses.find(([codes]) => answer !== undefined && codes.test(answer.code))?.[1]
  const found = answer === undefined ? "Unusable" : loss
  return found === undefined
    ? undefined
    : new HostTransactionError({ reason: found, cause: reason.cause })
}

/** Runs statements on a connection that a host has opened, with any driver. */
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import { sqlMetrics } from "../../sql/SqlMetrics.ts"
import { toSqlError } from "./SqlState.ts"

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

/** Whether the column with the given name is an integer. */
const isInteger = (name: string): boolean => integers.has(plainName(name))

/**
 * Converts an integer to a number. An integer that no number can represent exactly stays a
 * `bigint`, which the stores reject.
 */
const toExact = (value: bigint): bigint | number => {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

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

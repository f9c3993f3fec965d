/**
 * Wraps a host's client so that the stores read the same rows as with their own client. Every
 * driver's 64-bit integers become numbers, and columns keep the names that the statement gives
 * them.
 */
import { Effect } from "effect"
import { SqlClient, SqlError, Statement } from "effect/sql"
import {
  capabilitiesOf,
  compilerFor,
  isPostgresClient,
  withCapabilities
} from "../ClientCapabilities.ts"
import { makeRowConnection, type RunStatement, toExact } from "../session/RowConnection.ts"

type Row = Readonly<Record<string, unknown>>

/** The Postgres type id of 64-bit integers. */
const int8 = 20

/** Returns the names of the columns that the driver reports as 64-bit integers. */
const integersIn = (result: object): ReadonlySet<string> => {
  const fields = "fields" in result && Array.isArray(result.fields) ? result.fields : []
  return new Set(
    fields.flatMap((field: Row) =>
      (field.dataTypeId ?? field.dataTypeID) === int8 ? [String(field.name)] : []
    )
  )
}

const exactRow = (row: Row, integers: ReadonlySet<string>): Row => {
  const exact: Record<string, unknown> = {}
  for (const [column, value] of Object.entries(row)) {
    const isInteger =
      typeof value === "bigint" || (typeof value === "string" && integers.has(column))
    exact[column] = isInteger ? toExact(value) : value
  }
  return exact
}

const none: ReadonlySet<string> = new Set()

/** Returns the rows of a Postgres driver's result, which names each column's type. */
const rowsOf = (result: unknown): ReadonlyArray<Row> => {
  if (Array.isArray(result)) return result.map((row: Row) => exactRow(row, none))
  if (typeof result !== "object" || result === null) return []
  const integers = integersIn(result)
  const rows = "rows" in result && Array.isArray(result.rows) ? result.rows : []
  return rows.map((row: Row) => exactRow(row, integers))
}

/** SQLite's code for a violated UNIQUE constraint. */
const uniqueCode = 2067

/**
 * Gives primary key violations the same code as violations of other unique keys: SQLite
 * distinguishes the two, but the stores do not.
 */
const normalizeUniqueError = (error: SqlError.SqlError): SqlError.SqlError => {
  const { cause, message } = error.reason
  const detail = cause instanceof Error ? cause.message : message
  if (error.reason._tag !== "ConstraintError" || !/UNIQUE constraint failed/.test(detail))
    return error
  const unique = Object.assign(new Error(detail, { cause }), { errno: uniqueCode })
  const operation = "execute"
  return new SqlError.SqlError({
    reason: SqlError.classifySqliteError(unique, { message: detail, operation })
  })
}

/**
 * Begins SQLite transactions with the write lock, because a transaction that begins with a read
 * fails on its first write if another connection has written in the meantime.
 */
const beginImmediate =
  ({ withTransaction }: SqlClient.SqlClient): SqlClient.SqlClient["withTransaction"] =>
  (self) =>
    Effect.provideService(withTransaction(self), SqlClient.BeginTransaction, "BEGIN IMMEDIATE")

/** Returns a client with exact integers. One of Verbatim's own clients is returned unchanged. */
export const makeExact = (original: SqlClient.SqlClient): SqlClient.SqlClient => {
  if (capabilitiesOf(original).isOurs) return original
  const client = original.withoutTransforms()
  const isPostgres = isPostgresClient(client)
  // The client itself finds the transaction to use.
  const run: RunStatement = (text, params, isUnprepared) => {
    const statement = client.unsafe<Row>(text, params)
    const prepared = isPostgres ? statement.raw : statement
    const rows = Effect.map(isUnprepared ? statement.unprepared : prepared, rowsOf)
    return isPostgres ? rows : Effect.mapError(rows, normalizeUniqueError)
  }
  const constructor = Statement.make(
    Effect.succeed(makeRowConnection(run)),
    compilerFor(client),
    [["db.system.name", isPostgres ? "postgresql" : "sqlite"]],
    undefined
  )
  const copy: SqlClient.SqlClient = Object.assign(constructor, {
    ...client,
    ...constructor,
    ...(isPostgres ? {} : { withTransaction: beginImmediate(client) })
  })
  Object.assign(copy, { safe: copy, withoutTransforms: () => copy })
  return withCapabilities(copy, { ...capabilitiesOf(original), isOurs: false })
}

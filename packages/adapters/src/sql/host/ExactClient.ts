/**
 * Wraps a host's client so that the stores read the same rows as with their own client. Every
 * driver's 64-bit integers become numbers, and columns keep the names that the statement gives
 * them.
 */
import { Effect, Stream } from "effect"
import { SqlClient, type SqlConnection, SqlError, Statement } from "effect/sql"
import {
  capabilitiesOf,
  compilerFor,
  isPostgresClient,
  withCapabilities
} from "../ClientCapabilities.ts"

type Row = Readonly<Record<string, unknown>>

/** The Postgres type id of 64-bit integers. */
const int8 = 20

/**
 * Converts an integer to a number. A value that no number can represent exactly stays unchanged,
 * and the column's schema rejects the value.
 */
const toNumber = (value: unknown): unknown => {
  if (typeof value !== "bigint" && typeof value !== "string") return value
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

const exactValue = (value: unknown): unknown =>
  typeof value === "bigint" ? toNumber(value) : value

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
    exact[column] = integers.has(column) ? toNumber(value) : exactValue(value)
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

const exactValues = (rows: ReadonlyArray<ReadonlyArray<unknown>>) =>
  rows.map((row) => row.map(exactValue))

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

type Rows = (statement: Statement.Statement<Row>) => ReturnType<SqlConnection.Connection["execute"]>

/**
 * Wraps the client's statements as a connection. The client itself finds the transaction to use.
 */
const connectionOf = (client: SqlClient.SqlClient, rows: Rows): SqlConnection.Connection => {
  const make = (text: string, params: ReadonlyArray<unknown>) => client.unsafe<Row>(text, params)
  return {
    execute: (text, params) => rows(make(text, params)),
    executeRaw: (text, params) => make(text, params).raw,
    executeStream: (text, params) =>
      Stream.map(make(text, params).stream, (row) => exactRow(row, none)),
    executeValues: (text, params) => Effect.map(make(text, params).values, exactValues),
    executeValuesUnprepared: (text, params) =>
      Effect.map(make(text, params).valuesUnprepared, exactValues),
    executeUnprepared: (text, params) =>
      Effect.map(make(text, params).unprepared, (found) =>
        found.map((row: Row) => exactRow(row, none))
      )
  }
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
  const rows: Rows = isPostgres
    ? (statement) => Effect.map(statement.raw, rowsOf)
    : (statement) =>
        Effect.mapBoth(statement, {
          onFailure: normalizeUniqueError,
          onSuccess: (found) => found.map((row) => exactRow(row, none))
        })
  const constructor = Statement.make(
    Effect.succeed(connectionOf(client, rows)),
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
